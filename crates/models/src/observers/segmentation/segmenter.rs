//! The trait of segmenters.

use super::{MaskPrompt, SegmenterInput};
use crate::ModelError;
use neurogauge_core::{Mask, ModelIdentity};

/// A model that makes the masks that prompts ask for.
///
/// The mask of a prompt does not depend on the others, nor on the number of threads.
pub trait Segmenter: Send + Sync {
    /// Which model this is, to the byte.
    fn identity(&self) -> &ModelIdentity;

    /// A mask for each prompt, of the size that the image had before it was prepared. The image is looked at once;
    /// without prompts, not at all.
    ///
    /// # Errors
    /// An image that is not prepared for it or has a pixel that is no number; a prompt that is no place in
    /// an image; logits that are not numbers.
    fn segment(&self, input: &SegmenterInput, prompts: &[MaskPrompt]) -> Result<Vec<PredictedMask>, ModelError>;
}

/// The mask that a prompt gets.
#[derive(Debug, Clone, PartialEq)]
pub struct PredictedMask {
    /// Its pixels.
    pub mask: Mask,
    /// How well it fits, as the model predicts it: intersection over union with the thing, 0 to 1.
    pub score: f64,
    /// Which of the masks that the network makes for a prompt it is.
    pub candidate: usize,
}
