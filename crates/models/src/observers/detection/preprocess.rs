//! Prepares an image for a detection network.

use super::letterbox::in_square;
use crate::ModelError;
use crate::observers::preprocess::check_finite;
use neurogauge_core::Image;
use neurogauge_core::image::{Filter, resize_u8};
use neurogauge_kernels::pixels::normalised_levels;
use serde::{Deserialize, Serialize};

/// The preprocessing of an image for a detector (convention `detection-images`).
///
/// The image is enlarged or reduced as far as its shorter side stays within `shorter_px` and its longer one within
/// `longer_px`; both sides are truncated to whole pixels. It is resized in 8 bits, as in Pillow. Then, in f32 and per
/// channel, (v - mean) / std of the levels v from 0 to 255. Red comes first.
///
/// Undefined: never. Errors: a pixel that is not a number; [`ModelError::Resize`] for an image without pixels, or one
/// so long and narrow that its width shrinks to nothing.
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
    /// Upper limit of the shorter side afterwards.
    pub shorter_px: usize,
    /// Upper limit of the longer side afterwards.
    pub longer_px: usize,
    /// The interpolation, smoothed as in Pillow.
    pub filter: Filter,
    /// Subtracted from red, green, blue (levels).
    pub mean: [f32; 3],
    /// Divides red, green and blue after that.
    pub std: [f32; 3],
    /// Is the image resized as in OpenCV (reduced by area averaging, enlarged bilinearly, instead of by `filter`) and
    /// put into the middle of a grey square (level 114) of side `longer_px`?
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub in_square: bool,
}

/// A detector's input for an image.
#[derive(Debug, Clone, PartialEq)]
pub struct DetectorInput {
    pub image: Image<f32>,
    /// Width and height before preprocessing.
    pub original_px: (usize, usize),
}

impl DetectorPreprocessing {
    /// mmdetection's preprocessing for MM-Grounding-DINO and Grounding DINO.
    pub fn mmdetection() -> Self {
        DetectorPreprocessing {
            shorter_px: 800,
            longer_px: 1333,
            filter: Filter::Bilinear,
            mean: [123.675, 116.28, 103.53],
            std: [58.395, 57.12, 57.375],
            in_square: false,
        }
    }

    /// mmyolo's preprocessing for YOLO-World: in a square of this side, with levels divided by 255.
    ///
    /// Reference: OpenCV as `reference/detection_yolo_world.py` calls it, equal bits.
    ///
    /// ```
    /// use neurogauge_core::Image;
    /// use neurogauge_models::detection::DetectorPreprocessing;
    /// let steps = DetectorPreprocessing::yolo_world(640);
    /// assert_eq!(steps.size(320, 160), (640, 320));
    /// let white = Image::new(320, 160, vec![1.0_f32; 320 * 160 * 3]).unwrap();
    /// let image = steps.apply(&white)?.image;
    /// assert_eq!((image.width_px(), image.height_px()), (640, 640));
    /// assert_eq!((image.at(0, 159, 0), image.at(0, 160, 0)), (114.0 / 255.0, 1.0));
    /// # Ok::<(), neurogauge_models::ModelError>(())
    /// ```
    pub fn yolo_world(side_px: usize) -> Self {
        DetectorPreprocessing {
            shorter_px: side_px,
            longer_px: side_px,
            filter: Filter::Bilinear,
            mean: [0.0; 3],
            std: [255.0; 3],
            in_square: true,
        }
    }

    /// Width and height of an image after preprocessing.
    pub fn size(&self, width_px: usize, height_px: usize) -> (usize, usize) {
        let (shorter, longer) = (width_px.min(height_px), width_px.max(height_px));
        let scale = (self.longer_px as f64 / longer as f64).min(self.shorter_px as f64 / shorter as f64);
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
        let levels = image.to_levels();
        let resized = match self.in_square {
            true => in_square(&levels, self.longer_px),
            false => None,
        };
        // Both ways of resizing refuse a side that would shrink to nothing.
        let resized = match resized {
            Some(square) => square,
            None => resize_u8(&levels, width_px, height_px, self.filter)?,
        };
        let (width_px, height_px) = (resized.width_px(), resized.height_px());
        let values = normalised_levels(resized.data(), self.mean, self.std);
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
        assert!(of(1, 2000, 0.5).contains("0 x 1333"), "{}", of(1, 2000, 0.5));
    }
}
