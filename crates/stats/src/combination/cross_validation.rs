//! Cross-validated figures: choices and scales come from the training folds, values from the held-out fold.

use super::agreement::{COMBINED_STATISTICS, StatisticValue, Target};
use super::scaling::Scaled;
use super::{CompleteScores, Folds, Scaling};
use crate::StatsError;
use crate::meta::Statistic;
use crate::summation::sum;
use neurogauge_core::{Outcome, Undefined};
use serde::Serialize;

/// One entry for each of [`COMBINED_STATISTICS`].
pub type CrossValidated = Vec<HeldOut>;

/// A statistic measured within each held-out fold, and the mean over folds.
///
/// Folds are not pooled: each has its own subset, weights and scale, so scores of two folds have no
/// common unit.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct HeldOut {
    pub statistic: Statistic,
    /// The mean over the folds in which the statistic has a value.
    #[serde(flatten, with = "neurogauge_core::recorded")]
    pub value: Outcome,
    /// The value in each fold.
    pub folds: Vec<Option<f64>>,
}

impl HeldOut {
    /// Number of folds without a value.
    pub fn n_undefined_folds(&self) -> usize {
        self.folds.iter().filter(|value| value.is_none()).count()
    }
}

/// The training items of a fold, and its held-out items on the scale of the training items.
pub(crate) struct Split {
    pub(crate) training: Scaled,
    pub(crate) training_human: Vec<f64>,
    pub(crate) held_out: Scaled,
    pub(crate) target: Target,
}

impl Split {
    pub(crate) fn new(
        scores: &CompleteScores,
        folds: &Folds,
        fold: usize,
        scaling: Scaling,
    ) -> Result<Self, StatsError> {
        let (training, training_human) = scores.only(&folds.training(fold));
        let (held_out, human) = scores.only(&folds.held_out(fold));
        Ok(Split {
            held_out: Scaled::by(&training, &held_out, scaling),
            training: Scaled::own(&training, scaling),
            training_human,
            target: Target::new(human)?,
        })
    }
}

/// Averages the values of all folds.
pub(crate) fn over_folds(folds: &[Vec<StatisticValue>]) -> CrossValidated {
    let each = COMBINED_STATISTICS.into_iter().enumerate();
    each.map(|(s, statistic)| {
        let outcomes = folds.iter().map(|fold| &fold[s].value);
        let values: Vec<Option<f64>> = outcomes.clone().map(|o| o.clone().ok()).collect();
        let defined: Vec<f64> = values.iter().flatten().copied().collect();
        let reason = outcomes.filter_map(|outcome| outcome.as_ref().err()).next();
        HeldOut {
            statistic,
            value: match reason {
                Some(reason) if defined.is_empty() => Err(reason.clone()),
                _ => Ok(sum(&defined) / defined.len() as f64),
            },
            folds: values,
        }
    })
    .collect()
}

/// All statistics, undefined for the same reason.
pub(crate) fn none(reason: &Undefined) -> CrossValidated {
    let each = COMBINED_STATISTICS.into_iter();
    each.map(|statistic| HeldOut {
        statistic,
        value: Err(reason.clone()),
        folds: Vec::new(),
    })
    .collect()
}
