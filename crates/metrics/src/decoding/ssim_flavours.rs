//! The structural similarities that released code computes, by name.

use super::ssim::{GAUSSIAN, RADIUS_PX, WINDOW_PX, grey_row, similarity_of, ssim};
use crate::MetricError;
use crate::error::check_same_size;
use neurogauge_core::{Image, Outcome, Side};
use neurogauge_stats::summation::sum;
use serde::{Deserialize, Serialize};

/// The structural similarity that SSIM refers to (convention `ssim-flavour`).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum SsimFlavour {
    /// [`ssim`]: over the grey images, with a Gaussian window.
    #[default]
    Grey,
    /// The mean over the columns of the grey images, each compared separately with a Gaussian window along it.
    Columns,
    /// The mean over the three colours, with a uniform window and sample covariance.
    Colour,
}

impl SsimFlavour {
    pub(crate) fn is_of_grey(&self) -> bool {
        *self == SsimFlavour::Grey
    }
}

/// Side of the uniform window, px.
const UNIFORM_PX: usize = 7;

/// SSIM of a flavour.
///
/// - `Grey`: [`ssim`].
/// - `Columns`: the same formula with averages along columns only (11 taps, σ 1.5 px), averaged over all columns and
///   their positions without the outer 5 px. This is `structural_similarity(grey, grey, multichannel=True,
///   gaussian_weights=True, sigma=1.5, use_sample_covariance=False, data_range=1.0)` in scikit-image before 0.19, and
///   `channel_axis=-1` for a grey image in later versions: the columns are taken as channels.
/// - `Colour`: a uniform window of 7 x 7 px, covariance divided by 48 instead of 49, averaged over the map without its
///   outer 3 px and over red, green and blue. This is `structural_similarity(rgb, rgb, channel_axis=-1)` with the data
///   range of the images.
///
/// - Shapes: two images of the same size, at least 11 px (7 px) along the sides that a window extends over, values
///   within [0, 1].
/// - Range: -1 to 1, higher is better.
/// - Undefined: an image with a non-finite value.
/// - Errors: images of different sizes, images smaller than the window.
/// - Reference: `skimage.metrics.structural_similarity` 0.17.2 and 0.26 as above, to 1e-6 on 8-bit images.
///
/// ```
/// use neurogauge_core::Image;
/// use neurogauge_metrics::decoding::ssim_flavours::{SsimFlavour, ssim_of};
/// let image = |rows: fn(usize) -> f32| {
///     let values = (0..11 * 11).flat_map(|i| [rows(i / 11); 3]);
///     Image::new(11, 11, values.collect()).unwrap()
/// };
/// // Black and white differ in their means only, regardless of the flavour: C1 / (1 + C1).
/// for flavour in [SsimFlavour::Grey, SsimFlavour::Columns, SsimFlavour::Colour] {
///     let score = ssim_of(&image(|_| 0.0), &image(|_| 1.0), flavour).unwrap().unwrap();
///     assert!((score - 1e-4 / 1.0001).abs() < 1e-9);
/// }
/// ```
pub fn ssim_of(gt: &Image<f32>, recon: &Image<f32>, flavour: SsimFlavour) -> Result<Outcome, MetricError> {
    let window = match flavour {
        SsimFlavour::Grey => return ssim(gt, recon),
        SsimFlavour::Columns => WINDOW_PX,
        SsimFlavour::Colour => UNIFORM_PX,
    };
    check_same_size(gt, recon)?;
    let (width, height) = (gt.width_px(), gt.height_px());
    let narrowest = match flavour {
        SsimFlavour::Columns if width > 0 => height,
        _ => width.min(height),
    };
    if narrowest < window {
        return Err(MetricError::too_small(width, height, window));
    }
    if let Err(reason) = gt.check_finite(Side::Gt).and_then(|()| recon.check_finite(Side::Recon)) {
        return Ok(Err(reason));
    }
    Ok(Ok(match flavour {
        SsimFlavour::Colour => of_colours(gt, recon),
        _ => of_columns(gt, recon),
    }))
}

fn of_columns(gt: &Image<f32>, recon: &Image<f32>) -> f64 {
    let (width, height) = (gt.width_px(), gt.height_px());
    let grey = |image: &Image<f32>| {
        let mut grey = vec![0.0; width * height];
        grey.chunks_exact_mut(width).enumerate().for_each(|(row, values)| grey_row(image, row, values));
        grey
    };
    let (x, y) = (grey(gt), grey(recon));
    let averages = |value: &dyn Fn(usize) -> f64, at: usize| {
        (0..WINDOW_PX).map(|k| GAUSSIAN[k.abs_diff(RADIUS_PX)] * value(at + k * width)).sum::<f64>()
    };
    let map = (0..(height + 1 - WINDOW_PX) * width).map(|at| {
        let squares = |i: usize| x[i] * x[i] + y[i] * y[i];
        similarity_of(
            averages(&|i| x[i], at),
            averages(&|i| y[i], at),
            averages(&squares, at),
            averages(&|i| x[i] * y[i], at),
            1.0,
        )
    });
    let map: Vec<f64> = map.collect();
    sum(&map) / map.len() as f64
}

fn of_colours(gt: &Image<f32>, recon: &Image<f32>) -> f64 {
    let (width, height) = (gt.width_px(), gt.height_px());
    let (map_width, map_height) = (width + 1 - UNIFORM_PX, height + 1 - UNIFORM_PX);
    let n = (UNIFORM_PX * UNIFORM_PX) as f64;
    let means = (0..Image::<f32>::CHANNELS).map(|channel| {
        let values = |image: &Image<f32>| -> Vec<f64> {
            image.data().iter().skip(channel).step_by(3).map(|&v| f64::from(v)).collect()
        };
        let (x, y) = (values(gt), values(recon));
        let squares: Vec<f64> = x.iter().zip(&y).map(|(x, y)| x * x + y * y).collect();
        let products: Vec<f64> = x.iter().zip(&y).map(|(x, y)| x * y).collect();
        let averages = [&x, &y, &squares, &products].map(|values| {
            let along = |at: usize| {
                let (row, column) = (at / map_width, at % map_width);
                values[row * width + column..][..UNIFORM_PX].iter().sum::<f64>()
            };
            let along: Vec<f64> = (0..map_width * height).map(along).collect();
            let down = |at: usize| (0..UNIFORM_PX).map(|k| along[at + k * map_width]).sum::<f64>() / n;
            (0..map_width * map_height).map(down).collect::<Vec<f64>>()
        });
        let [x, y, squares, products] = averages;
        let map =
            (0..map_width * map_height).map(|i| similarity_of(x[i], y[i], squares[i], products[i], n / (n - 1.0)));
        let map: Vec<f64> = map.collect();
        sum(&map) / map.len() as f64
    });
    means.sum::<f64>() / Image::<f32>::CHANNELS as f64
}
