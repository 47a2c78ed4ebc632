//! Why a metric could not be computed at all.

use neurogauge_core::option_words::option;
use neurogauge_core::{Fault, Image, MaskError};
use neurogauge_stats::StatsError;

/// The two observations do not fit together, or an option makes no sense.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum MetricError {
    /// Two images of different size.
    #[error(
        "the stimulus is {gt_width} x {gt_height} px and the reconstruction {recon_width} x \
         {recon_height} px after resizing; both must have the same shape"
    )]
    SizeMismatch {
        /// Stimulus width, px.
        gt_width: usize,
        /// Stimulus height, px.
        gt_height: usize,
        /// Reconstruction width, px.
        recon_width: usize,
        /// Reconstruction height, px.
        recon_height: usize,
    },
    /// An image is smaller than the window that slides over it.
    #[error("an image of {width} x {height} px is smaller than the {window} px window")]
    TooSmall {
        /// Image width, px.
        width: usize,
        /// Image height, px.
        height: usize,
        /// Window side, px.
        window: usize,
    },
    /// Two vectors of different length.
    #[error("the stimulus has {gt} values and the reconstruction {recon}; both must have as many")]
    LengthMismatch {
        /// Values on the stimulus side.
        gt: usize,
        /// Values on the reconstruction side.
        recon: usize,
    },
    /// The size and location variants need the image size.
    #[error(
        "the {variant} variant of Object F1 weighs boxes by the image they are in, and the size \
         of the {side} image is not known; give the images, or {}",
        option("image-size", "WxH")
    )]
    ImageSizeUnknown {
        variant: &'static str,
        side: neurogauge_core::Side,
    },
    /// A detection's score is no confidence.
    #[error(
        "box {index} (counted from 0) of the {side} has score {score}; expected a confidence from \
         0 to 1; rescale logits or percentages first"
    )]
    ScoreOutOfRange {
        side: neurogauge_core::Side,
        /// Position in the list of boxes.
        index: usize,
        score: f64,
    },
    /// A detection's category is not in the label list.
    #[error(
        "box {index} (counted from 0) of the {side} has label {category}, but the label list has \
         {n_labels} names (0 to {}); give the list that the detector was run with",
        .n_labels.saturating_sub(1)
    )]
    CategoryOutOfRange {
        side: neurogauge_core::Side,
        /// Position in the list of boxes.
        index: usize,
        category: usize,
        /// Length of the label list.
        n_labels: usize,
    },
    /// An option is out of its range.
    #[error("{option} is {found}; expected {expected}")]
    InvalidOption {
        option: &'static str,
        found: String,
        expected: &'static str,
    },
    /// Masks of images of different size.
    #[error(
        "one mask is of an image of {} x {} px and another of one of {} x {} px; masks that are compared must be of \
         one size", first.0, first.1, second.0, second.1
    )]
    MaskSizes {
        /// Width and height of one, px.
        first: (u32, u32),
        /// Of the other.
        second: (u32, u32),
    },
    /// The image that masks were made on, on both sides.
    #[error(
        "the masks of the stimulus are of an image of {} x {} px and those of the reconstruction of one of {} x {} px; \
         segment images of one size, or take the nearest pixels with {}", gt.0, gt.1, recon.0, recon.1,
        option("mask-resize", "nearest")
    )]
    MaskImageSizes {
        /// Width and height of the stimulus, px.
        gt: (u32, u32),
        /// Of the reconstruction.
        recon: (u32, u32),
    },
    /// A mask's score is no confidence.
    #[error(
        "mask {index} (counted from 0) of the {side} has score {score}; expected a confidence from 0 to 1; rescale \
         logits or percentages first"
    )]
    MaskScore {
        side: neurogauge_core::Side,
        /// Position in the list of masks.
        index: usize,
        score: f64,
    },
    /// Run lengths that make no mask.
    #[error(transparent)]
    Mask(#[from] MaskError),
    /// A statistic refused its inputs.
    #[error(transparent)]
    Stats(#[from] StatsError),
}

impl MetricError {
    /// Whose fault it is.
    #[deny(clippy::wildcard_enum_match_arm)]
    pub fn fault(&self) -> Fault {
        match self {
            MetricError::InvalidOption { .. } | MetricError::ImageSizeUnknown { .. } => Fault::Usage,
            MetricError::SizeMismatch { .. }
            | MetricError::TooSmall { .. }
            | MetricError::LengthMismatch { .. }
            | MetricError::ScoreOutOfRange { .. }
            | MetricError::CategoryOutOfRange { .. }
            | MetricError::MaskSizes { .. }
            | MetricError::MaskImageSizes { .. }
            | MetricError::MaskScore { .. }
            | MetricError::Mask(_) => Fault::Data,
            MetricError::Stats(error) => error.fault(),
        }
    }
}

/// An error unless both images have the same width and height.
pub(crate) fn check_same_size(gt: &Image<f32>, recon: &Image<f32>) -> Result<(), MetricError> {
    if (gt.width_px(), gt.height_px()) == (recon.width_px(), recon.height_px()) {
        return Ok(());
    }
    Err(MetricError::SizeMismatch {
        gt_width: gt.width_px(),
        gt_height: gt.height_px(),
        recon_width: recon.width_px(),
        recon_height: recon.height_px(),
    })
}

/// An error unless both vectors have as many values.
pub(crate) fn check_same_length<T>(gt: &[T], recon: &[T]) -> Result<(), MetricError> {
    if gt.len() == recon.len() {
        return Ok(());
    }
    Err(MetricError::LengthMismatch {
        gt: gt.len(),
        recon: recon.len(),
    })
}
