//! Text encoders by id.

use crate::architectures::bert::{self, MINILM, MPNET};
use crate::checkpoint::model_files::{Local, ModelKind};
use crate::observers::placeholders::HashedWords;
use crate::registry::Architecture;
use crate::{ClipText, ModelError, Qwen3Embedding, TextEncoder};

/// The id under which [`HashedWords`] is found.
pub const PLACEHOLDER_TEXT_ENCODER: &str = "placeholder";

/// Text encoders as a kind of models: they turn texts into vectors.
#[derive(Debug, Clone, Copy)]
pub enum TextEncoding {}

/// A text encoder whose weights were found and are not loaded yet.
///
/// ```
/// use neurogauge_models::{LocalTextEncoder, PLACEHOLDER_TEXT_ENCODER, WeightOptions, weights::NoProgress};
/// let found = LocalTextEncoder::obtain(PLACEHOLDER_TEXT_ENCODER, &WeightOptions::default(), &NoProgress)?;
/// assert_eq!(found.load()?.n_features(), 256);
/// let ids = ["all-MiniLM-L6-v2", "all-mpnet-base-v2", "Qwen3-Embedding-0.6B", "clip_vit_b_32_text", "placeholder"];
/// assert_eq!(LocalTextEncoder::ids(), ids);
/// # Ok::<(), neurogauge_models::ModelError>(())
/// ```
pub type LocalTextEncoder = Local<TextEncoding>;

impl ModelKind for TextEncoding {
    const PLACEHOLDER: Option<[&str; 2]> = Some([PLACEHOLDER_TEXT_ENCODER, HashedWords::ID]);
    fn includes(architecture: Architecture) -> bool {
        architecture.is_of_sentences()
    }
}

impl LocalTextEncoder {
    /// Reads the weights, and the files beside them.
    ///
    /// # Errors
    /// As in [`MiniLm::load`](crate::MiniLm::load), [`MpNet::load`](crate::MpNet::load), [`Qwen3Embedding::load`]
    /// and [`ClipText::load`].
    pub fn load(&self) -> Result<Box<dyn TextEncoder>, ModelError> {
        let Some((entry, path)) = self.file() else {
            return Ok(Box::new(HashedWords));
        };
        let identity = self.identity.clone();
        Ok(match entry.architecture {
            Architecture::ClipText => Box::new(ClipText::of_file(path, identity)?),
            Architecture::MpNet => Box::new(bert::of_file(path, identity, &MPNET)?),
            Architecture::Qwen3Embedding => Box::new(Qwen3Embedding::of_file(path, identity)?),
            _ => Box::new(bert::of_file(path, identity, &MINILM)?),
        })
    }
}
