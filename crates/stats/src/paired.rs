//! Checks of two samples over the same items.

use crate::StatsError;
use crate::error::check_lengths;
use neurogauge_core::{Side, Undefined};

/// Both samples as `f64`, at least two finite values each.
pub(crate) type Paired = (Vec<f64>, Vec<f64>);

/// Fails if the lengths differ; undefined as `Empty`, `NonFinite` (the first sample is side `Gt`, the second `Recon`)
/// or `NoPairs` (a single item) if there is nothing to compare.
pub(crate) fn check_paired<T: Copy + Into<f64>>(x: &[T], y: &[T]) -> Result<Result<Paired, Undefined>, StatsError> {
    check_lengths(x.len(), y.len())?;
    Ok(check_sample(x, Side::Gt).and_then(|x| Ok((x, check_sample(y, Side::Recon)?))))
}

/// One sample as `f64`, or the reason why it is unusable.
pub(crate) fn check_sample<T: Copy + Into<f64>>(sample: &[T], side: Side) -> Result<Vec<f64>, Undefined> {
    let values: Vec<f64> = sample.iter().map(|&v| v.into()).collect();
    if values.is_empty() {
        return Err(Undefined::Empty(side));
    }
    if values.iter().any(|v| !v.is_finite()) {
        return Err(Undefined::NonFinite(side));
    }
    if values.len() < 2 {
        return Err(Undefined::NoPairs);
    }
    Ok(values)
}

/// Are all values equal?
pub(crate) fn is_constant(values: &[f64]) -> bool {
    values.windows(2).all(|two| two[0] == two[1])
}
