//! Prepares an image for a segmenter.

use crate::ModelError;
use crate::observers::preprocess::{Arithmetic, CropStart, IMAGENET, Preprocessing, ResizeStep};
use neurogauge_core::Image;
use neurogauge_core::image::Filter;
use serde::{Deserialize, Serialize};

/// Side of SAM 2's input, px.
const SIDE_PX: usize = 1024;

/// The preprocessing of an image for a segmenter (convention `segmentation-images`).
///
/// The image is resized to 1024 x 1024 px, regardless of its proportions, in floats, bilinear, and smoothed if it
/// shrinks; then (v - mean) / std per channel with the statistics of ImageNet.
///
/// Undefined: never. Errors: a pixel that is not a number; [`ModelError::Resize`] for an image without pixels.
///
/// Reference: torchvision 0.29.2 on torch 2.15.0, as SAM 2's own transform uses it, within 3e-7 before normalisation.
///
/// ```
/// use neurogauge_core::Image;
/// use neurogauge_models::segmentation::SegmenterPreprocessing;
/// let steps = SegmenterPreprocessing::sam2();
/// let input = steps.apply(&Image::new(3, 2, vec![0.485_f32; 18]).unwrap())?;
/// assert_eq!((input.image.width_px(), input.image.height_px()), (1024, 1024));
/// assert_eq!(input.original_px, (3, 2));
/// assert!(input.image.at(500, 500, 0).abs() < 1e-6);
/// # Ok::<(), neurogauge_models::ModelError>(())
/// ```
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct SegmenterPreprocessing(Preprocessing);

/// A segmenter's input for an image.
#[derive(Debug, Clone, PartialEq)]
pub struct SegmenterInput {
    pub image: Image<f32>,
    /// Width and height before preprocessing.
    pub original_px: (usize, usize),
}

impl SegmenterPreprocessing {
    /// The preprocessing of SAM 2's own code.
    pub fn sam2() -> Self {
        let (mean, std) = IMAGENET;
        SegmenterPreprocessing(Preprocessing {
            resize: vec![ResizeStep::Squash(SIDE_PX, SIDE_PX)],
            filter: Filter::Bilinear,
            antialias: true,
            arithmetic: Arithmetic::Float,
            centre_crop_px: None,
            crop_start: CropStart::default(),
            mean,
            std,
        })
    }

    /// Width and height of every prepared image.
    pub fn size(&self) -> (usize, usize) {
        self.0.size(SIDE_PX, SIDE_PX)
    }

    /// With another size, for a network that is not a published one.
    #[must_use]
    pub fn with_side_px(mut self, side_px: usize) -> Self {
        self.0.resize = vec![ResizeStep::Squash(side_px, side_px)];
        self
    }

    /// Applies all steps to an image (values nominally within [0, 1]).
    ///
    /// # Errors
    /// See above.
    pub fn apply(&self, image: &Image<f32>) -> Result<SegmenterInput, ModelError> {
        Ok(SegmenterInput {
            image: self.0.apply(image)?,
            original_px: (image.width_px(), image.height_px()),
        })
    }
}
