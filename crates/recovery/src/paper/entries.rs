//! Scores of every entry (a source and a target unit), shown as points and quartiles, and whether profiles hold on the
//! next fold (Figure 12).

use crate::aligned::Aligned;
use neurogauge::Error;
use neurogauge::align::{Correlations, UnitScore};
use neurogauge::stats::{mean, quantile};
use serde_json::{Value, json};

/// All entries. `score` is BrainRefScore, or ProfileMean without other subjects; `next_fold` is ProfileMean against the
/// reference of the next fold, and `next_ratio` that over the same fold's.
pub(super) fn all(aligned: &Aligned) -> Vec<Value> {
    let of = |entry: &UnitScore| {
        json!({
            "kind": aligned.kind_of(entry).label(),
            "accuracy": entry.accuracy,
            "selected_rank": entry.selected_rank,
            "profile_mean": entry.profile_mean(),
            "next_fold": of_both_folds(entry).map(|(_, next)| next),
            "next_ratio": next_ratio(entry),
            "brain_ref_score": entry.brain_ref_score(),
            "shape_distance": entry.shape_distance(),
            "score": aligned.score(entry),
        })
    };
    aligned.entries.iter().map(of).collect()
}

/// The lowest accuracy in the highest quarter of models' entries; null without a model that has a BrainRefScore.
pub(super) fn high_accuracy(aligned: &Aligned) -> Result<Value, Error> {
    let scored = aligned.of_models().filter(|entry| entry.brain_ref_score().is_some());
    let accuracies: Vec<f64> = scored.map(|entry| entry.accuracy).collect();
    Ok(match accuracies.is_empty() {
        true => Value::Null,
        false => json!({"threshold": quantile(&accuracies, 0.75)?, "n_entries": accuracies.len()}),
    })
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
