//! Distance of deep features: EffNet and SwAV.

use crate::MetricError;
use crate::error::check_same_length;
use neurogauge_core::{FeatureValue, Outcome};

/// One minus Pearson's correlation of the feature vectors of a stimulus and its reconstruction.
/// The EffNet and SwAV columns of the field's table are the means of this distance over pairs; SEED
/// uses the similarity, 1 − d.
///
/// - Shapes: two vectors of `n_features` values.
/// - Range: 0 to 2, lower is better; 1 for unrelated features.
/// - Conventions: `effnet-direction`, `features-precision` (features are centred over the units of one image,
///   not over images).
/// - Undefined: a vector that is empty, holds a non-finite value, or is constant.
/// - Errors: vectors of different lengths.
/// - Reference: `scipy.spatial.distance.correlation` 1.17.1 to 1e-6: on `f32` vectors it computes in `f32`, this
///   function in `f64`.
///
/// ```
/// use neurogauge_metrics::decoding::feature_distance::correlation_distance;
/// let d = correlation_distance(&[1.0, 2.0, 3.0], &[1.0, 3.0, 2.0]).unwrap().unwrap();
/// assert!((d - 0.5).abs() < 1e-15);
/// ```
pub fn correlation_distance<T: FeatureValue>(gt: &[T], recon: &[T]) -> Result<Outcome, MetricError> {
    check_same_length(gt, recon)?;
    Ok(neurogauge_stats::correlation_distance(gt, recon)?)
}
