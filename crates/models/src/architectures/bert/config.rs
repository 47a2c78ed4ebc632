//! The numbers that shape a BERT or an MPNet.

use super::Variant;
use crate::ModelError;
use crate::checkpoint::config_json::Refusal;
use crate::checkpoint::config_json::read_json;
use serde::Deserialize;
use std::path::Path;

/// The fields of `config.json` that are used, under the file's names.
#[derive(Debug, Clone, Deserialize)]
pub(crate) struct Config {
    pub(crate) vocab_size: usize,
    pub(crate) hidden_size: usize,
    pub(crate) num_hidden_layers: usize,
    pub(crate) num_attention_heads: usize,
    pub(crate) intermediate_size: usize,
    pub(crate) max_position_embeddings: usize,
    #[serde(default)]
    pub(super) type_vocab_size: usize,
    pub(crate) layer_norm_eps: f64,
    hidden_act: String,
    model_type: String,
    position_embedding_type: Option<String>,
    relative_attention_num_buckets: Option<usize>,
}

impl Config {
    /// Reads the file and refuses configurations that the implementation would compute wrongly.
    pub(super) fn read(path: &Path, variant: &Variant) -> Result<Self, ModelError> {
        read_json::<Self>(path)?.checked(path, variant)
    }

    /// Checks that the configuration can be computed; `path` is its file, for messages.
    pub(crate) fn checked(self, path: &Path, variant: &Variant) -> Result<Self, ModelError> {
        let architecture = variant.architecture;
        let refusal = Refusal { path, architecture };
        refusal.unless_equal("model_type", &self.model_type, variant.model_type)?;
        refusal.unless_equal("hidden_act", &self.hidden_act, "gelu")?;
        if variant.has_token_types {
            let n_types = self.type_vocab_size;
            refusal.unless(n_types > 0, "type_vocab_size", &n_types, "at least 1")?;
        }
        match (&variant.distances, &self.position_embedding_type) {
            (None, Some(positions)) => {
                refusal.unless_equal("position_embedding_type", positions, "absolute")?;
            }
            (Some(distances), _) => {
                let known = distances.n_buckets;
                let found = self.relative_attention_num_buckets.unwrap_or(known);
                refusal.unless(
                    found == known,
                    "relative_attention_num_buckets",
                    &found,
                    &format!("{known}, which transformers always computes with"),
                )?;
            }
            (None, None) => {}
        }
        let n_heads = self.num_attention_heads;
        refusal.unless_heads_fill(self.hidden_size, "num_attention_heads", n_heads)?;
        Ok(self)
    }

    /// Number of tokens that have a position: all positions, or those after the padding token's.
    pub(super) fn n_positions(&self, variant: &Variant) -> usize {
        let first = variant.padding.map_or(0, |padding| padding as usize + 1);
        self.max_position_embeddings.saturating_sub(first)
    }
}
