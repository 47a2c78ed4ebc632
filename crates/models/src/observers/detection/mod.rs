//! Detection: images to boxes with category names and scores.
//!
//! - [`Detector`]: what every detector can do. A [`GroundingNetwork`] (Grounding DINO) becomes one by the steps below.
//! - [`DetectorPreprocessing`]: turns an image into the network's input.
//! - [`Prompt`]: the sentence that asks for categories, and which tokens belong to which.
//! - [`postprocess`]: turns the network's output ([`RawDetections`]) into objects.
//! - [`GroundedBox`]: a box and the words of a prompt that name it, for a segmenter.

mod detector;
mod grounded;
mod letterbox;
mod postprocess;
mod preprocess;
mod prompt;

pub use detector::{DetectionOptions, Detector, GroundingNetwork, PromptTokens, RawDetections};
pub(crate) use grounded::without_overlaps;
pub use grounded::{GroundedBox, GroundingOptions};
pub(crate) use letterbox::letterbox;
pub use postprocess::postprocess;
pub use preprocess::{DetectorInput, DetectorPreprocessing};
pub(crate) use prompt::prompts;
pub use prompt::{Prompt, PromptNames};
