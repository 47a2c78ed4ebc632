//! The numbers that shape a Qwen3.

use super::ARCHITECTURE;
use crate::ModelError;
use crate::blocks::GroupedHeads;
use crate::json_file::read_json;
use serde::Deserialize;
use serde_json::Value;
use std::path::Path;

/// The fields of `config.json` that matter, under the names that the file gives them, with transformers'
/// defaults.
#[derive(Debug, Clone, Deserialize)]
pub(crate) struct Config {
    pub(crate) vocab_size: usize,
    pub(crate) hidden_size: usize,
    pub(crate) intermediate_size: usize,
    pub(crate) num_hidden_layers: usize,
    num_attention_heads: usize,
    num_key_value_heads: Option<usize>,
    #[serde(default = "head_width")]
    head_dim: usize,
    #[serde(default = "positions")]
    pub(crate) max_position_embeddings: usize,
    #[serde(default = "epsilon")]
    pub(crate) rms_norm_eps: f64,
    /// As transformers 4 writes it.
    rope_theta: Option<f64>,
    rope_scaling: Option<Value>,
    /// As transformers 5 does.
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

fn head_width() -> usize {
    128
}

fn positions() -> usize {
    32_768
}

fn epsilon() -> f64 {
    1e-6
}

fn activation() -> String {
    "silu".to_owned()
}

impl Config {
    /// Reads `config.json` and refuses what the implementation would compute wrongly.
    pub(crate) fn read(path: &Path) -> Result<Self, ModelError> {
        let config: Config = read_json(path)?;
        match config.refused() {
            None => Ok(config),
            Some((field, found, expected)) => Err(ModelError::UnsupportedConfig {
                path: path.to_owned(),
                architecture: ARCHITECTURE,
                field,
                found,
                expected,
            }),
        }
    }

    /// A field, what it says, and what it may say.
    fn refused(&self) -> Option<(&'static str, String, String)> {
        let no = |field, found: &dyn ToString, expected: &str| {
            Some((field, found.to_string(), expected.to_owned()))
        };
        if self.model_type != "qwen3" {
            return no("model_type", &self.model_type, "qwen3");
        }
        if self.hidden_act != "silu" {
            return no("hidden_act", &self.hidden_act, "silu");
        }
        if self.attention_bias {
            return no("attention_bias", &true, "false");
        }
        let is_whole = |kind: &String| kind == "full_attention";
        if self.use_sliding_window || !self.layer_types.iter().flatten().all(is_whole) {
            let expected = "false, and full_attention in all layers";
            return no("use_sliding_window", &self.use_sliding_window, expected);
        }
        let parameters = self.rope_parameters.as_ref();
        let kind = parameters.and_then(|parameters| parameters.rope_type.as_deref());
        if let Some(kind) = kind.filter(|kind| *kind != "default") {
            return no("rope_parameters.rope_type", &kind, "default");
        }
        if let Some(scaling) = &self.rope_scaling {
            return no("rope_scaling", scaling, "null");
        }
        let theta = self.rope_theta();
        if !(theta.is_finite() && theta > 0.0) {
            return no("rope_theta", &theta, "a positive number");
        }
        let GroupedHeads {
            n_heads,
            n_key_heads,
            head_width,
        } = self.heads();
        for (field, number) in [
            ("vocab_size", self.vocab_size),
            ("hidden_size", self.hidden_size),
            ("intermediate_size", self.intermediate_size),
            ("num_attention_heads", n_heads),
            ("num_key_value_heads", n_key_heads),
            ("head_dim", head_width),
        ] {
            if number == 0 {
                return no(field, &number, "a positive number");
            }
        }
        if !n_heads.is_multiple_of(n_key_heads) {
            let expected = format!("a divisor of num_attention_heads = {n_heads}");
            return no("num_key_value_heads", &n_key_heads, &expected);
        }
        if !head_width.is_multiple_of(2) {
            return no("head_dim", &head_width, "an even number");
        }
        None
    }

    pub(crate) fn heads(&self) -> GroupedHeads {
        GroupedHeads {
            n_heads: self.num_attention_heads,
            n_key_heads: self.num_key_value_heads.unwrap_or(self.num_attention_heads),
            head_width: self.head_dim,
        }
    }

    /// What powers of angles are taken of.
    pub(crate) fn rope_theta(&self) -> f64 {
        let parameters = self.rope_parameters.as_ref();
        let theta = parameters.and_then(|parameters| parameters.rope_theta);
        theta.or(self.rope_theta).unwrap_or(10_000.0)
    }
}
