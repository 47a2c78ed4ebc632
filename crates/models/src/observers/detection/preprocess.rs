//! Prepares an image for a detection network.

use crate::ModelError;
use crate::observers::preprocess::check_finite;
use neurogauge_core::Image;
use neurogauge_core::image::{Filter, resize_u8};
use serde::{Deserialize, Serialize};

/// The preprocessing of an image for a detector (convention `detection-images`).
///
/// The image is enlarged or reduced as far as its shorter side stays within `shorter_px` and its longer one within
/// `longer_px`; both sides are truncated to whole pixels. It is resized in 8 bits, as in Pillow. Then, in f32 and per
/// channel, (v - mean) / std of the levels v from 0 to 255. Red comes first.
///
/// Undefined: never. Errors: [`ModelError::NonFinitePixel`]; [`ModelError::Resize`] for an image without pixels, or so
/// long and narrow that nothing of its width is left.
///
/// Reference: mmdetection's `FixScaleResize` and `DetDataPreprocessor` as NumPy and Pillow 13.0.0 compute them
/// (`reference/detection.py`), equal bits.
///
/// ```
/// use neurogauge_core::Image;
/// use neurogauge_models::detection::DetectorPreprocessing;
/// let steps = DetectorPreprocessing::mmdetection();
/// assert_eq!(steps.size(425, 425), (800, 800));
/// assert_eq!(steps.size(640, 480), (1066, 800));
/// assert_eq!(steps.size(300, 1000), (399, 1333));
///
/// let white = Image::new(2, 1, vec![1.0_f32; 6]).unwrap();
/// let input = steps.apply(&white)?;
/// assert_eq!(input.original_px, (2, 1));
/// assert_eq!((input.image.width_px(), input.image.height_px()), (1333, 666));
/// assert_eq!(input.image.at(0, 0, 0), (255.0 - 123.675) / 58.395);
/// # Ok::<(), neurogauge_models::ModelError>(())
/// ```
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct DetectorPreprocessing {
    /// The shorter side has at most so many pixels afterwards.
    pub shorter_px: usize,
    /// The longer side has at most so many.
    pub longer_px: usize,
    /// Interpolation, as Pillow smooths it.
    pub filter: Filter,
    /// Subtracted from red, green, blue (levels).
    pub mean: [f32; 3],
    /// They are divided by this.
    pub std: [f32; 3],
}

/// A detector's input for an image.
#[derive(Debug, Clone, PartialEq)]
pub struct DetectorInput {
    /// Resized and normalised.
    pub image: Image<f32>,
    /// Width and height before.
    pub original_px: (usize, usize),
}

impl DetectorPreprocessing {
    /// As mmdetection prepares images for MM-Grounding-DINO and Grounding DINO.
    pub fn mmdetection() -> Self {
        DetectorPreprocessing {
            shorter_px: 800,
            longer_px: 1333,
            filter: Filter::Bilinear,
            mean: [123.675, 116.28, 103.53],
            std: [58.395, 57.12, 57.375],
        }
    }

    /// Width and height of an image afterwards.
    pub fn size(&self, width_px: usize, height_px: usize) -> (usize, usize) {
        let (shorter, longer) = (width_px.min(height_px), width_px.max(height_px));
        let scale =
            (self.longer_px as f64 / longer as f64).min(self.shorter_px as f64 / shorter as f64);
        let scaled = |side_px: usize| (side_px as f64 * scale) as usize;
        (scaled(width_px), scaled(height_px))
    }

    /// Applies all steps to an image (values nominally within [0, 1]).
    ///
    /// # Errors
    /// See above.
    pub fn apply(&self, image: &Image<f32>) -> Result<DetectorInput, ModelError> {
        check_finite(image)?;
        let original_px = (image.width_px(), image.height_px());
        let (width_px, height_px) = self.size(original_px.0, original_px.1);
        let resized = resize_u8(&image.to_levels(), width_px, height_px, self.filter)?;
        let (pixels, _) = resized.data().as_chunks::<3>();
        let normal = |pixel: &[u8; 3]| -> [f32; 3] {
            std::array::from_fn(|c| (f32::from(pixel[c]) - self.mean[c]) / self.std[c])
        };
        let values = pixels.iter().flat_map(normal).collect();
        Ok(DetectorInput {
            image: Image::new(width_px, height_px, values)?,
            original_px,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_cannot_be_prepared_is_said() {
        let steps = DetectorPreprocessing::mmdetection();
        let of = |width: usize, height: usize, value: f32| {
            let image = Image::new(width, height, vec![value; width * height * 3]).unwrap();
            steps.apply(&image).unwrap_err().to_string()
        };
        assert!(of(3, 3, f32::NAN).contains("NaN"));
        assert!(of(0, 0, 0.5).contains("0 x 0"), "{}", of(0, 0, 0.5));
        // 1 x 2000 px would become 0 x 1333.
        assert!(
            of(1, 2000, 0.5).contains("0 x 1333"),
            "{}",
            of(1, 2000, 0.5)
        );
    }
}
