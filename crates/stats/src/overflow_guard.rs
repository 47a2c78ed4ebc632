//! Numbers so large or small that their squares leave the range of floating point.

use std::ops::RangeInclusive;

/// Magnitudes whose squares, and sums of squares, keep all their digits.
const SAFE_TO_SQUARE: RangeInclusive<f64> = 1e-100..=1e100;

/// The divisor of numbers before they are squared, when only ratios of squares matter: the largest number, or `None` if
/// no scaling is needed.
pub(crate) fn divisor(values: impl Iterator<Item = f64>) -> Option<f64> {
    let largest = values.map(f64::abs).fold(0.0, f64::max);
    (largest > 0.0 && !SAFE_TO_SQUARE.contains(&largest)).then_some(largest)
}
