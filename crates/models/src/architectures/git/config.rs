//! The numbers that shape a GIT.

use super::ARCHITECTURE;
use crate::ModelError;
use crate::architectures::clip::{VisionConfig, VisionFields};
use crate::checkpoint::config_json::{ConfigJson, Refusal};
use neurogauge_kernels::generation::Ends;
use serde::Deserialize;

/// The fields of `config.json` that are used, under the file's names. Missing fields have transformers' defaults.
#[derive(Debug, Clone, Deserialize)]
#[serde(default)]
pub(crate) struct Config {
    vision_config: VisionFields,
    pub(crate) vocab_size: usize,
    pub(crate) hidden_size: usize,
    pub(crate) num_hidden_layers: usize,
    pub(crate) num_attention_heads: usize,
    pub(crate) intermediate_size: usize,
    pub(crate) max_position_embeddings: usize,
    pub(crate) layer_norm_eps: f64,
    pub(crate) bos_token_id: u32,
    eos_token_id: Ends,
    hidden_act: String,
    model_type: String,
    tie_word_embeddings: bool,
    num_image_with_embedding: Option<usize>,
}

/// Default patch size, px.
const PATCH_PX: usize = 16;

impl Default for Config {
    fn default() -> Self {
        Config {
            vision_config: VisionFields::default(),
            vocab_size: 30_522,
            hidden_size: 768,
            num_hidden_layers: 6,
            num_attention_heads: 12,
            intermediate_size: 3072,
            max_position_embeddings: 1024,
            layer_norm_eps: 1e-12,
            bos_token_id: 101,
            eos_token_id: Ends::One(102),
            hidden_act: "gelu".to_owned(),
            model_type: "git".to_owned(),
            tie_word_embeddings: false,
            num_image_with_embedding: None,
        }
    }
}

impl ConfigJson for Config {
    const ARCHITECTURE: &'static str = ARCHITECTURE;

    fn check(&self, refusal: &Refusal<'_>) -> Result<(), ModelError> {
        let own = self;
        refusal.unless_equal("model_type", &own.model_type, "git")?;
        refusal.unless_equal("hidden_act", &own.hidden_act, "gelu")?;
        refusal.unless_equal("tie_word_embeddings", &own.tie_word_embeddings, false)?;
        let frames = own.num_image_with_embedding.unwrap_or(0);
        refusal.unless(frames == 0, "num_image_with_embedding", &frames, "null (a model of single images)")?;
        let n_heads = own.num_attention_heads;
        refusal.unless_heads_fill(own.hidden_size, "num_attention_heads", n_heads)?;
        self.vision_config.check(PATCH_PX, refusal)
    }
}

impl Config {
    /// The shape of the image encoder.
    pub(crate) fn vision(&self) -> VisionConfig {
        self.vision_config.tower(PATCH_PX, ARCHITECTURE, self.hidden_size)
    }

    /// The tokens that end a caption.
    pub(crate) fn ends(&self) -> Vec<u32> {
        self.eos_token_id.ids()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn what_would_be_computed_wrongly_is_refused_with_its_field() {
        assert!(Config::from_text("{}").is_ok());
        for (config, field) in [
            (json!({"model_type": "blip"}), "model_type"),
            (json!({"hidden_act": "relu"}), "hidden_act"),
            (json!({"tie_word_embeddings": true}), "tie_word_embeddings"),
            (json!({"num_image_with_embedding": 6}), "num_image_with_embedding"),
            (json!({"num_attention_heads": 0}), "num_attention_heads"),
            (json!({"num_attention_heads": 7}), "num_attention_heads"),
            (json!({"vision_config": {"num_attention_heads": 16}}), "vision_config.num_attention_heads"),
            (json!({"vision_config": {"patch_size": 0}}), "vision_config.patch_size"),
            (json!({"vision_config": {"patch_size": 500}}), "vision_config.patch_size"),
            (json!({"vision_config": {"hidden_act": "gelu"}}), "vision_config.hidden_act"),
            (json!({"vision_config": {"num_channels": 1}}), "vision_config.num_channels"),
            (json!({"vision_config": {"layer_norm_eps": 1e-6}}), "vision_config.layer_norm_eps"),
        ] {
            let message = Config::from_text(&config.to_string()).unwrap_err().to_string();
            assert!(message.contains(field), "{field}: {message}");
        }
        assert!(Config::from_text(r#"{"vocab_size": "many"}"#).is_err());
    }
}
