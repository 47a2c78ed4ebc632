//! Parsers by id: which there are, where their weights come from, and how they are loaded.

use super::SceneGraphParser;
use crate::checkpoint::registry::{Architecture, MODELS, find_among};
use crate::checkpoint::weights::{DownloadProgress, WeightOptions, hash_checkpoint, obtain};
use crate::{ModelEntry, ModelError, WeightPrecision};
use neurogauge_core::ModelIdentity;
use std::path::{Path, PathBuf};

/// A scene-graph parser whose weights are at hand, not yet loaded. It runs on the processor.
///
/// ```
/// use neurogauge_models::{LocalSceneGraphParser, WeightOptions, weights::NoProgress};
/// assert_eq!(LocalSceneGraphParser::ids(), ["factual_t5"]);
/// let nowhere = LocalSceneGraphParser::obtain("factual_t5", &WeightOptions::default(), &NoProgress);
/// assert!(nowhere.unwrap_err().to_string().contains("flan-t5-base-VG-factual-sg"));
/// ```
#[derive(Debug, Clone)]
pub struct LocalSceneGraphParser {
    identity: ModelIdentity,
    weights: PathBuf,
}

impl LocalSceneGraphParser {
    /// Every id of the registry's parsers.
    pub fn ids() -> Vec<&'static str> {
        let parsers = MODELS.iter().filter(|entry| is_parser(entry.architecture));
        parsers.map(|entry| entry.id).collect()
    }

    /// Downloads what is not on this machine, where that is allowed.
    ///
    /// # Errors
    /// [`ModelError::UnknownModel`], and those of [`obtain`].
    pub fn obtain(
        id: &str,
        options: &WeightOptions,
        progress: &dyn DownloadProgress,
    ) -> Result<Self, ModelError> {
        let entry = find(id)?;
        let files = obtain(entry, options, progress)?;
        Ok(LocalSceneGraphParser {
            identity: entry.identity(files.sha256),
            weights: files.weights,
        })
    }

    /// The parser `id` with the weights of any checkpoint that fits, beside which its `config.json` and
    /// `tokenizer.json` lie; its identity is `<id>-custom` with the SHA-256 of the file.
    ///
    /// # Errors
    /// [`ModelError::UnknownModel`]; a file that cannot be read.
    pub fn custom(id: &str, path: &Path) -> Result<Self, ModelError> {
        let entry = find(id)?;
        let sha256 = hash_checkpoint(path)?;
        Ok(LocalSceneGraphParser {
            identity: ModelIdentity {
                id: format!("{}-custom", entry.id),
                revision: String::new(),
                sha256,
                stand_in: false,
            },
            weights: path.to_owned(),
        })
    }

    /// The same parser with its weights rounded (`weight-precision`), which its id then says.
    #[must_use]
    pub fn rounded(self, precision: WeightPrecision) -> Self {
        LocalSceneGraphParser {
            identity: precision.marked(self.identity),
            ..self
        }
    }

    /// Which weights these are.
    pub fn identity(&self) -> &ModelIdentity {
        &self.identity
    }

    /// Reads the weights.
    ///
    /// # Errors
    /// Those of [`SceneGraphParser::load`].
    pub fn load(&self) -> Result<SceneGraphParser, ModelError> {
        SceneGraphParser::load(&self.weights, self.identity.clone())
    }
}

fn is_parser(architecture: Architecture) -> bool {
    architecture == Architecture::T5
}

fn find(id: &str) -> Result<&'static ModelEntry, ModelError> {
    find_among(id, is_parser)
}
