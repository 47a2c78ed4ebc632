//! Similarity of the hues of two images, as Mind-Animator's evaluation computes it.

use crate::MetricError;
use crate::error::check_same_size;
use neurogauge_core::{Image, Outcome, Side, Undefined};

/// Number of hues in a circle, in steps of 2 degrees.
const N_HUES: i32 = 180;
/// Fractional bits of the fixed-point arithmetic.
const SHIFT: i32 = 12;

/// "hue-pcc" of Mind-Animator's released evaluation: the cosine Σ h g / (√(Σ h²) √(Σ g²)) of the hues h of the stimulus
/// and g of the reconstruction, pixel by pixel. It is not a correlation, and hue, which is an angle, counts as a number
/// from 0 to 179.
///
/// Hue is that of the HSV colours of pixels of 8 bits, in steps of 2 degrees and with the rounding of OpenCV. The
/// released code reads RGB as BGR, so red and blue are swapped: blue has hue 0, green 60, red 120.
///
/// - Shapes: two images of the same size, values within [0, 1], which are rounded to 8 bits. The released code compares
///   frames of their own size (`--set pixel_size=own`).
/// - Range: 0 to 1, higher is better. There is no chance level; unrelated images of many hues reach 0.5 and more, since
///   no hue is negative.
/// - Conventions: `pixel-size`, `antialias`, `hue-pcc`.
/// - Undefined: an image whose hues are all 0, so all grey or blue; a non-finite value; an image without pixels.
/// - Errors: images of different sizes.
/// - Reference: the released function with OpenCV 5.0.0 (`reference/hue_pcc.py`), to 1e-12.
///
/// ```
/// use neurogauge_core::Image;
/// use neurogauge_metrics::decoding::hue_pcc::hue_pcc;
/// // Red and green against green and red: (120 · 60 + 60 · 120) / (120² + 60²).
/// let red_green = Image::new(2, 1, vec![1.0, 0.0, 0.0, 0.0, 1.0, 0.0]).unwrap();
/// let green_red = Image::new(2, 1, vec![0.0, 1.0, 0.0, 1.0, 0.0, 0.0]).unwrap();
/// let similarity = hue_pcc(&red_green, &green_red).unwrap().unwrap();
/// assert!((similarity - 0.8).abs() < 1e-15);
/// ```
pub fn hue_pcc(gt: &Image<f32>, recon: &Image<f32>) -> Result<Outcome, MetricError> {
    check_same_size(gt, recon)?;
    for (image, side) in [(gt, Side::Gt), (recon, Side::Recon)] {
        if image.data().is_empty() {
            return Ok(Err(Undefined::Empty(side)));
        }
        if let Err(reason) = image.check_finite(side) {
            return Ok(Err(reason));
        }
    }
    // Sums of whole numbers are exact.
    let (mut product, mut squares) = (0_u64, [0_u64; 2]);
    let (gt, _) = gt.data().as_chunks::<3>();
    let (recon, _) = recon.data().as_chunks::<3>();
    for (&gt, &recon) in gt.iter().zip(recon) {
        let (gt, recon) = (hue(gt), hue(recon));
        product += gt * recon;
        squares[0] += gt * gt;
        squares[1] += recon * recon;
    }
    if squares.contains(&0) {
        return Ok(Err(Undefined::Because("an image without hues other than 0".into())));
    }
    let [gt, recon] = squares.map(|square| (square as f64).sqrt());
    Ok(Ok((product as f64 / (gt * recon)).min(1.0)))
}

/// The hue of a pixel with red and blue swapped, 0 to 179.
fn hue(pixel: [f32; 3]) -> u64 {
    // This is exact in f64, like the product of an f32 and 255.
    let levels = pixel.map(|value: f32| (f64::from(value.clamp(0.0, 1.0)) * 255.0).round() as i32);
    let [blue, green, red] = levels;
    let largest = red.max(green).max(blue);
    let range = largest - red.min(green).min(blue);
    if range == 0 {
        return 0;
    }
    let from_sector = if largest == red {
        green - blue
    } else if largest == green {
        blue - red + 2 * range
    } else {
        red - green + 4 * range
    };
    let per_level = f64::from(N_HUES << SHIFT) / f64::from(6 * range);
    let scaled = from_sector * per_level.round_ties_even() as i32;
    let hue = (scaled + (1 << (SHIFT - 1))) >> SHIFT;
    let hue = if hue < 0 { hue + N_HUES } else { hue };
    hue.unsigned_abs().into()
}
