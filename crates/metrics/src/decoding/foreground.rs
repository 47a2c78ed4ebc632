//! Metrics of pixels within a region of the images, such as the opaque part of a stimulus (convention `foreground`).

use super::pixcorr::pixcorr;
use super::psnr::psnr;
use super::ssim::{no_foreground, ssim_within};
use super::ssim_flavours::SsimFlavour;
use crate::MetricError;
use neurogauge_core::image::Background;
use neurogauge_core::{Image, Outcome, Undefined};

/// The pixels of an image that count.
#[derive(Debug, Clone, PartialEq)]
pub struct Region {
    width_px: usize,
    height_px: usize,
    inside: Vec<bool>,
}

/// From this value on, a pixel of a mask is inside.
const INSIDE: f32 = 0.5;

impl Region {
    /// The pixels at which a mask, or the opacity of an image, is one half or more (the mean of its colours, 0 to 1).
    ///
    /// ```
    /// use neurogauge_core::Image;
    /// use neurogauge_metrics::decoding::foreground::Region;
    /// let mask = Image::new(2, 1, vec![0.0, 0.0, 0.0, 1.0, 0.5, 0.0]).unwrap();
    /// assert_eq!(Region::of(&mask).inside(), [false, true]);
    /// ```
    pub fn of(mask: &Image<f32>) -> Self {
        let (pixels, _) = mask.data().as_chunks::<3>();
        Region {
            width_px: mask.width_px(),
            height_px: mask.height_px(),
            inside: pixels.iter().map(|pixel| pixel.iter().sum::<f32>() / 3.0 >= INSIDE).collect(),
        }
    }

    /// Row after row, which pixels count.
    pub fn inside(&self) -> &[bool] {
        &self.inside
    }

    /// Fails if no pixel counts.
    pub fn check_any(&self) -> Result<(), Undefined> {
        self.inside.contains(&true).then_some(()).ok_or_else(no_foreground)
    }

    /// The image with everything outside in the background's colour; unchanged for [`Background::AsStored`].
    ///
    /// # Errors
    /// The image has another size.
    pub fn on(&self, background: Background, mut image: Image<f32>) -> Result<Image<f32>, MetricError> {
        self.check(&image)?;
        let (pixels, _) = image.data_mut().as_chunks_mut::<3>();
        for (pixel, inside) in pixels.iter_mut().zip(&self.inside) {
            *pixel = background.under_floats(*pixel, f32::from(u8::from(*inside)));
        }
        Ok(image)
    }

    /// The pixels inside, in one row.
    fn pixels(&self, image: &Image<f32>) -> Result<Image<f32>, MetricError> {
        self.check(image)?;
        let pixels = image.data().as_chunks::<3>().0.iter().zip(&self.inside);
        let values: Vec<f32> = pixels.filter(|(_, inside)| **inside).flat_map(|(pixel, _)| *pixel).collect();
        Image::new(values.len() / 3, 1, values).map_err(|error| MetricError::Data(error.to_string()))
    }

    fn check(&self, image: &Image<f32>) -> Result<(), MetricError> {
        let size_px = (image.width_px(), image.height_px());
        match size_px == (self.width_px, self.height_px) {
            true => Ok(()),
            false => Err(MetricError::Data(format!(
                "the region is {} x {} px and the image {} x {} px; both must have the same shape",
                self.width_px, self.height_px, size_px.0, size_px.1
            ))),
        }
    }
}

/// A metric of pixels within a region.
pub type RegionFunction = fn(&Image<f32>, &Image<f32>, &Region, SsimFlavour) -> Result<Outcome, MetricError>;

/// PixCorr, SSIM and PSNR within a region, by id; the other metrics of pixels have no such form.
///
/// PixCorr and PSNR are those of the pixels inside alone. SSIM is the mean of its map over them, without the border of 5
/// px; its windows reach beyond the region, so that what is around it should be equal in both images ([`Region::on`]).
///
/// - Shapes: two images and a region of the same size.
/// - Range, direction: those of the metrics.
/// - Conventions: `foreground`, and those of the metrics.
/// - Undefined: a region without pixels, or for SSIM without pixels off the border; as the metrics.
/// - Errors: sizes that differ; SSIM of another flavour than `grey`.
/// - Reference: `numpy.corrcoef` 2.4.6 and scikit-image 0.26 (`structural_similarity(full=True)`,
///   `peak_signal_noise_ratio`) on the region (`reference/foreground.py`), 1e-10, and 1e-5 for SSIM in `f32`.
///
/// ```
/// use neurogauge_core::Image;
/// use neurogauge_metrics::decoding::foreground::{Region, within};
/// let image = |inside: f32, outside: f32| Image::new(2, 1, [[inside; 3], [outside; 3]].concat()).unwrap();
/// let region = Region::of(&image(1.0, 0.0));
/// let psnr = within("psnr").unwrap();
/// // What is outside does not count: 10 · log10(1 / 0.5²).
/// let found = psnr(&image(0.0, 0.3), &image(0.5, 0.9), &region, Default::default()).unwrap();
/// assert!((found.unwrap() - 6.020599913279624).abs() < 1e-12);
/// ```
pub fn within(id: &str) -> Option<RegionFunction> {
    Some(match id {
        "pixcorr" => |gt, recon, region, _| of_pixels(gt, recon, region, pixcorr),
        "psnr" => |gt, recon, region, _| of_pixels(gt, recon, region, psnr),
        "ssim" => |gt, recon, region, flavour| {
            if !flavour.is_of_grey() {
                let message = "SSIM of columns or colours has no form within a region; expected the flavour grey";
                return Err(MetricError::Usage(message.to_owned()));
            }
            region.check(gt)?;
            ssim_within(gt, recon, Some(&region.inside))
        },
        _ => return None,
    })
}

fn of_pixels(
    gt: &Image<f32>,
    recon: &Image<f32>,
    region: &Region,
    metric: fn(&Image<f32>, &Image<f32>) -> Result<Outcome, MetricError>,
) -> Result<Outcome, MetricError> {
    let (gt, recon) = (region.pixels(gt)?, region.pixels(recon)?);
    match region.check_any() {
        Err(reason) => Ok(Err(reason)),
        Ok(()) => metric(&gt, &recon),
    }
}
