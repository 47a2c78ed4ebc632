//! Means over pairs. Several pairs may show the same stimulus.

use crate::mean_estimate::bounded;
use crate::mean_of_means::MeanOfMeans;
use crate::summation::sum;
use crate::{BootstrapOptions, StatsError, estimate_within};
use neurogauge_core::{Estimate, Outcome};
use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};

/// Does each pair show a different stimulus?
pub(crate) fn are_distinct(stimuli: &[usize]) -> bool {
    let mut known = HashSet::with_capacity(stimuli.len());
    stimuli.iter().all(|stimulus| known.insert(stimulus))
}

/// The finest grouping of the same items that splits no group of any of these: each item gets the position of the first
/// item of its group.
///
/// ```
/// // Items 0 and 3 are together by the first grouping, 3 and 1 by the second.
/// assert_eq!(neurogauge_stats::joined(&[vec![7, 1, 2, 7], vec![0, 5, 1, 5]]), [0, 0, 2, 0]);
/// ```
pub fn joined(groupings: &[Vec<usize>]) -> Vec<usize> {
    let mut found: Vec<usize> = (0..groupings.first().map_or(0, Vec::len)).collect();
    loop {
        let before = found.clone();
        for grouping in groupings {
            let mut first: HashMap<usize, usize> = HashMap::new();
            for (group, own) in grouping.iter().zip(&found) {
                let first = first.entry(*group).or_insert(*own);
                *first = (*first).min(*own);
            }
            for (group, own) in grouping.iter().zip(&mut found) {
                *own = first[group];
            }
        }
        if found == before {
            return found;
        }
    }
}

/// One value for each stimulus, v_g = m + (G / n) Σ_{i of g} (x_i − m), where m is the mean of the n pairs and G the
/// number of stimuli.
///
/// Their mean is m, and their variance over G is the variance of m over stimuli, linearised if stimuli have different
/// numbers of pairs; if all have the same number, v_g is the mean of the stimulus. If every pair has a different
/// stimulus, the values are returned unchanged.
pub(crate) fn values_of_stimuli(values: &[f64], stimuli: &[usize]) -> Vec<f64> {
    if are_distinct(stimuli) {
        return values.to_vec();
    }
    let mean = sum(values) / values.len() as f64;
    let deviations = values.iter().map(|value| Some(value - mean));
    around(mean, deviations, stimuli)
}

/// The values of stimuli from the contributions of their pairs; `None` for a pair without a value.
fn around(mean: f64, contributions: impl Iterator<Item = Option<f64>>, stimuli: &[usize]) -> Vec<f64> {
    let mut sums: BTreeMap<usize, f64> = BTreeMap::new();
    for (contribution, stimulus) in contributions.zip(stimuli) {
        if let Some(contribution) = contribution {
            *sums.entry(*stimulus).or_default() += contribution;
        }
    }
    let scale = sums.len() as f64 / stimuli.len() as f64;
    sums.values().map(|sum| mean + scale * sum).collect()
}

/// One pseudo-value for each stimulus, in the order of their first pairs: the mean of its pairs' pseudo-values, shifted
/// so that the mean over stimuli is `mean`. A pair without a value is skipped.
///
/// - Shapes: `pseudo` and `stimuli` hold one entry for each pair; equal entries of `stimuli` are one stimulus.
///
/// ```
/// use neurogauge_stats::u_statistic::of_stimuli;
/// // The last two pairs are of one stimulus.
/// let pseudo = [Ok(0.5), Ok(0.7), Ok(0.7)];
/// let found = of_stimuli(0.6, &pseudo, &[0, 1, 1]);
/// assert!((found[0] - 0.5).abs() < 1e-15 && (found[1] - 0.7).abs() < 1e-15);
/// ```
pub fn of_stimuli(mean: f64, pseudo: &[Outcome], stimuli: &[usize]) -> Vec<f64> {
    let mut found: BTreeMap<usize, (f64, f64)> = BTreeMap::new();
    for (pseudo, stimulus) in pseudo.iter().zip(stimuli) {
        if let Ok(value) = pseudo {
            let (total, n) = found.entry(*stimulus).or_default();
            (*total, *n) = (*total + value, *n + 1.0);
        }
    }
    let values: Vec<f64> = found.values().map(|(total, n)| total / n).collect();
    let centre = sum(&values) / values.len() as f64;
    values.iter().map(|value| value - centre + mean).collect()
}

/// [`estimate_within`] of pairs that may show the same stimulus: the interval is over stimuli, each with all its pairs.
///
/// The value is the mean over all pairs. The interval is that of the mean of one value for each of G stimuli, m + (G /
/// n) Σ ψ_i over its pairs, with the contributions ψ of [`estimate`](crate::estimate()): pairs of one stimulus are not
/// independent, so their number says little.
///
/// - Shapes: as [`estimate`](crate::estimate()); `stimuli` has the stimulus of each pair.
/// - Undefined, errors: as for [`estimate_within`], with stimuli instead of pairs.
/// - Reference: cluster-robust variance of a mean (statsmodels 0.14, `cov_type="cluster"`, without its small-sample
///   factors n − 1 / n − k).
///
/// ```
/// use neurogauge_stats::estimate_over_stimuli;
/// // Two pairs of each of three stimuli, which have the means 0.2, 0.5 and 0.8: t with two degrees of freedom, 4.3027 · 0.3 / √3.
/// let column = [0.1, 0.3, 0.5, 0.5, 0.7, 0.9].map(Ok);
/// let found = estimate_over_stimuli(&[&column], &[0, 0, 1, 1, 2, 2], (-9.0, 9.0), &Default::default()).unwrap();
/// assert!((found.interval.unwrap().1 - (0.5 + 4.3027 * 0.3 / 3_f64.sqrt())).abs() < 1e-4);
/// assert_eq!(found.n, 6);
/// ```
pub fn estimate_over_stimuli(
    columns: &[&[Outcome]],
    stimuli: &[usize],
    range: (f64, f64),
    options: &BootstrapOptions,
) -> Result<Estimate, StatsError> {
    let found = estimate_within(columns, range, options)?;
    let Ok(mean) = found.value else {
        return Ok(found);
    };
    if are_distinct(stimuli) {
        return Ok(found);
    }
    let values = around(mean, MeanOfMeans::of(columns).contributions(), stimuli);
    let over_stimuli = Estimate {
        n: values.len(),
        interval: MeanOfMeans::of_differences(values).interval(options)?,
        ..found.clone()
    };
    let interval = match columns.len() {
        1 => bounded(over_stimuli, range, options)?.interval,
        _ => over_stimuli.within(range).interval,
    };
    Ok(Estimate { interval, ..found })
}

/// A mean, with a value for each stimulus that it is over: the mean of these values is the mean, and their variance
/// over their number is its variance.
pub(crate) struct MeanOverStimuli {
    pub(crate) mean: f64,
    pub(crate) values: BTreeMap<usize, f64>,
}

impl MeanOverStimuli {
    /// The mean over the pairs of a column that have a value, with the jackknife's pseudo-values for an identification;
    /// `None` if no pair has a value.
    pub(crate) fn of(column: &[Outcome], pseudo: Option<&[Outcome]>, stimuli: &[usize]) -> Option<Self> {
        let has = |pair: &usize| column[*pair].is_ok() && pseudo.is_none_or(|own| own[*pair].is_ok());
        let kept: Vec<usize> = (0..column.len()).filter(has).collect();
        let of_kept = |column: &[Outcome]| kept.iter().map(|&pair| column[pair].clone()).collect::<Vec<Outcome>>();
        let found: Vec<f64> = of_kept(column).into_iter().flatten().collect();
        let mut stimuli: Vec<usize> = kept.iter().map(|&pair| stimuli[pair]).collect();
        let mean = sum(&found) / found.len() as f64;
        let values = match pseudo {
            Some(pseudo) => of_stimuli(mean, &of_kept(pseudo), &stimuli),
            None => values_of_stimuli(&found, &stimuli),
        };
        if pseudo.is_some() || !are_distinct(&stimuli) {
            // The values then follow the order of stimuli, not of pairs.
            stimuli.sort_unstable();
            stimuli.dedup();
        }
        (!found.is_empty()).then(|| MeanOverStimuli {
            mean,
            values: stimuli.into_iter().zip(values).collect(),
        })
    }

    /// The mean of means, m = (1/K) Σ m_k, each over its own stimuli, with a value v_g for each of `all` G stimuli: v_g
    /// = m + (1/K) Σ_k √(G (G − 1) / (G_k (G_k − 1))) (x_kg − m_k), summed over the means that have a value x_kg there.
    ///
    /// Their variance over G is the variance of m over stimuli: exactly that of K independent means if no two means
    /// share a stimulus, and that of the mean of v_g = (1/K) Σ x_kg if all means are over all stimuli. `None` if a mean
    /// has fewer than two stimuli.
    pub(crate) fn mean_of(means: &[&Self], all: &BTreeSet<usize>) -> Option<Self> {
        let (k, n) = (means.len() as f64, all.len() as f64);
        let mean = means.iter().map(|part| part.mean).sum::<f64>() / k;
        let mut values: BTreeMap<usize, f64> = all.iter().map(|&place| (place, mean)).collect();
        for part in means {
            let own = part.values.len() as f64;
            if own < 2.0 {
                return None;
            }
            let scale = (n * (n - 1.0) / (own * (own - 1.0))).sqrt() / k;
            for (place, value) in &part.values {
                *values.entry(*place).or_insert(mean) += scale * (value - part.mean);
            }
        }
        Some(MeanOverStimuli { mean, values })
    }
}
