//! Questions about pictures: the traits of models that answer them in words and by yes or no, and such models by id.

pub use crate::observers::local_vlm::{AnswerOptions, Beginning, Vlm, WrittenAnswer, YesNoVlm};

use crate::ModelError;
use crate::architectures::clip_t5::{AnswerScore, ClipFlanT5};
use crate::architectures::qwen2_5_vl::Qwen25Vl;
use crate::checkpoint::model_files::{Local, ModelKind, beside};
use crate::observers::placeholders::ColourWords;
use crate::registry::{Architecture, ModelEntry};
use std::path::{Path, PathBuf};

/// The id under which [`ColourWords`] answers every question.
pub const PLACEHOLDER_VLM: &str = "placeholder-vlm";

/// Models that answer questions about pictures, as a kind of models.
#[derive(Debug, Clone, Copy)]
pub enum VlmKind {}

/// A model that answers questions, whose weights were found and are not loaded yet. It runs on the CPU.
///
/// ```
/// use neurogauge_models::WeightOptions;
/// use neurogauge_models::local_vlm::{LocalVlm, PLACEHOLDER_VLM};
/// let found = LocalVlm::locate(PLACEHOLDER_VLM, &WeightOptions::default())?.unwrap();
/// assert!(found.identity().stand_in);
/// let ids = ["qwen2.5-vl-7b", "qwen2.5-vl-3b", "clip_flant5_xl", "clip_flant5_xxl", "placeholder-vlm"];
/// assert_eq!(LocalVlm::ids(), ids);
/// # Ok::<(), neurogauge_models::ModelError>(())
/// ```
pub type LocalVlm = Local<VlmKind>;

impl ModelKind for VlmKind {
    const PLACEHOLDER: Option<[&str; 2]> = Some([PLACEHOLDER_VLM, ColourWords::ID]);
    fn includes(architecture: Architecture) -> bool {
        matches!(architecture, Architecture::Qwen25Vl | Architecture::ClipFlanT5)
    }

    fn further_files(entry: &ModelEntry, weights: &Path) -> Result<Vec<PathBuf>, ModelError> {
        let mut files = match LocalVlm::only_scores(entry.id) {
            true => ClipFlanT5::tower_files(weights)?,
            false => Vec::new(),
        };
        files.extend(beside(weights, entry.architecture.settings()));
        Ok(files)
    }
}

impl LocalVlm {
    /// Does the model `id` only give the probability of yes?
    ///
    /// ```
    /// use neurogauge_models::local_vlm::LocalVlm;
    /// assert!(LocalVlm::only_scores("clip_flant5_xl"));
    /// assert!(!LocalVlm::only_scores("qwen2.5-vl-7b"));
    /// ```
    pub fn only_scores(id: &str) -> bool {
        Self::entry(id).is_ok_and(|entry| entry.architecture == Architecture::ClipFlanT5)
    }

    /// Reads the weights of a model that answers in words.
    ///
    /// # Errors
    /// As in [`Qwen25Vl::load`]; a model that [only scores](Self::only_scores).
    pub fn load(&self) -> Result<Box<dyn Vlm>, ModelError> {
        Ok(match self.file() {
            Some((entry, _)) if Self::only_scores(entry.id) => {
                return Err(ModelError::item(format_args!("{} writes no text", entry.id)));
            }
            Some((_, path)) => Box::new(Qwen25Vl::load(path, self.identity.clone())?),
            None => Box::new(ColourWords),
        })
    }

    /// Reads the weights of a model that answers yes or no. `score` is for models that [only score](Self::only_scores).
    ///
    /// # Errors
    /// As in [`Qwen25Vl::load`] and [`ClipFlanT5::load`].
    pub fn load_yes_no(&self, score: AnswerScore) -> Result<Box<dyn YesNoVlm>, ModelError> {
        let identity = self.identity.clone();
        Ok(match self.file() {
            Some((entry, path)) if Self::only_scores(entry.id) => Box::new(ClipFlanT5::load(path, identity, score)?),
            Some((_, path)) => Box::new(Qwen25Vl::load(path, identity)?),
            None => Box::new(ColourWords),
        })
    }
}
