//! The best subset of each size, and its value on other items.

use super::agreement::{COMBINED_STATISTICS, StatisticValue, Target};
use super::cross_validation::{CrossValidated, Split, none, over_folds};
use super::scaling::Scaled;
use super::search::{Found, search};
use super::{CompleteScores, Folds, Scaling};
use crate::StatsError;
use crate::meta::Statistic;
use neurogauge_core::Undefined;
use serde::Serialize;

/// Up to this many metrics, all subsets are searched. With more metrics, only subsets of the smaller sizes are, as long
/// as there are no more than 32,767 in total.
pub const EXHAUSTIVE_METRICS: usize = 15;

/// The best subsets of a set of metrics.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct SubsetSearch {
    pub select_by: Statistic,
    pub n_metrics: usize,
    /// Items that people and all metrics have a score for.
    pub n_items: usize,
    /// Rated items that lack a metric.
    pub n_left_out: usize,
    /// The best subset of each size, from 1; sizes that were not searched are left out.
    pub sizes: Vec<BestSubset>,
    /// The best subset of any size; each training fold chooses the size too.
    pub overall: BestSubset,
}

/// A subset that was chosen for being the best.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct BestSubset {
    /// Its members, by name; empty if no subset has a value.
    pub metrics: Vec<String>,
    /// Number of subsets that it was chosen from.
    pub n_subsets: u64,
    /// Values on the items used for the choice; they are too high, since the best of many is partly luck.
    pub in_sample: Vec<StatisticValue>,
    /// Values on held-out items; in each fold, the choice is made on the other items.
    pub cross_validated: CrossValidated,
    pub chosen_in_folds: Vec<Vec<String>>,
}

/// The subset of each size whose equal-weight average agrees best with people.
///
/// Up to [`EXHAUSTIVE_METRICS`] metrics, all subsets are searched. The best of many subsets is partly luck, so a
/// cross-validated value is given too: in each fold, the choice (and the scale) is made on the other folds' items and
/// measured on the fold's items, and the values are averaged over folds.
///
/// - Shapes: m metrics over n items, higher is better; `folds` label the same n items.
/// - Conventions: ties go to the smallest subset, then to the first by the names of its members in alphabetical order.
///   `combination-scaling`, `combination-selection`.
/// - Undefined: in-sample as [`pairwise_averages`](super::pairwise_averages); cross-validated figures if a fold has
///   fewer than two items.
/// - Errors: folds with a different number of items.
/// - Reference: `itertools.combinations` with `scipy.stats` 1.17.1: the same subsets, figures to
///   1e-12.
///
/// ```
/// use neurogauge_stats::combination::{CompleteScores, Folds, Scaling, best_subsets};
/// use neurogauge_stats::meta::Statistic;
/// let scores = CompleteScores {
///     names: vec!["b".into(), "a".into(), "c".into()],
///     items: vec![0, 1, 2, 3],
///     columns: vec![vec![0.0, 3.0, 7.0, 6.0], vec![2.0, 1.0, 5.0, 8.0], vec![4.0, 3.0, 2.0, 1.0]],
///     human: vec![1.0, 2.0, 3.0, 4.0],
///     n_left_out: 0,
/// };
/// let folds = Folds::new(vec![0, 1, 0, 1], 2).unwrap();
/// let found = best_subsets(&scores, &folds, Scaling::Raw, Statistic::KendallTauB).unwrap();
/// assert_eq!(found.overall.metrics, ["a", "b"]);
/// assert_eq!(found.overall.in_sample[1].value, Ok(1.0));
/// assert_eq!(found.sizes[0].metrics, ["a"], "a and b alone are equally good");
/// ```
pub fn best_subsets(
    scores: &CompleteScores,
    folds: &Folds,
    scaling: Scaling,
    select_by: Statistic,
) -> Result<SubsetSearch, StatsError> {
    let order = scores.by_name();
    let n_metrics = order.len();
    let largest = largest_size(n_metrics);
    let scaled = Scaled::own(&scores.columns, scaling);
    let target = Target::new(scores.human.clone())?;
    let found = search(&scaled, &target, select_by, &order, largest)?;
    let mut held_out = vec![Vec::new(); largest + 1];
    let fit = folds.check(scores.human.len())?;
    if fit.is_ok() {
        for fold in 0..folds.n_folds() {
            let split = Split::new(scores, folds, fold, scaling)?;
            let training = Target::new(split.training_human.clone())?;
            let chosen = search(&split.training, &training, select_by, &order, largest)?;
            let overall = overall(&chosen);
            for (of_size, chosen) in held_out.iter_mut().zip(chosen.into_iter().chain([overall])) {
                let parts = chosen.map_or_else(Vec::new, |found| found.parts);
                let combined = sum_or_reason(&split.held_out, &parts);
                of_size.push((parts, split.target.agreements(&combined)?));
            }
        }
    }
    let n_subsets: Vec<u64> = (1..=largest).map(|size| binomial(n_metrics, size)).collect();
    let all = n_subsets.iter().sum();
    let best_of_all = overall(&found);
    let chosen = found.into_iter().chain([best_of_all]);
    let mut sizes = Vec::with_capacity(largest + 1);
    for ((chosen, folds), n_subsets) in chosen.zip(held_out).zip(n_subsets.into_iter().chain([all])) {
        let names = |parts: &[usize]| parts.iter().map(|&p| scores.names[p].clone()).collect();
        let in_sample = match &chosen {
            Some(found) => target.agreements(&scaled.sum(&found.parts))?,
            // No subset has a value; all are undefined, for the same reason as the first.
            None => without_value(&target, &scaled, select_by, &order)?,
        };
        let (parts, readings): (Vec<Vec<usize>>, Vec<_>) = folds.into_iter().unzip();
        sizes.push(BestSubset {
            metrics: chosen.map_or_else(Vec::new, |found| names(&found.parts)),
            n_subsets,
            in_sample,
            cross_validated: match &fit {
                Ok(()) => over_folds(&readings),
                Err(reason) => none(reason),
            },
            chosen_in_folds: parts.iter().map(|parts| names(parts)).collect(),
        });
    }
    let overall = sizes.pop().unwrap_or_else(|| BestSubset {
        metrics: Vec::new(),
        n_subsets: 0,
        in_sample: Vec::new(),
        cross_validated: Vec::new(),
        chosen_in_folds: Vec::new(),
    });
    Ok(SubsetSearch {
        select_by,
        n_metrics,
        n_items: scores.items.len(),
        n_left_out: scores.n_left_out,
        sizes,
        overall,
    })
}

/// The best over all sizes; ties go to the smallest.
fn overall(sizes: &[Option<Found>]) -> Option<Found> {
    let mut best: Option<&Found> = None;
    for found in sizes.iter().flatten() {
        if best.is_none_or(|best| found.value > best.value) {
            best = Some(found);
        }
    }
    best.cloned()
}

fn sum_or_reason(scaled: &Scaled, parts: &[usize]) -> Result<Vec<f64>, Undefined> {
    if parts.is_empty() {
        return Err(Undefined::NoSubset);
    }
    scaled.sum(parts)
}

fn without_value(
    target: &Target,
    scaled: &Scaled,
    by: Statistic,
    order: &[usize],
) -> Result<Vec<StatisticValue>, StatsError> {
    let first = sum_or_reason(scaled, &order[..order.len().min(1)]);
    let reason = match first {
        Ok(combined) => target.agreement(by, &combined)?.err(),
        Err(reason) => Some(reason),
    };
    let value = Err(reason.unwrap_or(Undefined::NoSubset));
    let each = COMBINED_STATISTICS.into_iter();
    Ok(each
        .map(|statistic| StatisticValue {
            statistic,
            value: value.clone(),
        })
        .collect())
}

/// The largest size whose subsets are all searched.
pub fn largest_size(n_metrics: usize) -> usize {
    let mut left = (1_u64 << EXHAUSTIVE_METRICS) - 1;
    for size in 1..=n_metrics {
        let subsets = binomial(n_metrics, size);
        if size > 1 && subsets > left {
            return size - 1;
        }
        left = left.saturating_sub(subsets);
    }
    n_metrics
}

pub fn binomial(n: usize, k: usize) -> u64 {
    let mut result = 1_u64;
    for i in 0..k.min(n - k) as u64 {
        // A saturated value exceeds any limit.
        result = result.saturating_mul(n as u64 - i) / (i + 1);
    }
    result
}
