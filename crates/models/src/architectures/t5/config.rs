//! The numbers that shape a T5.

use super::ARCHITECTURE;
use crate::ModelError;
use crate::checkpoint::config_json::{ConfigJson, Refusal, whole};
use serde::Deserialize;

/// The fields of `config.json` that are used, under the file's names, with transformers' defaults.
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
    #[serde(default = "whole::<32>")]
    pub(crate) relative_attention_num_buckets: usize,
    #[serde(default = "whole::<128>")]
    pub(crate) relative_attention_max_distance: usize,
    #[serde(default = "epsilon")]
    pub(crate) layer_norm_epsilon: f64,
    /// The decoder starts with the padding token, since it has no start token.
    #[serde(default)]
    pad_token_id: u32,
    decoder_start_token_id: Option<u32>,
    #[serde(default = "end")]
    pub(crate) eos_token_id: u32,
    tie_word_embeddings: Option<bool>,
    /// Written by transformers 5, which always ties the embeddings; this field has the meaning that
    /// `tie_word_embeddings` had.
    scale_decoder_outputs: Option<bool>,
    #[serde(default = "feed_forward")]
    feed_forward_proj: String,
    model_type: String,
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

impl ConfigJson for Config {
    const ARCHITECTURE: &'static str = ARCHITECTURE;

    fn check(&self, refusal: &Refusal<'_>) -> Result<(), ModelError> {
        self.check_as("t5", refusal)
    }
}

impl Config {
    /// Like `check`, for a model that contains a T5 and has another `model_type`.
    pub(crate) fn check_as(&self, model_type: &str, refusal: &Refusal<'_>) -> Result<(), ModelError> {
        refusal.unless_equal("model_type", &self.model_type, model_type)?;
        let perceptron = &self.feed_forward_proj;
        let expected = "gated-gelu, as flan-t5 has it";
        refusal.unless(perceptron == "gated-gelu", "feed_forward_proj", perceptron, expected)?;
        refusal.unless_positive(&[
            ("vocab_size", self.vocab_size),
            ("d_model", self.d_model),
            ("d_kv", self.d_kv),
            ("d_ff", self.d_ff),
            ("num_layers", self.num_layers),
            ("num_decoder_layers", self.n_decoder_layers()),
            ("num_heads", self.num_heads),
        ])?;
        let n_buckets = self.relative_attention_num_buckets;
        refusal.unless(
            n_buckets >= 4 && n_buckets.is_multiple_of(4),
            "relative_attention_num_buckets",
            &n_buckets,
            "a multiple of 4, at least 4",
        )?;
        let distance = self.relative_attention_max_distance;
        refusal.unless(
            distance > n_buckets / 2,
            "relative_attention_max_distance",
            &distance,
            "more than half of relative_attention_num_buckets",
        )?;
        for (field, id) in [("decoder_start_token_id", self.start()), ("eos_token_id", self.eos_token_id)] {
            let is_known = (id as usize) < self.vocab_size;
            refusal.unless(is_known, field, &id, "an id of the vocabulary")?;
        }
        Ok(())
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

    /// The factor of the logits: 1 / √d_model, unless the configuration has a separate output map.
    pub(crate) fn logit_scale(&self) -> f64 {
        let tied = self.tie_word_embeddings != Some(false);
        if self.scale_decoder_outputs.unwrap_or(tied) {
            1.0 / (self.d_model as f64).sqrt()
        } else {
            1.0
        }
    }
}
