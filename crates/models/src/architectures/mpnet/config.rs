//! The numbers that shape an MPNet.

use super::{ARCHITECTURE, N_BUCKETS, PADDING};
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
    pub(crate) layer_norm_eps: f64,
    #[serde(default = "buckets")]
    relative_attention_num_buckets: usize,
    hidden_act: String,
    model_type: String,
}

fn buckets() -> usize {
    N_BUCKETS
}

impl ConfigJson for Config {
    const ARCHITECTURE: &'static str = ARCHITECTURE;

    fn check(&self, refusal: &Refusal<'_>) -> Result<(), ModelError> {
        refusal.unless_equal("model_type", &self.model_type, "mpnet")?;
        refusal.unless_equal("hidden_act", &self.hidden_act, "gelu")?;
        let n_buckets = self.relative_attention_num_buckets;
        refusal.unless(
            n_buckets == N_BUCKETS,
            "relative_attention_num_buckets",
            &n_buckets,
            &format!("{N_BUCKETS}, which transformers always computes with"),
        )?;
        let n_heads = self.num_attention_heads;
        refusal.unless_heads_fill(self.hidden_size, "num_attention_heads", n_heads)
    }
}

impl Config {
    /// For so many tokens there are positions: all but those up to the padding token's.
    pub(crate) fn n_positions(&self) -> usize {
        let first = PADDING as usize + 1;
        self.max_position_embeddings.saturating_sub(first)
    }
}
