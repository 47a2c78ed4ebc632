//! The numbers that shape a BERT.

use super::ARCHITECTURE;
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
    pub(crate) type_vocab_size: usize,
    pub(crate) layer_norm_eps: f64,
    hidden_act: String,
    model_type: String,
    #[serde(default = "absolute")]
    position_embedding_type: String,
}

fn absolute() -> String {
    "absolute".to_owned()
}

impl Config {
    /// Reads `config.json` and refuses what the implementation would compute wrongly.
    pub(crate) fn read(path: &Path) -> Result<Self, ModelError> {
        let config: Config = read_json(path)?;
        config.check(path)?;
        Ok(config)
    }

    /// Refuses what the implementation would compute wrongly, naming the file that it stands in.
    pub(crate) fn check(&self, path: &Path) -> Result<(), ModelError> {
        let config = self;
        let unsupported = |field, found: &str, expected: &str| ModelError::UnsupportedConfig {
            path: path.to_owned(),
            architecture: ARCHITECTURE,
            field,
            found: found.to_owned(),
            expected: expected.to_owned(),
        };
        if config.model_type != "bert" {
            return Err(unsupported("model_type", &config.model_type, "bert"));
        }
        if config.hidden_act != "gelu" {
            return Err(unsupported("hidden_act", &config.hidden_act, "gelu"));
        }
        if config.position_embedding_type != "absolute" {
            let found = &config.position_embedding_type;
            return Err(unsupported("position_embedding_type", found, "absolute"));
        }
        let n_heads = config.num_attention_heads;
        if n_heads == 0 || config.hidden_size == 0 || !config.hidden_size.is_multiple_of(n_heads) {
            return Err(unsupported(
                "num_attention_heads",
                &n_heads.to_string(),
                &format!("a divisor of hidden_size = {}", config.hidden_size),
            ));
        }
        Ok(())
    }
}
