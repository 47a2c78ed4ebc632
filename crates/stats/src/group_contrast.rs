//! The difference between the means of two groups of items.

use crate::error::{check_finite, check_lengths};
use crate::resample::{resample, sum_at};
use crate::summation::sum;
use crate::{BootstrapOptions, StatsError};
use neurogauge_core::{Estimate, Undefined};
use serde::Serialize;

/// The means of two groups and their difference.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct GroupContrast {
    /// Mean of the items that are in the first group.
    pub first: Estimate,
    pub second: Estimate,
    /// First minus second; `n` counts both.
    pub difference: Estimate,
}

/// Means of two groups of items, such as pairs of the same and of different class (SEED, Sec. 5.3).
///
/// - Shapes: `values` and `is_first` have an entry for each of the n items.
/// - Intervals: items are drawn with replacement, as many as there are, and the interval is between percentiles; the
///   sizes of the groups vary from resample to resample as they would from experiment to experiment. Resample r draws
///   from stream r of the seed, so all three intervals, and intervals of other values of the same items, use the same
///   resamples. A resample without an item of a group is left out if that group is needed. With fewer than two items in
///   a group there is no interval.
/// - Conventions: `interval`.
/// - Undefined: `NoPairs` for a group without items.
/// - Errors: samples of different lengths, a value that is not finite, an option out of its range, more than 2³² pairs.
/// - Reference: NumPy on the same draws, to 1e-12.
///
/// ```
/// use neurogauge_stats::{BootstrapOptions, group_contrast};
/// let is_first = [true, true, false, false];
/// let found = group_contrast(&[1.0, 2.0, 5.0, 7.0], &is_first, &BootstrapOptions::default()).unwrap();
/// assert_eq!(found.first.value, Ok(1.5));
/// assert_eq!(found.difference.value, Ok(-4.5));
/// let (low, high) = found.difference.interval.unwrap();
/// assert_eq!((low, high), (-6.0, -3.0));
/// ```
pub fn group_contrast(
    values: &[f64],
    is_first: &[bool],
    options: &BootstrapOptions,
) -> Result<GroupContrast, StatsError> {
    options.check()?;
    check_lengths(values.len(), is_first.len())?;
    check_finite(values)?;
    let groups = [true, false].map(|first| Group::of(values, is_first, first));
    let replicates = resample(values.len(), options, |drawn| [groups[0].mean_at(drawn), groups[1].mean_at(drawn)])?;
    let [first, second] = [0, 1].map(|g| groups[g].mean());
    let subtract = |means: [Option<f64>; 2]| Some(means[0]? - means[1]?);
    let [n_first, n_second] = [0, 1].map(|g| groups[g].n);
    let estimate = |value: Option<f64>, n: usize, enough: bool, means: Vec<f64>| {
        Estimate::of(value.ok_or(Undefined::NoPairs), options.percentile_interval(means).filter(|_| enough), n)
    };
    let of = |g: usize| replicates.iter().filter_map(move |means| means[g]).collect();
    let differences = replicates.iter().filter_map(|means| subtract(*means));
    Ok(GroupContrast {
        difference: estimate(
            subtract([first, second]),
            n_first + n_second,
            n_first.min(n_second) >= 2,
            differences.collect(),
        ),
        first: estimate(first, n_first, n_first >= 2, of(0)),
        second: estimate(second, n_second, n_second >= 2, of(1)),
    })
}

/// Values laid out for summing; values of the other group are 0 with weight 0.
struct Group {
    values: Vec<f64>,
    weights: Vec<f64>,
    n: usize,
}

impl Group {
    fn of(values: &[f64], is_first: &[bool], first: bool) -> Self {
        let weights: Vec<f64> = is_first.iter().map(|&is_first| is_first == first).map(f64::from).collect();
        Group {
            values: values.iter().zip(&weights).map(|(v, w)| v * w).collect(),
            n: weights.iter().filter(|&&weight| weight > 0.0).count(),
            weights,
        }
    }

    fn mean(&self) -> Option<f64> {
        (self.n > 0).then(|| sum(&self.values) / self.n as f64)
    }

    fn mean_at(&self, drawn: &[u32]) -> Option<f64> {
        let n = sum_at(&self.weights, drawn);
        (n > 0.0).then(|| sum_at(&self.values, drawn) / n)
    }
}
