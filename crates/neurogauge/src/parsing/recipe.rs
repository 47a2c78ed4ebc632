//! All that decides the graph of a caption, but the caption.

use crate::Error;
use crate::caption_sentences::SentenceRecipe;
use crate::journal;
use crate::model_weights::{DownloadBar, weight_options};
use crate::progress::Progress;
use crate::request::RunSettings;
use neurogauge_core::ModelIdentity;
use neurogauge_models::{LocalSceneGraphParser, ModelError, ParserOptions};
use serde::{Deserialize, Serialize};

/// The parser of `--parser t5`.
pub const DEFAULT_PARSER: &str = "factual_t5";

/// How scene graphs were made from captions.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct GraphRecipe {
    /// Which weights.
    pub model: ModelIdentity,
    /// Beams and limits.
    pub options: ParserOptions,
    /// How captions were split into sentences.
    pub sentences: SentenceRecipe,
}

impl GraphRecipe {
    /// The journal key of the graph of a caption.
    pub(super) fn key(&self, caption: &str) -> String {
        let recipe = serde_json::to_string(self).unwrap_or_default();
        journal::key(&[env!("CARGO_PKG_VERSION"), "scene_graph", &recipe, caption])
    }
}

/// The weights of a parser; those that are not here are downloaded where that is allowed.
pub(super) fn obtain(
    id: &str,
    settings: &RunSettings,
    progress: &dyn Progress,
) -> Result<LocalSceneGraphParser, Error> {
    let own = settings.checkpoints.iter().find(|(model, _)| model == id);
    let found = match own {
        Some((_, path)) => LocalSceneGraphParser::custom(id, path),
        None => {
            LocalSceneGraphParser::obtain(id, &weight_options(settings), &DownloadBar(progress))
        }
    };
    let found = found.map(|parser| parser.rounded(settings.weight_precision));
    found.map_err(|error| match error {
        ModelError::WeightsNotFound { .. } | ModelError::Download { .. } => {
            Error::ParserWeights { source: error }
        }
        other => other.into(),
    })
}
