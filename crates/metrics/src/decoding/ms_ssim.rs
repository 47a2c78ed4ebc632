//! Structural similarity over several scales.

use super::ssim::{C2, LocalAverages, WINDOW_PX, grey_row, mean_of_map, similarity_row};
use crate::MetricError;
use crate::error::check_same_size;
use multiversion::multiversion;
use neurogauge_core::{Image, Outcome, Side, Undefined};
use neurogauge_stats::summation::sum;
use std::borrow::Cow;

/// Weight of each scale, the finest first: Wang et al. 2003, section 3.2.
pub const WEIGHTS: [f64; 5] = [0.0448, 0.2856, 0.3001, 0.2363, 0.1333];

/// The shorter side of the smallest image whose coarsest scale still contains the window, px.
pub const MIN_SIDE_PX: usize = WINDOW_PX << (WEIGHTS.len() - 1);

/// MS-SSIM of the grey versions of a stimulus and its reconstruction: cs₁^w₁ · cs₂^w₂ · cs₃^w₃ · cs₄^w₄ · ssim₅^w₅,
/// Wang, Simoncelli & Bovik 2003, equation 7. Scale j + 1 is scale j averaged over blocks of 2 x 2 px; csⱼ is the mean
/// over windows of (2·σxy + C2) / (σx² + σy² + C2), and ssim₅ that of [SSIM](super::ssim::ssim) as a whole.
///
/// - Shapes: two images of the same size, the shorter side at least 176 px, values within [0, 1]; the field resizes
///   both to 425 x 425 px before.
/// - Range: 0 to 1, higher is better; 1 for identical images, flat ones included.
/// - Conventions: `pixel-size`, `antialias`, `ssim-flavour` (grey, window and constants), `ms-ssim-scales` (weights,
///   blocks, odd edges are mirrored, and a mean below 0 counts as 0).
/// - Undefined: images too small for five scales; an image with a non-finite value.
/// - Errors: images of different sizes.
/// - Reference: pytorch-msssim 1.0.0 in `f64` on the grey images, its window in `f64` and odd edges mirrored before
///   each halving (`reference/ms_ssim.py`), to 1e-6: grey is rounded to `f32` here.
///
/// ```
/// use neurogauge_core::Image;
/// use neurogauge_metrics::decoding::ms_ssim::ms_ssim;
/// let flat = |value| Image::new(176, 176, vec![value; 3 * 176 * 176]).unwrap();
/// assert_eq!(ms_ssim(&flat(0.5), &flat(0.5)).unwrap(), Ok(1.0));
/// // Flat images differ in the means of the coarsest scale only: (C1 / (1 + C1))^0.1333.
/// let score = ms_ssim(&flat(0.0), &flat(1.0)).unwrap().unwrap();
/// assert!((score - (1e-4_f64 / 1.0001).powf(0.1333)).abs() < 1e-6);
/// ```
pub fn ms_ssim(gt: &Image<f32>, recon: &Image<f32>) -> Result<Outcome, MetricError> {
    check_same_size(gt, recon)?;
    if gt.width_px().min(gt.height_px()) < MIN_SIDE_PX {
        return Ok(Err(Undefined::Because(Cow::Borrowed(
            "images too small for five scales: their shorter side is below 176 px",
        ))));
    }
    let (mut gt, mut recon) = (Grey::of(gt), Grey::of(recon));
    for (grey, side) in [(&gt, Side::Gt), (&recon, Side::Recon)] {
        if !sum(&grey.values).is_finite() {
            return Ok(Err(Undefined::NonFinite(side)));
        }
    }
    let (coarsest, finer) = (WEIGHTS[WEIGHTS.len() - 1], &WEIGHTS[..WEIGHTS.len() - 1]);
    let mut score = 1.0;
    for weight in finer {
        score *= gt.mean(&recon, contrast_structure_row).max(0.0).powf(*weight);
        (gt, recon) = (gt.halved(), recon.halved());
    }
    Ok(Ok(score * gt.mean(&recon, similarity_row).max(0.0).powf(coarsest)))
}

/// A grey image at one scale.
struct Grey {
    width: usize,
    values: Vec<f64>,
}

impl Grey {
    fn of(image: &Image<f32>) -> Grey {
        let (width, height) = (image.width_px(), image.height_px());
        let mut values = vec![0.0; width * height];
        for (row, grey) in values.chunks_exact_mut(width).enumerate() {
            grey_row(image, row, grey);
        }
        Grey { width, values }
    }

    fn row(&self, row: usize) -> &[f64] {
        &self.values[row * self.width..][..self.width]
    }

    /// The mean over windows of `map_row` applied to their averages.
    fn mean(&self, other: &Grey, map_row: fn(&LocalAverages, &mut [f64])) -> f64 {
        let read_rows = |row: usize, x: &mut [f64], y: &mut [f64]| {
            x.copy_from_slice(self.row(row));
            y.copy_from_slice(other.row(row));
        };
        mean_of_map(self.width, self.values.len() / self.width, read_rows, map_row, None)
    }

    /// Means of blocks of 2 x 2 px; an odd last row or column is mirrored.
    fn halved(&self) -> Grey {
        let height = self.values.len() / self.width;
        let width = self.width.div_ceil(2);
        let mut values = Vec::with_capacity(width * height.div_ceil(2));
        for row in (0..height).step_by(2) {
            let (above, below) = (self.row(row), self.row((row + 1).min(height - 1)));
            values.extend(above.chunks(2).zip(below.chunks(2)).map(|(above, below)| {
                let pair = |values: &[f64]| values[0] + values[values.len() - 1];
                (pair(above) + pair(below)) / 4.0
            }));
        }
        Grey { width, values }
    }
}

/// The second factor of SSIM, without the means.
#[multiversion(targets("x86_64+avx512f+avx512vl", "x86_64+avx2"))]
fn contrast_structure_row(averages: &LocalAverages, map: &mut [f64]) {
    let [x, y, squares, products] = averages.each_ref().map(|row| &row[..]);
    for ((((x, y), square), product), map) in x.iter().zip(y).zip(squares).zip(products).zip(map) {
        let covariance = product - x * y;
        let variances = square - (x * x + y * y);
        *map = (2.0 * covariance + C2) / (variances + C2);
    }
}
