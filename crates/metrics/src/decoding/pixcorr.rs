//! Pixel correlation.

use crate::MetricError;
use crate::error::check_same_size;
use neurogauge_core::{Image, Outcome};
use neurogauge_stats::pearson;

/// PixCorr: Pearson's correlation of all RGB values of a stimulus with those of its reconstruction.
///
/// - Shapes: two images of the same size; the field resizes both to 425 x 425 px before.
/// - Range: -1 to 1, higher is better; 0 for unrelated images.
/// - Conventions: `pixel-size`, `antialias`, `foreground`, `pixcorr-rgb` (the three channels are correlated as one vector, in `f64`).
/// - Undefined: an image without pixels, with a non-finite value, or with a single value in all three channels. NumPy
///   gives NaN there, which later comparisons count as a failure.
/// - Errors: images of different sizes.
/// - Reference: `numpy.corrcoef` 2.4.6 on the flattened `f32` images, to 1e-12; it computes in `f64` too, but adds in a
///   different order.
///
/// ```
/// use neurogauge_core::Image;
/// use neurogauge_metrics::decoding::pixcorr::pixcorr;
/// let gt = Image::new(1, 1, vec![0.1, 0.2, 0.3]).unwrap();
/// let recon = Image::new(1, 1, vec![0.5, 0.4, 0.3]).unwrap();
/// assert!((pixcorr(&gt, &recon).unwrap().unwrap() + 1.0).abs() < 1e-12);
/// ```
pub fn pixcorr(gt: &Image<f32>, recon: &Image<f32>) -> Result<Outcome, MetricError> {
    check_same_size(gt, recon)?;
    Ok(pearson(gt.data(), recon.data())?)
}
