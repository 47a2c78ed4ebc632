//! Weights fitted to people, and their value on other items.

use super::agreement::{StatisticValue, Target};
use super::cross_validation::{CrossValidated, Split, none, over_folds};
use super::scaling::Scaled;
use super::{CompleteScores, Folds, Scaling};
use crate::summation::sum;
use crate::{StatsError, nonnegative_least_squares};
use neurogauge_core::Undefined;
use serde::Serialize;

/// Non-negative weights that add up to 1, compared with equal weights.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct FittedWeights {
    /// Items that people and all metrics have a score for.
    pub n_items: usize,
    /// Rated items that lack a metric.
    pub n_left_out: usize,
    /// One for each metric, fitted to all items.
    #[serde(with = "neurogauge_core::recorded")]
    pub weights: Result<Vec<MetricWeight>, Undefined>,
    /// Values on the items used for the fit; they are too high.
    pub in_sample: Vec<StatisticValue>,
    /// Values on held-out items, with weights fitted to the other items.
    pub cross_validated: CrossValidated,
    /// The equal-weight average of all metrics.
    pub equal: Vec<StatisticValue>,
    /// The equal-weight average within the held-out folds, to compare with `cross_validated`.
    pub equal_cross_validated: CrossValidated,
}

#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct MetricWeight {
    pub metric: String,
    /// Its share of the total weight of 1.
    pub weight: f64,
    /// The weight fitted without each fold in turn; `None` if no metric got a positive weight.
    pub in_folds: Vec<Option<f64>>,
}

/// Weights with which the weighted average of metrics is closest to the human score.
///
/// min ‖c + Σ_j b_j x_j − y‖² over c and b ≥ 0, x being the scaled metrics and y the human scores; the weights are b /
/// Σ b. Beside the value on the fitted items, a cross-validated one is given: each fold is scored and measured
/// separately, with weights (and scales) from the other folds, and the values are averaged over folds. Equal weights
/// are measured in the same folds.
///
/// - Shapes: m metrics over n items, higher is better; `folds` label the same n items.
/// - Conventions: `combination-scaling`, `combination-weights`. The weights belong to scaled metrics; for raw metrics
///   they depend on the units.
/// - Undefined: no metric agrees with people (`NoPositiveWeight`); cross-validated figures if a fold has fewer than two
///   items.
/// - Errors: folds with a different number of items.
/// - Reference: `scipy.optimize.nnls` 1.17.1, weights to 1e-9; figures to 1e-12.
///
/// ```
/// use neurogauge_stats::combination::{CompleteScores, Folds, Scaling, fit_weights};
/// let scores = CompleteScores {
///     names: vec!["a".into(), "b".into(), "c".into()],
///     items: vec![0, 1, 2, 3],
///     columns: vec![vec![0.0, 0.0, 2.0, 2.0], vec![0.0, 2.0, 0.0, 2.0], vec![2.0, 0.0, 1.0, 0.0]],
///     // 3a + b
///     human: vec![0.0, 2.0, 6.0, 8.0],
///     n_left_out: 0,
/// };
/// let folds = Folds::new(vec![0, 1, 1, 0], 2).unwrap();
/// let found = fit_weights(&scores, &folds, Scaling::Raw).unwrap();
/// let weights: Vec<f64> = found.weights.unwrap().iter().map(|w| w.weight).collect();
/// for (found, expected) in weights.iter().zip([0.75, 0.25, 0.0]) {
///     assert!((found - expected).abs() < 1e-12);
/// }
/// ```
pub fn fit_weights(scores: &CompleteScores, folds: &Folds, scaling: Scaling) -> Result<FittedWeights, StatsError> {
    let target = Target::new(scores.human.clone())?;
    let scaled = Scaled::own(&scores.columns, scaling);
    let fitted = weights(&scaled, &scores.human)?;
    let all: Vec<usize> = (0..scaled.n_columns()).collect();
    let equal = |scaled: &Scaled| match all.len() {
        0 => Err(Undefined::NoSubset),
        _ => scaled.sum(&all),
    };
    let weighted = |scaled: &Scaled, fitted: &Result<Vec<f64>, Undefined>| match fitted {
        Ok(weights) => scaled.weighted(weights),
        Err(reason) => Err(reason.clone()),
    };
    let fit = folds.check(scores.human.len())?;
    let mut in_folds = Vec::new();
    let (mut held_out, mut equal_held_out) = (Vec::new(), Vec::new());
    if fit.is_ok() {
        for fold in 0..folds.n_folds() {
            let split = Split::new(scores, folds, fold, scaling)?;
            let fitted = weights(&split.training, &split.training_human)?;
            held_out.push(split.target.agreements(&weighted(&split.held_out, &fitted))?);
            equal_held_out.push(split.target.agreements(&equal(&split.held_out))?);
            in_folds.push(fitted.ok());
        }
    }
    let cross_validated = |readings: &[Vec<StatisticValue>]| match &fit {
        Ok(()) => over_folds(readings),
        Err(reason) => none(reason),
    };
    Ok(FittedWeights {
        n_items: scores.items.len(),
        n_left_out: scores.n_left_out,
        in_sample: target.agreements(&weighted(&scaled, &fitted))?,
        cross_validated: cross_validated(&held_out),
        equal: target.agreements(&equal(&scaled))?,
        equal_cross_validated: cross_validated(&equal_held_out),
        weights: fitted.map(|weights| {
            let each = scores.names.iter().zip(weights).enumerate();
            each.map(|(m, (name, weight))| MetricWeight {
                metric: name.clone(),
                weight,
                in_folds: in_folds.iter().map(|fold| fold.as_ref().map(|weights| weights[m])).collect(),
            })
            .collect()
        }),
    })
}

fn weights(scaled: &Scaled, human: &[f64]) -> Result<Result<Vec<f64>, Undefined>, StatsError> {
    if human.len() < 2 {
        return Ok(Err(Undefined::TooFewItems));
    }
    if human.windows(2).all(|two| two[0] == two[1]) {
        return Ok(Err(Undefined::TiedRatings));
    }
    let columns = scaled.centred(human.len());
    if columns.iter().flatten().any(|v| !v.is_finite()) {
        return Ok(Err(Undefined::Overflow));
    }
    let mean = sum(human) / human.len() as f64;
    let human: Vec<f64> = human.iter().map(|score| score - mean).collect();
    let coefficients = nonnegative_least_squares(&columns, &human)?;
    let total: f64 = coefficients.iter().sum();
    if total == 0.0 {
        return Ok(Err(Undefined::NoPositiveWeight));
    }
    Ok(Ok(coefficients.iter().map(|b| b / total).collect()))
}
