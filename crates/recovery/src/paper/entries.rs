//! Scores of every entry (a source and a target unit), shown as points and quartiles, and whether profiles hold on the
//! next fold (Figure 12).

use crate::aligned::Aligned;
use neurogauge::Error;
use neurogauge::align::{Correlations, UnitScore};
use neurogauge::stats::{mean, quantile};
use serde_json::{Value, json};

/// All entries. `next_fold` is ProfileMean against the reference of the next fold, and `next_ratio` that over the same
/// fold's.
pub(super) fn all(aligned: &Aligned) -> Result<Vec<Value>, Error> {
    let of = |entry: &UnitScore| {
        let row = json!({
            "kind": aligned.kind_of(entry),
            "next_fold": of_both_folds(entry).map(|(_, next)| next),
            "next_ratio": next_ratio(entry),
        });
        aligned.with(row, |quantity| Ok(quantity(entry)))
    };
    aligned.entries.iter().map(of).collect()
}

/// The lowest accuracy in the highest quarter of models' entries; null without a model that has a BrainRefScore.
pub(super) fn high_accuracy(aligned: &Aligned) -> Value {
    let scored = aligned.of_models().filter(|entry| entry.brain_ref_score().is_some());
    let accuracies: Vec<f64> = scored.map(|entry| entry.accuracy).collect();
    let threshold = quantile(&accuracies, 0.75).ok();
    json!(threshold.map(|threshold| json!({"threshold": threshold, "n_entries": accuracies.len()})))
}

/// ProfileMean of models against the next fold's reference beside that against their own; null if no entry has both.
pub(super) fn next_fold(aligned: &Aligned) -> Value {
    if !aligned.entries.iter().any(|entry| next_ratio(entry).is_some()) {
        return Value::Null;
    }
    let (same, next): (Vec<f64>, Vec<f64>) = aligned.of_models().filter_map(of_both_folds).unzip();
    let mut found = json!(Correlations::new(&same, &next));
    found["mean_ratio"] = json!(mean(aligned.of_models().filter_map(next_ratio)));
    found
}

/// ProfileMean of an entry against the reference of its own fold and of the next one.
fn of_both_folds(entry: &UnitScore) -> Option<(f64, f64)> {
    Some((entry.profile_mean()?, entry.recovered()?.next_fold?))
}

/// The next fold's over the same fold's, unless that is 0.
fn next_ratio(entry: &UnitScore) -> Option<f64> {
    of_both_folds(entry).filter(|(same, _)| *same != 0.0).map(|(same, next)| next / same)
}
