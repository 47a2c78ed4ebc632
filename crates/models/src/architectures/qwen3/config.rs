//! The numbers that shape a Qwen3.

use super::ARCHITECTURE;
use crate::ModelError;
use crate::checkpoint::config_json::{ConfigJson, Refusal, whole};
use neurogauge_kernels::blocks::GroupedHeads;
use serde::Deserialize;
use serde_json::Value;

/// The fields of `config.json` that are used, under the file's names, with transformers' defaults.
#[derive(Debug, Clone, Deserialize)]
pub(crate) struct Config {
    pub(crate) vocab_size: usize,
    pub(crate) hidden_size: usize,
    pub(crate) intermediate_size: usize,
    pub(crate) num_hidden_layers: usize,
    num_attention_heads: usize,
    num_key_value_heads: Option<usize>,
    #[serde(default = "whole::<128>")]
    head_dim: usize,
    #[serde(default = "whole::<32_768>")]
    pub(crate) max_position_embeddings: usize,
    #[serde(default = "epsilon")]
    pub(crate) rms_norm_eps: f64,
    /// Written by transformers 4.
    rope_theta: Option<f64>,
    rope_scaling: Option<Value>,
    /// Written by transformers 5.
    rope_parameters: Option<RopeParameters>,
    #[serde(default = "activation")]
    hidden_act: String,
    #[serde(default)]
    attention_bias: bool,
    #[serde(default)]
    use_sliding_window: bool,
    layer_types: Option<Vec<String>>,
    model_type: String,
}

#[derive(Debug, Clone, Deserialize)]
struct RopeParameters {
    rope_type: Option<String>,
    rope_theta: Option<f64>,
}

fn epsilon() -> f64 {
    1e-6
}

fn activation() -> String {
    "silu".to_owned()
}

impl ConfigJson for Config {
    const ARCHITECTURE: &'static str = ARCHITECTURE;

    fn check(&self, refusal: &Refusal<'_>) -> Result<(), ModelError> {
        refusal.unless_equal("model_type", &self.model_type, "qwen3")?;
        refusal.unless_equal("hidden_act", &self.hidden_act, "silu")?;
        refusal.unless_equal("attention_bias", &self.attention_bias, false)?;
        let is_whole = |kind: &String| kind == "full_attention";
        refusal.unless(
            !self.use_sliding_window && self.layer_types.iter().flatten().all(is_whole),
            "use_sliding_window",
            &self.use_sliding_window,
            "false, and full_attention in all layers",
        )?;
        let parameters = self.rope_parameters.as_ref();
        let kind = parameters.and_then(|parameters| parameters.rope_type.as_deref());
        if let Some(kind) = kind {
            refusal.unless_equal("rope_parameters.rope_type", &kind, "default")?;
        }
        if let Some(scaling) = &self.rope_scaling {
            return Err(refusal.of("rope_scaling", scaling, "null"));
        }
        let theta = self.rope_theta();
        let is_positive = theta.is_finite() && theta > 0.0;
        refusal.unless(is_positive, "rope_theta", &theta, "a positive number")?;
        let GroupedHeads {
            n_heads,
            n_key_heads,
            head_width,
        } = self.heads();
        refusal.unless_positive(&[
            ("vocab_size", self.vocab_size),
            ("hidden_size", self.hidden_size),
            ("intermediate_size", self.intermediate_size),
            ("num_attention_heads", n_heads),
            ("num_key_value_heads", n_key_heads),
            ("head_dim", head_width),
        ])?;
        refusal.unless(
            n_heads.is_multiple_of(n_key_heads),
            "num_key_value_heads",
            &n_key_heads,
            &format!("a divisor of num_attention_heads = {n_heads}"),
        )?;
        let is_even = head_width.is_multiple_of(2);
        refusal.unless(is_even, "head_dim", &head_width, "an even number")
    }
}

impl Config {
    pub(crate) fn heads(&self) -> GroupedHeads {
        GroupedHeads {
            n_heads: self.num_attention_heads,
            n_key_heads: self.num_key_value_heads.unwrap_or(self.num_attention_heads),
            head_width: self.head_dim,
        }
    }

    /// The base of the rotation angles.
    pub(crate) fn rope_theta(&self) -> f64 {
        let parameters = self.rope_parameters.as_ref();
        parameters.and_then(|parameters| parameters.rope_theta).or(self.rope_theta).unwrap_or(10_000.0)
    }
}
