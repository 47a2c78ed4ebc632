//! DreamSim, from the embeddings of its adapted networks.

use super::feature_distance::correlation_distance;
use crate::MetricError;
use neurogauge_core::{FeatureValue, Outcome};

/// DreamSim (Fu et al. 2023): one minus the cosine of the two images' embeddings, which are the features of one or
/// three vision transformers, adapted to human judgements of similarity, minus their mean.
///
/// d = 1 - cos(e - ē, e' - ē'), ē being the mean over the features of e. The embedding of the ensemble is the class
/// token of DINO ViT-B/16 after its last block, followed by the projected embeddings of CLIP and OpenCLIP ViT-B/16.
///
/// - Shapes: two vectors of `n_features` values: 1792 for the ensemble, 768 for DINO alone, 512 for CLIP or OpenCLIP
///   alone. Centring and length do not matter.
/// - Range: 0 to 2, lower is better; 0 for equal images. Chance depends on the images.
/// - Conventions: `dreamsim-form`, `dreamsim-adapter`, `features-precision`.
/// - Undefined: a vector that is empty, holds a non-finite value, or is constant.
/// - Errors: vectors of different lengths.
/// - Reference: the Python package `dreamsim` 0.2.1 with synthetic weights, to 1e-5: it computes in `f32`, this
///   function in `f64`.
///
/// ```
/// use neurogauge_metrics::decoding::dreamsim::dreamsim;
/// let d = dreamsim(&[1.0, 2.0, 3.0], &[1.0, 3.0, 2.0]).unwrap().unwrap();
/// assert!((d - 0.5).abs() < 1e-15);
/// ```
pub fn dreamsim<T: FeatureValue>(gt: &[T], recon: &[T]) -> Result<Outcome, MetricError> {
    correlation_distance(gt, recon)
}
