//! Scores of every entry (a source and a target unit), for figures of single entries.

use crate::aligned::{Aligned, brain_ref_score, shape_distance};
use neurogauge::align::UnitScore;
use serde::Serialize;

/// An entry.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Entry {
    /// `other subjects`, `pretrained` or `untrained`.
    pub kind: &'static str,
    pub accuracy: f64,
    /// Selected rank of the source's subspace, mean over folds.
    pub selected_rank: f64,
    pub profile_mean: Option<f64>,
    /// ProfileMean against the reference of the next fold; `None` without either.
    pub next_fold: Option<f64>,
    pub brain_ref_score: Option<f64>,
    pub shape_distance: Option<f64>,
    /// BrainRefScore; ProfileMean without other subjects.
    pub score: Option<f64>,
}

/// All entries.
pub(super) fn all(aligned: &Aligned) -> Vec<Entry> {
    let of = |entry: &UnitScore| Entry {
        kind: aligned.kind_of(entry).label(),
        accuracy: entry.accuracy,
        selected_rank: entry.selected_rank,
        profile_mean: entry.profile_mean(),
        next_fold: super::high_accuracy::of_both_folds(entry).map(|(_, next)| next),
        brain_ref_score: brain_ref_score(entry),
        shape_distance: shape_distance(entry),
        score: aligned.score(entry),
    };
    aligned.entries.iter().map(of).collect()
}
