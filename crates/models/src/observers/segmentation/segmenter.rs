//! The trait of segmenters.

use super::{MaskPrompt, SegmenterInput};
use crate::ModelError;
use neurogauge_core::{Mask, ModelIdentity};

/// A model that makes the masks that prompts ask for.
///
/// The mask of a prompt does not depend on the others, nor on the number of threads.
pub trait Segmenter: Send + Sync {
    /// Identifies the model and its weights.
    fn identity(&self) -> &ModelIdentity;

    /// A mask for each prompt, of the size that the image had before preprocessing. The image is encoded once; without
    /// prompts, not at all.
    ///
    /// # Errors An image that was not preprocessed for this model or has a pixel that is not a number; a prompt that is
    /// not a place in an image; logits that are not numbers.
    fn segment(&self, input: &SegmenterInput, prompts: &[MaskPrompt]) -> Result<Vec<PredictedMask>, ModelError>;
}

/// The mask that a prompt gets.
#[derive(Debug, Clone, PartialEq)]
pub struct PredictedMask {
    pub mask: Mask,
    /// Predicted intersection over union with the object, 0 to 1.
    pub score: f64,
    /// Index of the mask among those that the network makes for a prompt.
    pub candidate: usize,
}
