//! Captioning: the trait of captioners and their common code.

mod decoder;
mod encoder_decoder;
mod image_encoder;
mod network;
mod writer;

pub(crate) use decoder::{CaptionDecoder, ImageTokens};
pub use encoder_decoder::CaptionerMemory;
pub(crate) use image_encoder::{ImageEncoder, TokenMap, TokenTower};
pub use network::NetworkCaptioner;
pub(crate) use network::{CaptionNetwork, Wording};
pub(crate) use writer::{CaptionWriter, TextLimits};

use crate::ModelError;
use neurogauge_core::{Image, ModelIdentity};
use serde::{Deserialize, Serialize};
use std::num::NonZeroUsize;

/// A model that describes an image in a sentence.
///
/// The caption of an image does not depend on the other images of the call, nor on the number of threads.
pub trait Captioner: Send + Sync {
    /// Identifies the model and its weights.
    fn identity(&self) -> &ModelIdentity;

    /// One caption for each image, in their order. The images are preprocessed ones
    /// ([`ImagePreset::Published`](crate::ImagePreset)), all of the size that the model takes; all images of a call are
    /// in memory together.
    ///
    /// `progress` is called with the number of images finished since the last call.
    ///
    /// # Errors Images of a size that the model does not take ([`ModelError::Item`]); more tokens than it has positions
    /// for ([`ModelError::Usage`]); outputs from which no word can be chosen
    /// ([`KernelError::Logits`](crate::KernelError::Logits)).
    fn caption(
        &self,
        images: &[Image<f32>],
        options: &CaptionOptions,
        progress: &(dyn Fn(usize) + Sync),
    ) -> Result<Vec<String>, ModelError>;

    /// How many images a call should get; more if each call reads the weights again.
    fn images_per_call(&self) -> usize {
        8
    }
}

/// How a caption is written (convention `caption-decoding`).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct CaptionOptions {
    /// Number of beams; 1 is greedy search.
    pub n_beams: NonZeroUsize,
    /// Maximum number of tokens, including the end token.
    pub max_new_tokens: usize,
}

impl Default for CaptionOptions {
    /// SEED's settings: greedy, 50 tokens.
    fn default() -> Self {
        CaptionOptions {
            n_beams: NonZeroUsize::MIN,
            max_new_tokens: 50,
        }
    }
}
