//! Segmentation: images and prompts to masks.
//!
//! - [`Segmenter`]: what every segmenter can do. [`Sam2`](crate::Sam2) is the real one.
//! - [`SegmenterPreprocessing`]: turns an image into the network's input.
//! - [`MaskPrompt`]: a box, or points.
//! - [`GroundedSegmenter`]: a detector's boxes for names, each with its mask.

mod enlarged_mask;
mod grounded;
mod preprocess;
mod prompt;
mod segmenter;

pub(crate) use enlarged_mask::enlarged_mask;
pub use grounded::{GroundedInput, GroundedSegmenter, MaskNames};
pub use preprocess::{SegmenterInput, SegmenterPreprocessing};
pub use prompt::{MaskPoint, MaskPrompt, PointLabel};
pub use segmenter::{PredictedMask, Segmenter};
