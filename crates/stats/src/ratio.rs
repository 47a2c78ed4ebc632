//! A ratio of sums over items of different sizes.

use crate::distributions::t_exceeded_with;
use crate::error::not_finite;
use crate::summation::sum;
use crate::wilson::score_interval;
use crate::{BootstrapOptions, StatsError};
use neurogauge_core::{Estimate, Undefined};

/// Differences this small relative to a value are rounding.
const ROUNDING: f64 = 1e-12;

/// The ratio of two sums over items, R = Σy / Σx, between 0 and 1, with an interval over items: for example a share of
/// boxes, or a mean over all boxes, if images have different numbers of boxes.
///
/// The standard error is the delete-one jackknife's over the k items that have parts: se² = (k − 1)/k · Σ(R₋ᵢ − R̄₋)².
/// The interval is Wilson's for a share of n* = R (1 − R) / se² independent trials, with Student's quantile of k* − 1
/// degrees of freedom, at least one, instead of the normal one, where k* = (Σx)² / Σx² is the equivalent number of
/// items of equal size (Kish, 1965). So the interval stays within 0 and 1, is longer towards the middle, and is wider
/// if few items have most of the parts. If all parts count, or none, n* is k*.
///
/// - Shapes: for each item, y and x, with 0 ≤ y ≤ x. Items without parts (x = 0) are ignored.
/// - Range: 0 to 1.
/// - Undefined: `NoPairs` without parts. No interval if fewer than two items have parts, or the ratio stays the same
///   when any one of them is left out (and is not 0 or 1).
/// - Errors: a ratio outside 0 to 1 (also for a single item), a value that is not finite.
/// - Reference: the leave-one-out jackknife in NumPy, `scipy.stats.t`, Wilson's formula; to 1e-12.
///
/// ```
/// use neurogauge_stats::{BootstrapOptions, estimate_ratio};
/// let hits_of_boxes = [(1.0, 2.0), (0.0, 1.0), (3.0, 5.0), (0.0, 0.0)];
/// let estimate = estimate_ratio(&hits_of_boxes, &BootstrapOptions::default()).unwrap();
/// assert_eq!((estimate.value, estimate.n), (Ok(0.5), 4));
/// ```
pub fn estimate_ratio(items: &[(f64, f64)], options: &BootstrapOptions) -> Result<Estimate, StatsError> {
    options.check()?;
    for (index, &(y, x)) in items.iter().enumerate() {
        if let Some(&found) = [y, x].iter().find(|value| !value.is_finite()) {
            return Err(not_finite(index, found));
        }
        if !(0.0..=x * (1.0 + ROUNDING)).contains(&y) {
            let expected = "no less than 0 and no more than all";
            return Err(StatsError::option("item of a ratio", format!("{y} of {x}"), expected));
        }
    }
    let with_parts: Vec<(f64, f64)> = items.iter().copied().filter(|item| item.1 > 0.0).collect();
    let total = |of: fn(&(f64, f64)) -> f64| sum(&with_parts.iter().map(of).collect::<Vec<f64>>());
    let (y, x, squares) = (total(|i| i.0), total(|i| i.1), total(|i| i.1 * i.1));
    let estimate = |value, interval| Estimate::of(value, interval, items.len());
    let k = with_parts.len() as f64;
    if with_parts.is_empty() {
        return Ok(estimate(Err(Undefined::NoPairs), None));
    }
    let ratio = (y / x).min(1.0);
    if with_parts.len() < 2 {
        return Ok(estimate(Ok(ratio), None));
    }
    let without: Vec<f64> = with_parts.iter().map(|item| (y - item.0) / (x - item.1)).collect();
    let centre = sum(&without) / k;
    let deviations: Vec<f64> = without.iter().map(|own| (own - centre).powi(2)).collect();
    let standard_error = ((k - 1.0) / k * sum(&deviations)).sqrt();
    let n_equal = x * x / squares;
    let trials = match ratio == 0.0 || ratio == 1.0 {
        true => n_equal,
        false => ratio * (1.0 - ratio) / (standard_error * standard_error),
    };
    let has_interval = ratio == 0.0 || ratio == 1.0 || standard_error > ROUNDING * ratio;
    let student = t_exceeded_with((1.0 - options.level) / 2.0, (n_equal - 1.0).max(1.0));
    let interval = has_interval.then(|| score_interval(ratio, trials, student));
    Ok(estimate(Ok(ratio), interval))
}
