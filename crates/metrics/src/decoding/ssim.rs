//! Structural similarity.

use crate::MetricError;
use crate::error::check_same_size;
use multiversion::multiversion;
use neurogauge_core::{Image, Outcome, Side, Undefined};
use neurogauge_stats::summation::sum;
use std::ops::{Deref, DerefMut};

/// Side of the Gaussian window, px.
pub const WINDOW_PX: usize = 11;

/// Half of the window, which is also the width of the crop on each side.
pub(super) const RADIUS_PX: usize = WINDOW_PX / 2;

/// exp(−d²/2σ²) at distance d from the centre, σ = 1.5, scaled to sum to 1 over the window. Written out, because `exp`
/// may differ in its last bit between platforms.
pub(crate) const GAUSSIAN: [f64; RADIUS_PX + 1] = [
    0.26601172486179436,
    0.2130055377112537,
    0.10936068950970002,
    0.03600077212843083,
    0.007598758135239185,
    0.00102838008447911,
];

/// (0.01 · data range)².
const C1: f64 = 0.01 * 0.01;

/// (0.03 · data range)².
pub(super) const C2: f64 = 0.03 * 0.03;

/// SSIM of the grey versions of a stimulus and its reconstruction: the mean over windows of
/// (2·μx·μy + C1)(2·σxy + C2) / ((μx² + μy² + C1)(σx² + σy² + C2)), Wang et al. 2004, equation 13.
///
/// - Shapes: two images of the same size, at least 11 x 11 px, values within [0, 1]; the field
///   resizes both to 425 x 425 px before.
/// - Range: -1 to 1, higher is better; 1 for identical images, flat ones included.
/// - Conventions: `pixel-size`, `antialias`, `foreground`, `ssim-flavour` (grey = 0.2125 R + 0.7154 G + 0.0721 B in
///   `f32`; Gaussian, σ 1.5 px, 11 x 11 px; population covariance; data range 1; K1 0.01, K2 0.03; mean of
///   the map without its outer 5 px). The crop is as wide as the window's radius, so no window that
///   counts reaches over the border, and how borders are padded does not matter.
/// - Undefined: an image with a non-finite value.
/// - Errors: images of different sizes, images smaller than the window.
/// - Reference: `skimage.metrics.structural_similarity` 0.26 (`gaussian_weights=True, sigma=1.5,
///   use_sample_covariance=False, data_range=1.0`) on the grey images: to 1e-10 in `f64`; to 1e-5 in `f32`, where it
///   rounds its filtered images to `f32` and this function does not.
///
/// ```
/// use neurogauge_core::Image;
/// use neurogauge_metrics::decoding::ssim::ssim;
/// let black = Image::new(11, 11, vec![0.0; 363]).unwrap();
/// let white = Image::new(11, 11, vec![1.0; 363]).unwrap();
/// assert_eq!(ssim(&black, &black).unwrap(), Ok(1.0));
/// // Flat images differ in their means only: C1 / (1 + C1).
/// let score = ssim(&black, &white).unwrap().unwrap();
/// assert!((score - 1e-4 / 1.0001).abs() < 1e-10);
/// ```
pub fn ssim(gt: &Image<f32>, recon: &Image<f32>) -> Result<Outcome, MetricError> {
    ssim_within(gt, recon, None)
}

/// The mean of the map over the pixels `inside`, if given.
pub(super) fn ssim_within(
    gt: &Image<f32>,
    recon: &Image<f32>,
    inside: Option<&[bool]>,
) -> Result<Outcome, MetricError> {
    check_same_size(gt, recon)?;
    let (width, height) = (gt.width_px(), gt.height_px());
    if width.min(height) < WINDOW_PX {
        return Err(MetricError::too_small(width, height, WINDOW_PX));
    }
    let (mut gt_finite, mut recon_finite) = (true, true);
    let read_rows = |row: usize, gt_row: &mut [f64], recon_row: &mut [f64]| {
        grey_row(gt, row, gt_row);
        grey_row(recon, row, recon_row);
        gt_finite &= sum(gt_row).is_finite();
        recon_finite &= sum(recon_row).is_finite();
    };
    let similarity = mean_of_map(width, height, read_rows, similarity_row, inside);
    Ok(match (gt_finite, recon_finite) {
        (false, _) => Err(Undefined::NonFinite(Side::Gt)),
        (_, false) => Err(Undefined::NonFinite(Side::Recon)),
        // The mean over no pixels.
        (true, true) if similarity.is_nan() => Err(no_foreground()),
        (true, true) => Ok(similarity),
    })
}

/// The reason why a region without pixels has no value.
pub(super) fn no_foreground() -> Undefined {
    Undefined::Because("no foreground: the mask or the alpha leaves no pixel that counts".into())
}

#[multiversion(targets("x86_64+avx512f+avx512vl", "x86_64+avx2"))]
pub(super) fn grey_row(image: &Image<f32>, row: usize, grey: &mut [f64]) {
    let (pixels, _) = image.data().as_chunks::<3>();
    let pixels = &pixels[row * image.width_px()..][..image.width_px()];
    for (grey, [red, green, blue]) in grey.iter_mut().zip(pixels) {
        *grey = f64::from(0.2125 * red + 0.7154 * green + 0.0721 * blue);
    }
}

/// A row that is aligned with the lines of the cache: vectors that cross two lines take twice as long to read.
pub(crate) struct AlignedRow {
    values: Vec<f64>,
    first: usize,
    n: usize,
}

/// Number of values in a line of the cache.
const LINE: usize = 8;

impl AlignedRow {
    pub(super) fn zeros(n: usize) -> Self {
        let values = vec![0.0; n.next_multiple_of(LINE) + LINE];
        let to_line = values.as_ptr().align_offset(LINE * size_of::<f64>());
        AlignedRow {
            first: to_line.min(LINE),
            values,
            n,
        }
    }

    /// The last line may contain more than the row.
    fn lines(&self) -> &[[f64; LINE]] {
        &self.values[self.first..].as_chunks().0[..self.n.div_ceil(LINE)]
    }

    fn lines_mut(&mut self) -> &mut [[f64; LINE]] {
        &mut self.values[self.first..].as_chunks_mut().0[..self.n.div_ceil(LINE)]
    }
}

impl Deref for AlignedRow {
    type Target = [f64];

    fn deref(&self) -> &[f64] {
        &self.values[self.first..][..self.n]
    }
}

impl DerefMut for AlignedRow {
    fn deref_mut(&mut self) -> &mut [f64] {
        &mut self.values[self.first..][..self.n]
    }
}

/// Local averages along a row of the map, under the window: of x, y, x² + y² and x·y.
pub(crate) type LocalAverages = [AlignedRow; 4];

/// Rows of the map that are computed together.
const MAP_ROWS: usize = 4;

/// Rows of the images from which these are computed.
const RING: usize = WINDOW_PX + MAP_ROWS - 1;

/// The mean of the cropped map, over the pixels `inside` the uncropped image if these are given (NaN if none is).
/// `map_row` computes its rows from local averages; `read_rows` writes a row of each grey image.
///
/// Only sums of local averages enter the formula, so four quantities are averaged instead of five: x, y, x² + y² and
/// x·y. Each row is blurred horizontally into a ring. Once the ring contains the windows of several rows of the map,
/// blurring down its columns gives these rows.
pub(crate) fn mean_of_map(
    width: usize,
    height: usize,
    mut read_rows: impl FnMut(usize, &mut [f64], &mut [f64]),
    map_row: fn(&LocalAverages, &mut [f64]),
    inside: Option<&[bool]>,
) -> f64 {
    let map_width = width - 2 * RADIUS_PX;
    let map_height = height - 2 * RADIUS_PX;
    let four_rows = |width: usize| -> LocalAverages { std::array::from_fn(|_| AlignedRow::zeros(width)) };
    let mut rows = four_rows(width);
    let mut ring: [_; RING] = std::array::from_fn(|_| four_rows(map_width));
    let mut averages: [_; MAP_ROWS] = std::array::from_fn(|_| four_rows(map_width));
    let mut map = AlignedRow::zeros(map_width);
    let mut total = 0.0;
    let mut n_inside = 0;
    let mut n_made = 0;
    for row in 0..height {
        let [x, y, squares, products] = rows.each_mut().map(|row| &mut row[..]);
        read_rows(row, x, y);
        multiply_rows(x, y, squares, products);
        for (row, blurred) in rows.iter().zip(&mut ring[row % RING]) {
            blur_along(row, blurred);
        }
        let n_ready = (row + 1).saturating_sub(2 * RADIUS_PX) - n_made;
        if n_ready < MAP_ROWS && row + 1 < height {
            continue;
        }
        for k in 0..rows.len() {
            let window = std::array::from_fn(|j| ring[(n_made + j) % RING][k].lines());
            blur_down(window, averages.each_mut().map(|row| row[k].lines_mut()));
        }
        for (place, averages) in averages[..n_ready].iter().enumerate() {
            map_row(averages, &mut map);
            if let Some(inside) = inside {
                let inside = &inside[(n_made + place + RADIUS_PX) * width + RADIUS_PX..][..map_width];
                n_inside += inside.iter().filter(|inside| **inside).count();
                map.iter_mut().zip(inside).filter(|(_, inside)| !**inside).for_each(|(value, _)| *value = 0.0);
            }
            total += sum(&map);
        }
        n_made += n_ready;
    }
    total / inside.map_or(map_width * map_height, |_| n_inside) as f64
}

#[multiversion(targets("x86_64+avx512f+avx512vl", "x86_64+avx2"))]
fn multiply_rows(x: &[f64], y: &[f64], squares: &mut [f64], products: &mut [f64]) {
    for (((x, y), square), product) in x.iter().zip(y).zip(squares).zip(products) {
        *square = x * x + y * y;
        *product = x * y;
    }
}

/// The Gaussian average of the values under the window. Written out, since the compiler does not vectorise a loop over
/// the taps.
#[inline(always)]
fn average([a5, a4, a3, a2, a1, centre, b1, b2, b3, b4, b5]: [f64; WINDOW_PX]) -> f64 {
    let [g0, g1, g2, g3, g4, g5] = GAUSSIAN;
    g0 * centre + g1 * (a1 + b1) + g2 * (a2 + b2) + g3 * (a3 + b3) + g4 * (a4 + b4) + g5 * (a5 + b5)
}

/// Averages along a row.
#[multiversion(targets("x86_64+avx512f+avx512vl", "x86_64+avx2"))]
fn blur_along(row: &[f64], blurred: &mut [f64]) {
    let n = blurred.len();
    let mut window = [row; WINDOW_PX];
    for (shift, row) in window.iter_mut().enumerate() {
        *row = &row[shift..][..n];
    }
    let [a5, a4, a3, a2, a1, centre, b1, b2, b3, b4, b5] = window;
    for i in 0..n {
        blurred[i] = average([a5[i], a4[i], a3[i], a2[i], a1[i], centre[i], b1[i], b2[i], b3[i], b4[i], b5[i]]);
    }
}

/// Averages down the columns for the windows of consecutive rows of the map; shared rows are read once.
#[multiversion(targets("x86_64+avx512f+avx512vl", "x86_64+avx2"))]
fn blur_down(mut rows: [&[[f64; LINE]]; RING], mut blurred: [&mut [[f64; LINE]]; MAP_ROWS]) {
    let n_lines = blurred[0].len();
    for row in &mut rows {
        *row = &row[..n_lines];
    }
    let [a, b, c, d, e, f, g, h, i, j, k, l, m, n] = rows;
    for line in 0..n_lines {
        let mut averages = [[0.0; LINE]; MAP_ROWS];
        for x in 0..LINE {
            let (a, b, c, d) = (a[line][x], b[line][x], c[line][x], d[line][x]);
            let (e, f, g, h, i) = (e[line][x], f[line][x], g[line][x], h[line][x], i[line][x]);
            let (j, k, l, m, n) = (j[line][x], k[line][x], l[line][x], m[line][x], n[line][x]);
            averages[0][x] = average([a, b, c, d, e, f, g, h, i, j, k]);
            averages[1][x] = average([b, c, d, e, f, g, h, i, j, k, l]);
            averages[2][x] = average([c, d, e, f, g, h, i, j, k, l, m]);
            averages[3][x] = average([d, e, f, g, h, i, j, k, l, m, n]);
        }
        for (blurred, averages) in blurred.iter_mut().zip(averages) {
            blurred[line] = averages;
        }
    }
}

#[multiversion(targets("x86_64+avx512f+avx512vl", "x86_64+avx2"))]
pub(crate) fn similarity_row(averages: &LocalAverages, similarity: &mut [f64]) {
    let [x, y, squares, products] = averages.each_ref().map(|row| &row[..]);
    for ((((x, y), square), product), similarity) in x.iter().zip(y).zip(squares).zip(products).zip(similarity) {
        *similarity = similarity_of(*x, *y, *square, *product, 1.0);
    }
}

/// The similarity at a pixel with these local averages of x, y, x² + y² and x·y; (co)variances are multiplied by
/// `norm`.
#[inline(always)]
pub(super) fn similarity_of(x: f64, y: f64, square: f64, product: f64, norm: f64) -> f64 {
    let mean_product = x * y;
    let mean_squares = x * x + y * y;
    let covariance = norm * (product - mean_product);
    let variances = norm * (square - mean_squares);
    ((2.0 * mean_product + C1) * (2.0 * covariance + C2)) / ((mean_squares + C1) * (variances + C2))
}
