//! Preparation of a target's responses, independent of sources.

use crate::correlation::Measured;
use crate::pool_fits::{PoolFits, Standardised, check_matrix};
use crate::{AlignmentError, FoldPlan, Matrix, OuterFold, Unit};
use faer::Mat;

/// Z-scored responses of one fit.
#[derive(Debug, Clone)]
pub struct TargetFit {
    /// Training rows: stimuli x voxels.
    pub(crate) responses: Mat<f64>,
    /// Their inner products.
    pub gram: Mat<f64>,
    /// The held-out rows.
    pub(crate) measured: Measured,
}

impl TargetFit {
    pub(crate) fn new(y: Standardised) -> Self {
        TargetFit {
            measured: Measured::new(y.held_out.as_ref()),
            responses: y.training.into(),
            gram: y.gram,
        }
    }
}

/// A target unit prepared for one outer fold, shared by all sources of that fold.
#[derive(Debug, Clone)]
pub struct PreparedTarget {
    pub(crate) unit: Unit,
    pub(crate) n_voxels: usize,
    pub(crate) fold: OuterFold,
    pub(crate) fits: PoolFits<TargetFit>,
    /// The reserved rows, z-scored like the test rows.
    pub(crate) reserved: Measured,
    /// The z-scored test rows.
    pub(crate) test: Matrix,
}

impl PreparedTarget {
    /// Prepares image-level `responses` (n_stimuli, n_voxels) for outer fold `fold` of the plan.
    pub fn new(unit: &Unit, responses: &Matrix, plan: &FoldPlan, fold: usize) -> Result<Self, AlignmentError> {
        check_matrix(&unit.to_string(), responses, plan.n_stimuli)?;
        let fold = plan.fold(fold)?.clone();
        let scores = PoolFits::new(responses, &fold.training, &fold.test.stimuli);
        let reserved = scores.outer.scale.apply(responses, &fold.reserved);
        Ok(PreparedTarget {
            unit: unit.clone(),
            n_voxels: responses.n_columns(),
            reserved: Measured::new(reserved.as_ref()),
            test: scores.outer.held_out.clone(),
            fits: scores.map(TargetFit::new),
            fold,
        })
    }

    pub fn unit(&self) -> &Unit {
        &self.unit
    }

    pub fn n_voxels(&self) -> usize {
        self.n_voxels
    }
}
