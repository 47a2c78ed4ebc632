//! Peak signal-to-noise ratio.

use crate::MetricError;
use crate::error::check_same_size;
use neurogauge_core::{Image, Outcome, Side, Undefined};
use neurogauge_stats::summation::sum_over_pairs;

/// Peak signal-to-noise ratio in decibels, 10·log10(1 / MSE), MSE being the mean squared difference
/// over all RGB values.
///
/// - Shapes: two images of the same size, values within [0, 1] (the peak is 1).
/// - Range: unbounded, 0 or more within [0, 1]; higher is better. Chance: 7.8 for independent
///   uniform noise.
/// - Conventions: `pixel-size`, `antialias`, `foreground`, `psnr-identical` (one MSE over the three channels, data range 1).
/// - Undefined: `Identical` if MSE is 0, so that the ratio is infinite; an image without pixels or with a non-finite
///   value.
/// - Errors: images of different sizes.
/// - Reference: `skimage.metrics.peak_signal_noise_ratio` 0.26 (`data_range=1`) to 1e-6 dB on `f32`
///   images, whose differences it squares in `f32`.
///
/// ```
/// use neurogauge_core::Image;
/// use neurogauge_metrics::decoding::psnr::psnr;
/// let gt = Image::new(1, 1, vec![0.0, 0.0, 0.0]).unwrap();
/// let recon = Image::new(1, 1, vec![0.5, 0.5, 0.5]).unwrap();
/// assert!((psnr(&gt, &recon).unwrap().unwrap() - 6.020599913279624).abs() < 1e-12);
/// ```
pub fn psnr(gt: &Image<f32>, recon: &Image<f32>) -> Result<Outcome, MetricError> {
    check_same_size(gt, recon)?;
    let n = gt.data().len();
    if n == 0 {
        return Ok(Err(Undefined::Empty(Side::Gt)));
    }
    let squared_error = sum_over_pairs(gt.data(), recon.data(), |gt, recon| {
        let difference = f64::from(gt) - f64::from(recon);
        difference * difference
    });
    Ok(if squared_error == 0.0 {
        Err(Undefined::Identical)
    } else if squared_error.is_finite() {
        Ok(-10.0 * (squared_error / n as f64).log10())
    } else {
        // Squares of f32 differences cannot overflow an f64, so some value was not finite.
        gt.check_finite(Side::Gt).and(Err(Undefined::NonFinite(Side::Recon)))
    })
}
