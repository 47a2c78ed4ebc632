//! The stored results of one target unit.

use super::SingleTrials;
use super::control::Baseline;
use crate::{AuxiliaryReadouts, BlockFits, Convergence, FoldProfile, ReferenceSimilarity, Selection, Unit};
use neurogauge_core::Undefined;
use serde::{Deserialize, Serialize};

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct UnitResult {
    pub unit: Unit,
    pub n_voxels: usize,
    /// One reference for each outer fold.
    pub references: Vec<ReferenceResult>,
    /// One entry for each source, donors first.
    pub sources: Vec<SourceResult>,
    /// The controls of the target alone, then those of each source.
    pub controls: Vec<ControlResult>,
}

/// The target reference of one fold.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ReferenceResult {
    /// Reference weights, descending.
    pub weights: Vec<f64>,
    /// Entropy effective rank; `None` without directions.
    pub effective_rank: Option<f64>,
    /// Rank of the consensus of all partitions; 0 without directions.
    pub consensus_rank: usize,
    /// Number of fits from one view to the other, in both directions for each partition.
    #[serde(default)]
    pub n_fits: usize,
    /// Number of fits in which all regularisations of the selected rank have equal scores.
    #[serde(default)]
    pub n_tied: usize,
    /// The consensus of the first m partitions compared with that of all.
    pub convergence: Vec<(usize, Convergence)>,
    /// Its similarity to the reference of balanced partitions; `None` without that control.
    pub balanced: Option<ReferenceSimilarity>,
}

impl ReferenceResult {
    /// The rank of the consensus; `None` without directions.
    pub fn rank_of_consensus(&self) -> Option<f64> {
        (self.consensus_rank > 0).then_some(self.consensus_rank as f64)
    }
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct SourceResult {
    /// Its name; for a donor, its subject.
    pub source: String,
    /// Whether it is another subject.
    pub donor: bool,
    pub fits: Vec<FitResult>,
    /// Overlap of the source's subspaces of every two folds.
    pub stability: Vec<f64>,
    /// The recovery of single trials; only for a donor, and with a null that selects again.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub single_trials: Option<SingleTrials>,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct FitResult {
    /// The selection of cross-validation.
    pub selection: Selection,
    /// Dimensions of the subspace; fewer than the selected rank if the fit has fewer.
    pub rank: usize,
    /// Entropy effective rank of the source's predictive strengths; `None` without a prediction.
    pub effective_rank: Option<f64>,
    /// Share of each layer of the source in the fit, in the source's own coordinates.
    pub block_use: Option<Vec<f64>>,
    pub readout_alpha: f64,
    /// Do all regularisations of the readout have equal scores?
    #[serde(default)]
    pub readout_is_tied: bool,
    /// Mean over voxels of Pearson's r between predicted and measured test responses.
    pub accuracy: f64,
    /// Coverage of the fold's own reference, or the reason why it is undefined.
    #[serde(with = "neurogauge_core::recorded")]
    pub profile: Result<FoldProfile, Undefined>,
    /// TopKCov of the next fold's reference.
    #[serde(with = "neurogauge_core::recorded")]
    pub next_fold: Result<Vec<f64>, Undefined>,
    /// TopKCov of each draw of the null.
    pub null: Vec<Vec<f64>>,
    /// Pearson's r between predicted and measured test responses along each of the reference's first directions;
    /// `None` without that control, or without a reference.
    pub prediction: Option<Vec<f64>>,
    /// Readouts selected on the reserved chunk; `None` without that control.
    pub auxiliary: Option<AuxiliaryReadouts>,
    /// The features that carry the reference's first directions; empty without that control.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[serde(with = "neurogauge_core::recorded::each")]
    pub attribution: Vec<Result<DirectionShares, Undefined>>,
    /// Fits with some blocks of the source; `None` without that control, for a source with one block, and without a
    /// reference.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub blocks: Option<BlockFits>,
}

/// The features of a source that carry one direction of the reference.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct DirectionShares {
    /// The share of the predicted variance that each block carries; shares sum to 1.
    pub blocks: Vec<f64>,
    /// The features with the largest shares, in descending order.
    pub features: Vec<FeatureShare>,
}

/// One feature in a [`DirectionShares`].
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct FeatureShare {
    /// Its position in the source, from 0.
    pub feature: usize,
    /// Its weight in the fit; the vector of weights has length 1.
    pub weight: f64,
    /// Its share of the predicted variance.
    pub share: f64,
    /// Its correlation with the prediction.
    pub correlation: f64,
}

/// The recovery of a subspace that replaces a source's selected one.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ControlResult {
    pub baseline: Baseline,
    /// Its source; `None` for a control of the target alone.
    pub source: Option<String>,
    pub donor: bool,
    /// One fit for each outer fold and draw.
    pub fits: Vec<ControlFit>,
}

/// One such subspace.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ControlFit {
    pub fold: usize,
    /// The number of the fold's draw; 0 if there is only one.
    pub draw: usize,
    pub rank: usize,
    /// Regularisation of the fit; `None` without a fit.
    pub alpha: Option<f64>,
    /// Mean over voxels of Pearson's r between predicted and measured test responses; `None` without a prediction.
    pub accuracy: Option<f64>,
    /// Coverage of the reference, with DirCov for the first directions only; or the reason why there is none.
    #[serde(with = "neurogauge_core::recorded")]
    pub profile: Result<FoldProfile, Undefined>,
}
