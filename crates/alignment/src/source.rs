//! Preparation of a source's features, independent of targets.

use crate::eigen::all_eigenpairs;
use crate::error::check_space;
use crate::pool_fits::{PoolFits, Standardised, check_matrix};
use crate::product::product;
use crate::{AlignmentError, FoldPlan, Matrix, OuterFold, Standardisation};
use faer::Mat;

/// Squared singular values below this share of the largest are zero except for rounding; this is the precision of their
/// inner products.
const LEAST_SQUARE: f64 = 1e-13;

/// The singular value decomposition X = U S V' of z-scored training rows, without V.
#[derive(Debug, Clone)]
pub struct SourceFit {
    /// U: stimuli x components.
    pub(crate) left: Mat<f64>,
    /// The squares of S, in descending order.
    pub(crate) squares: Vec<f64>,
    /// Inner products of the held-out rows with the training rows, times U: (X_out V) S.
    pub(crate) held_out: Mat<f64>,
}

impl SourceFit {
    pub(crate) fn new(x: &Standardised) -> Result<Self, AlignmentError> {
        let pairs = all_eigenpairs(&x.gram)?;
        let least = LEAST_SQUARE * pairs.values.first().copied().unwrap_or(0.0);
        let count = pairs.values.iter().take_while(|&&square| square > 0.0 && square > least).count();
        let left = pairs.vectors.get(.., ..count).to_owned();
        let crossed = product(x.held_out.as_ref(), x.training.as_ref().transpose());
        Ok(SourceFit {
            held_out: product(crossed.as_ref(), left.as_ref()),
            squares: pairs.values[..count].to_vec(),
            left,
        })
    }

    /// D: for each component s / sqrt(s^2 + alpha).
    pub(crate) fn shrinkage(&self, alpha: f64) -> Vec<f64> {
        self.squares.iter().map(|s2| (s2 / (s2 + alpha)).sqrt()).collect()
    }

    /// The fit with its training rows in another order: row i is the former row `order[i]`.
    pub fn reordered(&self, order: &[usize]) -> SourceFit {
        SourceFit {
            left: gather_rows(&self.left, order),
            squares: self.squares.clone(),
            held_out: self.held_out.clone(),
        }
    }
}

fn gather_rows(matrix: &Mat<f64>, rows: &[usize]) -> Mat<f64> {
    let mut gathered = Mat::zeros(rows.len(), matrix.ncols());
    for column in 0..matrix.ncols() {
        let from = matrix.col_as_slice(column);
        for (value, &row) in gathered.col_as_slice_mut(column).iter_mut().zip(rows) {
            *value = from[row];
        }
    }
    gathered
}

/// A source (another brain, or a model's features) prepared for one outer fold: its decomposition
/// for the outer and every inner fit, shared by all targets of that fold.
///
/// The singular values come from the inner products of the training rows, so the cost hardly
/// depends on the number of features.
#[derive(Debug, Clone)]
pub struct PreparedSource {
    pub(crate) name: String,
    pub(crate) n_features: usize,
    pub(crate) fold: OuterFold,
    pub(crate) fits: PoolFits<SourceFit>,
    /// Like `held_out` of the outer fit, for the reserved rows.
    pub(crate) reserved: Mat<f64>,
    pub(crate) scale: Standardisation,
}

impl PreparedSource {
    /// Prepares `features` (n_stimuli, n_features) for outer fold `fold` of the plan.
    pub fn new(name: &str, features: &Matrix, plan: &FoldPlan, fold: usize) -> Result<Self, AlignmentError> {
        check_matrix(name, features, plan.n_stimuli)?;
        let fold = plan.fold(fold)?.clone();
        let scores = PoolFits::new(features, &fold.training, &fold.test.stimuli);
        let fits = scores.try_map(SourceFit::new)?;
        let outer = &scores.outer;
        let reserved = outer.scale.apply(features, &fold.reserved);
        let crossed = product(reserved.as_ref(), outer.training.as_ref().transpose());
        Ok(PreparedSource {
            name: name.to_owned(),
            n_features: features.n_columns(),
            reserved: product(crossed.as_ref(), fits.outer.left.as_ref()),
            scale: outer.scale.clone(),
            fold,
            fits,
        })
    }

    /// The z-scored training rows of `features`, the matrix that the source was prepared from: (n_training,
    /// n_features).
    pub(crate) fn training_scores(&self, features: &Matrix) -> Result<Matrix, AlignmentError> {
        check_space("the matrix of features", features.n_columns(), self.n_features)?;
        let training = &self.fold.training.stimuli;
        let last = training.last().map_or(0, |&last| last + 1);
        check_matrix(&self.name, features, features.n_rows().max(last))?;
        Ok(self.scale.apply(features, training))
    }

    pub fn name(&self) -> &str {
        &self.name
    }

    pub fn n_features(&self) -> usize {
        self.n_features
    }
}
