//! Text encoders by id.

use super::TextEncoder;
use crate::checkpoint::model_files::{Local, ModelKind};
use crate::observers::placeholders::HashedWords;
use crate::registry::Architecture;
use crate::{Arithmetic, ClipText, MiniLm, ModelError, MpNet, Qwen3Embedding};
use neurogauge_core::ModelIdentity;
use std::path::Path;

/// The id under which [`HashedWords`] is found.
pub const PLACEHOLDER_TEXT_ENCODER: &str = "placeholder";

/// The kind of models that turn texts into vectors.
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
    fn includes(architecture: Architecture) -> bool {
        architecture.is_of_sentences()
    }

    fn placeholder() -> Option<(&'static str, ModelIdentity)> {
        Some((
            PLACEHOLDER_TEXT_ENCODER,
            HashedWords::new().identity().clone(),
        ))
    }
}

impl LocalTextEncoder {
    /// Reads the weights, and the files beside them.
    ///
    /// # Errors
    /// Those of [`MiniLm::load`], [`MpNet::load`], [`Qwen3Embedding::load`] and [`ClipText::load`].
    pub fn load(&self) -> Result<Box<dyn TextEncoder>, ModelError> {
        let Some((entry, path)) = self.file() else {
            return Ok(Box::new(HashedWords::new()));
        };
        let dir = path.parent().unwrap_or(Path::new(""));
        if entry.architecture == Architecture::ClipText {
            let tower = ClipText::of_file(path, self.identity.clone())?;
            return Ok(Box::new(tower));
        }
        let arithmetic = Arithmetic::of(&self.identity);
        let encoder = match entry.architecture {
            Architecture::MpNet => MpNet::load_as(dir, arithmetic),
            Architecture::Qwen3Embedding => Qwen3Embedding::load_as(dir, arithmetic),
            _ => MiniLm::load_as(dir, arithmetic),
        };
        Ok(Box::new(encoder?))
    }
}
