//! Numbers so large or small that their squares leave the range of floating point.

use std::ops::RangeInclusive;

/// Sizes of numbers whose squares have all their digits, and sums of these too.
const SAFE_TO_SQUARE: RangeInclusive<f64> = 1e-100..=1e100;

/// What to divide numbers by before they are squared, where only ratios of their squares matter: the largest, or `None`
/// where nothing has to be done.
pub(crate) fn divisor(values: impl Iterator<Item = f64>) -> Option<f64> {
    let largest = values.map(f64::abs).fold(0.0, f64::max);
    (largest > 0.0 && !SAFE_TO_SQUARE.contains(&largest)).then_some(largest)
}
