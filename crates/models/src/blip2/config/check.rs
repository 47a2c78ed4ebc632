//! What a configuration must say for the implementation to compute it.

use super::Config;
use crate::ModelError;
use crate::blip2::ARCHITECTURE;
use std::path::Path;

/// A field, what it says and what is computed here.
type Refusal = (&'static str, String, String);

impl Config {
    pub(super) fn check(&self, path: &Path) -> Result<(), ModelError> {
        let refused = |(field, found, expected): Refusal| ModelError::UnsupportedConfig {
            path: path.to_owned(),
            architecture: ARCHITECTURE,
            field,
            found,
            expected,
        };
        let refusals = self.refusals();
        refusals
            .into_iter()
            .next()
            .map_or(Ok(()), |first| Err(refused(first)))
    }

    /// Every field that has another value than what is computed here.
    fn refusals(&self) -> Vec<Refusal> {
        let (vision, queries, text) =
            (&self.vision_config, &self.qformer_config, &self.text_config);
        let mut refusals = Vec::new();
        let mut expect = |holds: bool, field, found: &dyn ToString, expected: &str| {
            if !holds {
                refusals.push((field, found.to_string(), expected.to_owned()));
            }
        };
        let opt = "opt (BLIP-2 with another language model is not supported)";
        for (field, found, expected, words) in [
            ("model_type", &self.model_type, "blip-2", "blip-2"),
            ("text_config.model_type", &text.model_type, "opt", opt),
            (
                "text_config.activation_function",
                &text.activation_function,
                "relu",
                "relu",
            ),
            (
                "vision_config.hidden_act",
                &vision.hidden_act,
                "gelu",
                "gelu",
            ),
            (
                "qformer_config.hidden_act",
                &queries.hidden_act,
                "gelu",
                "gelu",
            ),
        ] {
            expect(found == expected, field, found, words);
        }
        let captions_only = "false (a model of captions)";
        for (field, found, expected, words) in [
            ("vision_config.qkv_bias", vision.qkv_bias, true, "true"),
            (
                "qformer_config.use_qformer_text_input",
                queries.use_qformer_text_input,
                false,
                captions_only,
            ),
            (
                "text_config.do_layer_norm_before",
                text.do_layer_norm_before,
                true,
                "true",
            ),
            (
                "text_config._remove_final_layer_norm",
                text._remove_final_layer_norm,
                false,
                "false",
            ),
            ("text_config.enable_bias", text.enable_bias, true, "true"),
            (
                "text_config.layer_norm_elementwise_affine",
                text.layer_norm_elementwise_affine,
                true,
                "true",
            ),
        ] {
            expect(found == expected, field, &found, words);
        }
        for (field, width, n_heads) in [
            (
                "vision_config.num_attention_heads",
                vision.hidden_size,
                vision.num_attention_heads,
            ),
            (
                "qformer_config.num_attention_heads",
                queries.hidden_size,
                queries.num_attention_heads,
            ),
            (
                "text_config.num_attention_heads",
                text.hidden_size,
                text.num_attention_heads,
            ),
        ] {
            let divides = width > 0 && n_heads > 0 && width.is_multiple_of(n_heads);
            expect(
                divides,
                field,
                &n_heads,
                &format!("a divisor of hidden_size = {width}"),
            );
        }
        for (field, number) in [
            ("num_query_tokens", self.num_query_tokens),
            ("vision_config.intermediate_size", vision.intermediate_size),
            (
                "qformer_config.intermediate_size",
                queries.intermediate_size,
            ),
            (
                "qformer_config.cross_attention_frequency",
                queries.cross_attention_frequency,
            ),
            ("text_config.ffn_dim", text.ffn_dim),
        ] {
            expect(number > 0, field, &number, "a positive number");
        }
        let sides = (1..=vision.image_size).contains(&vision.patch_size);
        let expected = format!("1 to image_size = {}", vision.image_size);
        expect(
            sides,
            "vision_config.patch_size",
            &vision.patch_size,
            &expected,
        );
        let proj = text.word_embed_proj_dim.unwrap_or(text.hidden_size);
        let expected = format!("hidden_size = {}", text.hidden_size);
        expect(
            proj == text.hidden_size,
            "text_config.word_embed_proj_dim",
            &proj,
            &expected,
        );
        expect(
            (text.bos_token_id as usize) < text.vocab_size,
            "text_config.bos_token_id",
            &text.bos_token_id,
            "an id of the vocabulary",
        );
        expect(
            text.max_position_embeddings > self.num_query_tokens,
            "text_config.max_position_embeddings",
            &text.max_position_embeddings,
            &format!("more than num_query_tokens = {}", self.num_query_tokens),
        );
        refusals
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    /// The fields of the published `config.json` that matter.
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
