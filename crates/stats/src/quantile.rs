//! Quantiles.

use crate::StatsError;
use crate::error::check_finite;

/// The `q`-quantile of a sample, by linear interpolation between order statistics: position
/// (n − 1)·q in the sorted sample, which is numpy's default (`method="linear"`).
///
/// - Shapes: `n` values in any order; `q` from 0 (minimum) to 1 (maximum).
/// - Range: the sample's range.
/// - Errors: an empty sample, a value that is not finite, `q` outside 0 to 1.
/// - Reference: `numpy.quantile` 2.4.6, bit for bit.
///
/// ```
/// use neurogauge_stats::quantile;
/// assert_eq!(quantile(&[4.0, 1.0, 2.0], 0.75).unwrap(), 3.0);
/// ```
pub fn quantile(values: &[f64], q: f64) -> Result<f64, StatsError> {
    if !(0.0..=1.0).contains(&q) {
        return Err(StatsError::option("q", q, "a number from 0 to 1"));
    }
    if values.is_empty() {
        return Err(StatsError::empty_sample());
    }
    check_finite(values)?;
    let mut sorted = values.to_vec();
    sorted.sort_unstable_by(f64::total_cmp);
    Ok(quantile_of_sorted(&sorted, q))
}

/// [`quantile`] of at least one finite value, in ascending order.
pub(crate) fn quantile_of_sorted(sorted: &[f64], q: f64) -> f64 {
    let place = QuantilePlace::of(sorted.len(), q);
    place.between(sorted[place.below], sorted[place.above])
}

/// The two order statistics between which a quantile is interpolated.
pub(crate) struct QuantilePlace {
    pub(crate) below: usize,
    pub(crate) above: usize,
    fraction: f64,
}

impl QuantilePlace {
    /// The place for `n` values, at least one.
    pub(crate) fn of(n: usize, q: f64) -> Self {
        let position = (n - 1) as f64 * q;
        QuantilePlace {
            below: position.floor() as usize,
            above: position.ceil() as usize,
            fraction: position - position.floor(),
        }
    }

    pub(crate) fn between(&self, low: f64, high: f64) -> f64 {
        // Interpolated from the nearer end, as in numpy, which keeps the result monotonic in q.
        if self.fraction < 0.5 {
            low + (high - low) * self.fraction
        } else {
            high - (high - low) * (1.0 - self.fraction)
        }
    }
}
