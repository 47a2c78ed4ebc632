//! Sources of nearly equal accuracy, and whether their profiles differ by more than people's profiles do.

use crate::AlignmentError;
use itertools::Itertools;
use neurogauge_stats::quantile;
use serde::{Deserialize, Serialize};

/// The paper's limits on the difference of accuracies.
pub const ACCURACY_LIMITS: [f64; 4] = [0.005, 0.01, 0.02, 0.03];

/// Accuracy and profile mean of one source for one target unit.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct ScoredSource {
    /// Prediction accuracy, averaged over outer folds.
    pub accuracy: f64,
    /// ProfileMean.
    pub profile_mean: f64,
}

/// The human-variation threshold: the 90th percentile of the differences in profile mean between
/// donors of nearly equal accuracy.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct HumanVariation {
    /// Number of pairs of donors whose accuracies differ by no more than the limit.
    pub n_pairs: usize,
    /// The threshold; `None` without a pair.
    pub threshold: Option<f64>,
}

/// The threshold from pairs of donors of the same target unit, pooled over units.
///
/// - Shapes: `donors` holds the donors of each target unit.
pub fn human_variation(donors: &[Vec<ScoredSource>], limit: f64) -> Result<HumanVariation, AlignmentError> {
    let pairs = donors.iter().flat_map(|donors| donors.iter().tuple_combinations());
    let near = pairs.filter(|(one, other)| (one.accuracy - other.accuracy).abs() <= limit);
    let differences: Vec<f64> = near.map(|(one, other)| (one.profile_mean - other.profile_mean).abs()).collect();
    Ok(HumanVariation {
        n_pairs: differences.len(),
        threshold: (!differences.is_empty()).then(|| quantile(&differences, 0.9)).transpose()?,
    })
}

/// Pairs of a pretrained and a random model of one architecture whose accuracies are nearly equal.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct MatchedPairs {
    /// Pretrained minus random profile mean of each matched pair, by target unit.
    pub differences: Vec<Vec<f64>>,
    pub n: usize,
    /// Mean difference; like the shares, `None` without a pair.
    pub mean: Option<f64>,
    /// Share of pairs with a positive difference.
    pub positive: Option<f64>,
    /// Share of pairs that differ by more than the human threshold, in either direction.
    pub beyond: Option<f64>,
    /// Share of pairs that exceed it in favour of the pretrained model.
    pub beyond_in_favour: Option<f64>,
}

impl MatchedPairs {
    /// The pairs whose accuracies differ by no more than `limit`.
    ///
    /// - Shapes: `pairs` holds (pretrained, random) of each architecture, by target unit.
    pub fn new(pairs: &[Vec<(ScoredSource, ScoredSource)>], limit: f64, human: &HumanVariation) -> Self {
        let of_unit = |pairs: &Vec<(ScoredSource, ScoredSource)>| {
            let near = pairs.iter().filter(|(one, other)| (one.accuracy - other.accuracy).abs() <= limit);
            near.map(|(one, other)| one.profile_mean - other.profile_mean).collect()
        };
        let differences: Vec<Vec<f64>> = pairs.iter().map(of_unit).collect();
        let all: Vec<f64> = differences.iter().flatten().copied().collect();
        let n = all.len();
        let share =
            |keep: &dyn Fn(f64) -> bool| (n > 0).then(|| all.iter().filter(|&&d| keep(d)).count() as f64 / n as f64);
        let beyond = |keep: &dyn Fn(f64, f64) -> bool| {
            let threshold = human.threshold?;
            share(&|difference| keep(difference, threshold))
        };
        MatchedPairs {
            n,
            mean: (n > 0).then(|| all.iter().sum::<f64>() / n as f64),
            positive: share(&|difference| difference > 0.0),
            beyond: beyond(&|difference, threshold| difference.abs() > threshold),
            beyond_in_favour: beyond(&|difference, threshold| difference > threshold),
            differences,
        }
    }
}
