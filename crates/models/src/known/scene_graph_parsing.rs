//! Parsers by id.

use crate::checkpoint::model_files::{Local, ModelKind};
use crate::registry::Architecture;
use crate::{ModelError, SceneGraphParser};

/// Scene-graph parsers as a kind of models, which has no placeholder.
#[derive(Debug, Clone, Copy)]
pub enum SceneGraphParsing {}

/// A scene-graph parser whose weights were found and are not loaded yet.
///
/// ```
/// use neurogauge_models::{LocalSceneGraphParser, WeightOptions, weights::NoProgress};
/// assert_eq!(LocalSceneGraphParser::ids(), ["factual_t5"]);
/// let nowhere = LocalSceneGraphParser::obtain("factual_t5", &WeightOptions::default(), &NoProgress);
/// assert!(nowhere.unwrap_err().to_string().contains("flan-t5-base-VG-factual-sg"));
/// ```
pub type LocalSceneGraphParser = Local<SceneGraphParsing>;

impl ModelKind for SceneGraphParsing {
    fn includes(architecture: Architecture) -> bool {
        architecture == Architecture::T5
    }
}

impl LocalSceneGraphParser {
    /// Reads the weights.
    ///
    /// # Errors
    /// As in [`SceneGraphParser::load`].
    pub fn load(&self) -> Result<SceneGraphParser, ModelError> {
        match self.file() {
            Some((_, path)) => SceneGraphParser::load(path, self.identity.clone()),
            None => Err(Self::unknown(&self.identity.id)),
        }
    }
}
