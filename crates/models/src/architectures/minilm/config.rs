//! The numbers that shape a BERT.

use super::ARCHITECTURE;
use crate::ModelError;
use crate::checkpoint::config_json::{ConfigJson, Refusal};
use serde::Deserialize;

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

impl ConfigJson for Config {
    const ARCHITECTURE: &'static str = ARCHITECTURE;

    fn check(&self, refusal: &Refusal<'_>) -> Result<(), ModelError> {
        refusal.unless_equal("model_type", &self.model_type, "bert")?;
        refusal.unless_equal("hidden_act", &self.hidden_act, "gelu")?;
        let positions = &self.position_embedding_type;
        refusal.unless_equal("position_embedding_type", positions, "absolute")?;
        let n_heads = self.num_attention_heads;
        refusal.unless_heads_fill(self.hidden_size, "num_attention_heads", n_heads)
    }
}
