//! The numbers that shape a T5.

use super::ARCHITECTURE;
use crate::ModelError;
use crate::json_file::read_json;
use serde::Deserialize;
use std::path::Path;

/// The fields of `config.json` that matter, under the names that the file gives them, with transformers'
/// defaults.
#[derive(Debug, Clone, Deserialize)]
pub(crate) struct Config {
    pub(crate) vocab_size: usize,
    pub(crate) d_model: usize,
    /// Width of a head. All heads together may be wider or narrower than the model.
    pub(crate) d_kv: usize,
    pub(crate) d_ff: usize,
    pub(crate) num_layers: usize,
    num_decoder_layers: Option<usize>,
    pub(crate) num_heads: usize,
    #[serde(default = "buckets")]
    pub(crate) relative_attention_num_buckets: usize,
    #[serde(default = "distance")]
    pub(crate) relative_attention_max_distance: usize,
    #[serde(default = "epsilon")]
    pub(crate) layer_norm_epsilon: f64,
    /// In place of a start token of its own, the decoder has the padding token.
    #[serde(default)]
    pad_token_id: u32,
    decoder_start_token_id: Option<u32>,
    #[serde(default = "end")]
    pub(crate) eos_token_id: u32,
    tie_word_embeddings: Option<bool>,
    /// Written by transformers 5, which ties always and keeps in this field what the other one used to say.
    scale_decoder_outputs: Option<bool>,
    #[serde(default = "feed_forward")]
    feed_forward_proj: String,
    model_type: String,
}

fn buckets() -> usize {
    32
}

fn distance() -> usize {
    128
}

fn epsilon() -> f64 {
    1e-6
}

fn end() -> u32 {
    1
}

fn feed_forward() -> String {
    "relu".to_owned()
}

impl Config {
    /// Reads `config.json` and refuses what the implementation would compute wrongly.
    pub(crate) fn read(path: &Path) -> Result<Self, ModelError> {
        let config: Config = read_json(path)?;
        let unsupported = |field, found: String, expected: &str| {
            Err(ModelError::UnsupportedConfig {
                path: path.to_owned(),
                architecture: ARCHITECTURE,
                field,
                found,
                expected: expected.to_owned(),
            })
        };
        if config.model_type != "t5" {
            return unsupported("model_type", config.model_type, "t5");
        }
        if config.feed_forward_proj != "gated-gelu" {
            let expected = "gated-gelu, as flan-t5 has it";
            return unsupported("feed_forward_proj", config.feed_forward_proj, expected);
        }
        for (field, number) in [
            ("vocab_size", config.vocab_size),
            ("d_model", config.d_model),
            ("d_kv", config.d_kv),
            ("d_ff", config.d_ff),
            ("num_layers", config.num_layers),
            ("num_decoder_layers", config.n_decoder_layers()),
            ("num_heads", config.num_heads),
        ] {
            if number == 0 {
                return unsupported(field, "0".to_owned(), "a positive number");
            }
        }
        let n_buckets = config.relative_attention_num_buckets;
        if n_buckets < 4 || !n_buckets.is_multiple_of(4) {
            let expected = "a multiple of 4, at least 4";
            return unsupported(
                "relative_attention_num_buckets",
                n_buckets.to_string(),
                expected,
            );
        }
        let distance = config.relative_attention_max_distance;
        if distance <= n_buckets / 2 {
            let expected = "more than half of relative_attention_num_buckets";
            return unsupported(
                "relative_attention_max_distance",
                distance.to_string(),
                expected,
            );
        }
        for (field, id) in [
            ("decoder_start_token_id", config.start()),
            ("eos_token_id", config.eos_token_id),
        ] {
            if id as usize >= config.vocab_size {
                return unsupported(field, id.to_string(), "an id of the vocabulary");
            }
        }
        Ok(config)
    }

    /// Width of all heads together.
    pub(crate) fn inner_width(&self) -> usize {
        self.num_heads * self.d_kv
    }

    pub(crate) fn n_decoder_layers(&self) -> usize {
        self.num_decoder_layers.unwrap_or(self.num_layers)
    }

    /// The token that the decoder begins with.
    pub(crate) fn start(&self) -> u32 {
        self.decoder_start_token_id.unwrap_or(self.pad_token_id)
    }

    /// What the logits are multiplied by: 1 / √d_model, unless the output map is said to be one of its own.
    pub(crate) fn logit_scale(&self) -> f64 {
        let tied = self.tie_word_embeddings != Some(false);
        if self.scale_decoder_outputs.unwrap_or(tied) {
            1.0 / (self.d_model as f64).sqrt()
        } else {
            1.0
        }
    }
}
