//! Statistics of a whole sample that are not means, with bootstrap intervals.

use crate::resample::resample;
use crate::{BootstrapOptions, StatsError};
use neurogauge_core::{Estimate, Undefined};

/// A statistic of all items, with a percentile bootstrap interval over items: for example BLEU of a corpus.
///
/// - Shapes: `statistic` gets positions below `n_items`, each as often as it was drawn.
/// - Interval: as in [`estimate`](crate::estimate), from the same draws; resamples for which `statistic` is `None` are
///   left out.
/// - Undefined: `NoPairs` if `statistic` is `None` for all items together. The interval is `None` for fewer than two
///   items.
/// - Errors: an option out of its range, more than 2³² pairs.
///
/// ```
/// use neurogauge_stats::{BootstrapOptions, estimate_statistic};
/// let (hits, boxes) = ([1.0, 0.0, 3.0], [2.0, 1.0, 5.0]);
/// let share = |drawn: &[u32]| {
///     let sum = |values: &[f64]| drawn.iter().map(|&i| values[i as usize]).sum::<f64>();
///     Some(sum(&hits) / sum(&boxes))
/// };
/// let estimate = estimate_statistic(3, share, &BootstrapOptions::default()).unwrap();
/// assert_eq!(estimate.value, Ok(0.5));
/// ```
pub fn estimate_statistic(
    n_items: usize,
    statistic: impl Fn(&[u32]) -> Option<f64> + Sync,
    options: &BootstrapOptions,
) -> Result<Estimate, StatsError> {
    options.check()?;
    let Ok(n) = u32::try_from(n_items) else {
        return Err(StatsError::too_many_pairs(n_items));
    };
    let all: Vec<u32> = (0..n).collect();
    let value = statistic(&all).ok_or(Undefined::NoPairs);
    let interval = if n < 2 || value.is_err() {
        None
    } else {
        let replicates = resample(n_items, options, &statistic)?;
        options.percentile_interval(replicates.into_iter().flatten().collect())
    };
    Ok(Estimate::of(value, interval, n_items))
}
