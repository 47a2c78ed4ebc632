//! Correlation of deep features: the basis of identification, without a pool.

use crate::MetricError;
use crate::error::check_same_length;
use neurogauge_core::{FeatureValue, Outcome};

/// Pearson's correlation of the feature vectors of a stimulus and its reconstruction. Identification
/// asks whether it is higher than the correlations with other stimuli, and so depends on which those
/// are; this does not.
///
/// - Shapes: two vectors of `n_features` values.
/// - Range: -1 to 1, higher is better. The chance level is not 0: features of unrelated images
///   correlate, those of rectified layers above all.
/// - Conventions: `pool-free-correlation`, `features-precision`.
/// - Undefined: a vector that is empty, holds a non-finite value, or is constant.
/// - Errors: vectors of different lengths.
/// - Reference: `numpy.corrcoef` 2.4.6 to 1e-12.
///
/// ```
/// use neurogauge_metrics::decoding::feature_correlation::correlation;
/// let r = correlation(&[1.0, 2.0, 3.0], &[1.0, 3.0, 2.0]).unwrap().unwrap();
/// assert!((r - 0.5).abs() < 1e-15);
/// ```
pub fn correlation<T: FeatureValue>(gt: &[T], recon: &[T]) -> Result<Outcome, MetricError> {
    check_same_length(gt, recon)?;
    Ok(neurogauge_stats::pearson(gt, recon)?)
}
