//! The checks of a BLIP-2 configuration: anything that this implementation cannot compute is refused.

use super::Config;
use crate::ModelError;
use crate::architectures::blip2::ARCHITECTURE;
use crate::checkpoint::config_json::{ConfigJson, Refusal};

impl ConfigJson for Config {
    const ARCHITECTURE: &'static str = ARCHITECTURE;

    fn check(&self, refusal: &Refusal<'_>) -> Result<(), ModelError> {
        let (vision, queries, text) = (&self.vision_config, &self.qformer_config, &self.text_config);
        refusal.unless_equal("model_type", &self.model_type, "blip-2")?;
        let opt = "opt (BLIP-2 with another language model is not supported)";
        let model = &text.model_type;
        refusal.unless(model == "opt", "text_config.model_type", model, opt)?;
        for (field, found, expected) in [
            ("text_config.activation_function", &text.activation_function, "relu"),
            ("vision_config.hidden_act", &vision.hidden_act, "gelu"),
            ("qformer_config.hidden_act", &queries.hidden_act, "gelu"),
        ] {
            refusal.unless_equal(field, found, expected)?;
        }
        let reads_text = queries.use_qformer_text_input;
        let field = "qformer_config.use_qformer_text_input";
        refusal.unless(!reads_text, field, &reads_text, "false (a model of captions)")?;
        let before = text.do_layer_norm_before;
        let removed = text._remove_final_layer_norm;
        let affine = text.layer_norm_elementwise_affine;
        for (field, found, expected) in [
            ("vision_config.qkv_bias", vision.qkv_bias, true),
            ("text_config.do_layer_norm_before", before, true),
            ("text_config._remove_final_layer_norm", removed, false),
            ("text_config.enable_bias", text.enable_bias, true),
            ("text_config.layer_norm_elementwise_affine", affine, true),
        ] {
            refusal.unless_equal(field, &found, expected)?;
        }
        let field = "vision_config.num_attention_heads";
        refusal.unless_heads_fill(vision.hidden_size, field, vision.num_attention_heads)?;
        let field = "qformer_config.num_attention_heads";
        refusal.unless_heads_fill(queries.hidden_size, field, queries.num_attention_heads)?;
        let field = "text_config.num_attention_heads";
        refusal.unless_heads_fill(text.hidden_size, field, text.num_attention_heads)?;
        refusal.unless_positive(&[
            ("num_query_tokens", self.num_query_tokens),
            ("vision_config.intermediate_size", vision.intermediate_size),
            ("qformer_config.intermediate_size", queries.intermediate_size),
            ("qformer_config.cross_attention_frequency", queries.cross_attention_frequency),
            ("text_config.ffn_dim", text.ffn_dim),
        ])?;
        let field = "vision_config.patch_size";
        refusal.unless_patches_fit(vision.image_size, field, vision.patch_size)?;
        let proj = text.word_embed_proj_dim.unwrap_or(text.hidden_size);
        refusal.unless(
            proj == text.hidden_size,
            "text_config.word_embed_proj_dim",
            &proj,
            &format!("hidden_size = {}", text.hidden_size),
        )?;
        refusal.unless(
            (text.bos_token_id as usize) < text.vocab_size,
            "text_config.bos_token_id",
            &text.bos_token_id,
            "an id of the vocabulary",
        )?;
        refusal.unless(
            text.max_position_embeddings > self.num_query_tokens,
            "text_config.max_position_embeddings",
            &text.max_position_embeddings,
            &format!("more than num_query_tokens = {}", self.num_query_tokens),
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    /// The fields of the published `config.json` that are used.
    #[test]
    fn the_published_configuration_is_that_of_opt_2_7b() {
        let config = json!({
            "model_type": "blip-2", "num_query_tokens": 32, "image_token_index": 50265,
            "use_decoder_only_language_model": true,
            "qformer_config": { "classifier_dropout": null, "model_type": "blip_2_qformer" },
            "vision_config": { "dropout": 0.0, "model_type": "blip_2_vision_model" },
            "text_config": {
                "model_type": "opt", "eos_token_id": 50118, "ffn_dim": 10240, "hidden_size": 2560,
                "num_attention_heads": 32, "num_hidden_layers": 32, "vocab_size": 50304,
                "word_embed_proj_dim": 2560, "activation_dropout": 0.0, "prefix": "</s>",
            },
        });
        let config = Config::from_text(&config.to_string()).unwrap();
        assert_eq!(config.ends(), [50118]);
        assert_eq!(config.max_new_tokens(), 2048 - 32);
        assert_eq!(config.vision_config.hidden_size, 1408);
        assert_eq!(config.text_config.bos_token_id, 2);
    }

    #[test]
    fn what_would_be_computed_wrongly_is_refused_with_its_field() {
        assert!(Config::from_text("{}").is_ok());
        for (part, field, value) in [
            ("", "model_type", json!("blip")),
            ("", "num_query_tokens", json!(0)),
            ("text_config", "model_type", json!("t5")),
            ("text_config", "activation_function", json!("gelu")),
            ("text_config", "do_layer_norm_before", json!(false)),
            ("text_config", "_remove_final_layer_norm", json!(true)),
            ("text_config", "word_embed_proj_dim", json!(512)),
            ("text_config", "enable_bias", json!(false)),
            ("text_config", "layer_norm_elementwise_affine", json!(false)),
            ("text_config", "num_attention_heads", json!(7)),
            ("text_config", "bos_token_id", json!(50_272)),
            ("text_config", "max_position_embeddings", json!(32)),
            ("text_config", "ffn_dim", json!(0)),
            ("vision_config", "hidden_act", json!("quick_gelu")),
            ("vision_config", "qkv_bias", json!(false)),
            ("vision_config", "num_attention_heads", json!(0)),
            ("vision_config", "patch_size", json!(0)),
            ("vision_config", "patch_size", json!(500)),
            ("qformer_config", "hidden_act", json!("relu")),
            ("qformer_config", "use_qformer_text_input", json!(true)),
            ("qformer_config", "cross_attention_frequency", json!(0)),
            ("qformer_config", "num_attention_heads", json!(11)),
        ] {
            let fields = json!({ field: value });
            let (config, name) = match part {
                "" => (fields, field.to_owned()),
                _ => (json!({ part: fields }), format!("{part}.{field}")),
            };
            let error = Config::from_text(&config.to_string()).unwrap_err();
            let message = error.to_string();
            assert!(message.contains(&name), "{name}: {message}");
        }
        assert!(Config::from_text(r#"{"num_query_tokens": "many"}"#).is_err());
    }
}
