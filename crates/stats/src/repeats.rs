//! Summaries of values that are computed repeatedly with different random draws.

use crate::distributions::normal_quantile;
use crate::summation::{sum, sum_over};
use serde::Serialize;

#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct RepeatSummary {
    pub mean: f64,
    /// Standard deviation (divided by n).
    pub sd: f64,
    /// An interval for the mean of infinitely many repeats; `None` for a single repeat.
    pub interval: Option<(f64, f64)>,
}

/// Mean and standard deviation of repeated shares, and the normal interval of the mean, mean ± z · sd / √n, as far as it is
/// within 0 to 1.
///
/// The interval only covers the randomness of the draws: more repeats shrink it to zero. The variability over other
/// items is a different question ([`estimate`](crate::estimate()) answers it).
///
/// - Shapes: `n` values from 0 to 1. `None` if there are none.
/// - Reference: `scipy.stats.norm.interval(level, loc=np.mean(v), scale=np.std(v) / np.sqrt(n))`,
///   to 1e-12.
///
/// ```
/// let summary = neurogauge_stats::summarise_repeats(&[0.25, 0.75], 0.95).unwrap();
/// assert_eq!((summary.mean, summary.sd), (0.5, 0.25));
/// let (low, high) = summary.interval.unwrap();
/// assert!((high - low - 2.0 * 1.959963984540054 * 0.25 / 2.0_f64.sqrt()).abs() < 1e-12);
/// ```
pub fn summarise_repeats(values: &[f64], level: f64) -> Option<RepeatSummary> {
    if values.is_empty() {
        return None;
    }
    let n = values.len() as f64;
    let mean = sum(values) / n;
    let sd = (sum_over(values, |value| (value - mean) * (value - mean)) / n).sqrt();
    let reach = normal_quantile(0.5 + level / 2.0) * sd / n.sqrt();
    Some(RepeatSummary {
        mean,
        sd,
        interval: (values.len() > 1).then_some(((mean - reach).max(0.0), (mean + reach).min(1.0))),
    })
}
