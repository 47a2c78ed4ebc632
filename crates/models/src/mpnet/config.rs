//! The numbers that shape an MPNet.

use super::{ARCHITECTURE, N_BUCKETS, PADDING};
use crate::ModelError;
use crate::json_file::read_json;
use serde::Deserialize;
use std::path::Path;

/// The fields of `config.json` that matter, under the names that the file gives them.
#[derive(Debug, Clone, Deserialize)]
pub(crate) struct Config {
    pub(crate) vocab_size: usize,
    pub(crate) hidden_size: usize,
    pub(crate) num_hidden_layers: usize,
    pub(crate) num_attention_heads: usize,
    pub(crate) intermediate_size: usize,
    pub(crate) max_position_embeddings: usize,
    pub(crate) layer_norm_eps: f64,
    #[serde(default = "buckets")]
    relative_attention_num_buckets: usize,
    hidden_act: String,
    model_type: String,
}

fn buckets() -> usize {
    N_BUCKETS
}

impl Config {
    /// Reads `config.json` and refuses what the implementation would compute wrongly.
    pub(crate) fn read(path: &Path) -> Result<Self, ModelError> {
        let config: Config = read_json(path)?;
        let unsupported = |field, found: &str, expected: &str| {
            Err(ModelError::UnsupportedConfig {
                path: path.to_owned(),
                architecture: ARCHITECTURE,
                field,
                found: found.to_owned(),
                expected: expected.to_owned(),
            })
        };
        if config.model_type != "mpnet" {
            return unsupported("model_type", &config.model_type, "mpnet");
        }
        if config.hidden_act != "gelu" {
            return unsupported("hidden_act", &config.hidden_act, "gelu");
        }
        let n_buckets = config.relative_attention_num_buckets;
        if n_buckets != N_BUCKETS {
            let expected = format!("{N_BUCKETS}, which transformers always computes with");
            return unsupported(
                "relative_attention_num_buckets",
                &n_buckets.to_string(),
                &expected,
            );
        }
        let n_heads = config.num_attention_heads;
        if n_heads == 0 || config.hidden_size == 0 || !config.hidden_size.is_multiple_of(n_heads) {
            let expected = format!("a divisor of hidden_size = {}", config.hidden_size);
            return unsupported("num_attention_heads", &n_heads.to_string(), &expected);
        }
        Ok(config)
    }

    /// For so many tokens there are positions: all but those up to the padding token's.
    pub(crate) fn n_positions(&self) -> usize {
        let first = PADDING as usize + 1;
        self.max_position_embeddings.saturating_sub(first)
    }
}
