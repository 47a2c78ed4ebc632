//! transformers' `config.json`.

mod check;
#[cfg(test)]
mod tests;

use super::ARCHITECTURE;
use super::backbone_config::{Backbone, backbone};
use super::config::{Config, EPSILON, Kind, Layers};
use crate::ModelError;
use crate::architectures::bert::{BertConfig, MINILM};
use crate::checkpoint::config_json::Refusal;
use crate::checkpoint::config_json::read_json;
use check::check;
use serde::Deserialize;
use serde_json::{Map, Value, json};
use std::path::Path;

/// The fields of `config.json` that are used, under the file's names. Missing fields have transformers' defaults.
#[derive(Debug, Deserialize)]
struct File {
    model_type: String,
    backbone_config: Option<Backbone>,
    text_config: Option<Map<String, Value>>,
    d_model: usize,
    num_queries: usize,
    num_feature_levels: usize,
    encoder_layers: usize,
    encoder_ffn_dim: usize,
    encoder_attention_heads: usize,
    encoder_n_points: usize,
    decoder_layers: usize,
    decoder_ffn_dim: usize,
    decoder_attention_heads: usize,
    decoder_n_points: usize,
    max_text_len: usize,
    positional_embedding_temperature: f32,
    position_embedding_type: String,
    activation_function: String,
    layer_norm_eps: f64,
    query_dim: usize,
    two_stage: bool,
    embedding_init_target: bool,
    decoder_bbox_embed_share: bool,
    decoder_cls_embed_share: bool,
    two_stage_bbox_embed_share: bool,
}

fn defaults() -> Value {
    json!({
        "model_type": "mm-grounding-dino", "backbone_config": null, "text_config": null,
        "d_model": 256, "num_queries": 900, "num_feature_levels": 4, "max_text_len": 256,
        "encoder_layers": 6, "encoder_ffn_dim": 2048, "encoder_attention_heads": 8, "encoder_n_points": 4,
        "decoder_layers": 6, "decoder_ffn_dim": 2048, "decoder_attention_heads": 8, "decoder_n_points": 4,
        "positional_embedding_temperature": 20.0, "position_embedding_type": "sine",
        "activation_function": "relu", "layer_norm_eps": EPSILON, "query_dim": 4,
        "two_stage": true, "embedding_init_target": true, "decoder_bbox_embed_share": true,
        "decoder_cls_embed_share": true, "two_stage_bbox_embed_share": false,
    })
}

/// Adds defaults for the fields that a file lacks.
fn completed(mut defaults: Value, own: Value) -> Value {
    match (&mut defaults, own) {
        (Value::Object(fields), Value::Object(own)) => fields.extend(own),
        (_, own) => return own,
    }
    defaults
}

impl Config {
    /// Reads `config.json` and refuses configurations that the implementation would compute wrongly.
    pub(super) fn read(path: &Path) -> Result<Self, ModelError> {
        Self::from_value(read_json(path)?, path)
    }

    /// Parses the content of such a file.
    pub(super) fn from_text(text: &str) -> Result<Self, ModelError> {
        let path = Path::new("config.json");
        Self::from_value(serde_json::from_str(text).map_err(|error| ModelError::malformed(path, error))?, path)
    }

    /// Parses a JSON value; `path` is its file, for messages.
    pub(super) fn from_value(config: Value, path: &Path) -> Result<Self, ModelError> {
        let file = serde_json::from_value(completed(defaults(), config))
            .map_err(|error| ModelError::malformed(path, error))?;
        from_file(file, path)
    }
}

fn from_file(file: File, path: &Path) -> Result<Config, ModelError> {
    let refusal = Refusal {
        path,
        architecture: ARCHITECTURE,
    };
    let kind = match file.model_type.as_str() {
        "grounding-dino" => Kind::Original,
        "mm-grounding-dino" => Kind::MmDetection,
        other => {
            let expected = "grounding-dino or mm-grounding-dino";
            return Err(refusal.of("model_type", &other, expected));
        }
    };
    check(&file, &refusal)?;
    let backbone = backbone(file.backbone_config.as_ref(), &refusal)?;
    refusal.unless(
        file.num_feature_levels >= backbone.outputs.len(),
        "num_feature_levels",
        &file.num_feature_levels,
        &format!("at least {}, one for each map of the backbone", backbone.outputs.len()),
    )?;
    let text = text_config(file.text_config, path)?;
    Ok(Config {
        kind,
        backbone,
        text,
        width: file.d_model,
        n_levels: file.num_feature_levels,
        n_queries: file.num_queries,
        max_text_len: file.max_text_len,
        position_base: file.positional_embedding_temperature,
        encoder: Layers {
            n_layers: file.encoder_layers,
            n_heads: file.encoder_attention_heads,
            n_points: file.encoder_n_points,
            n_inner: file.encoder_ffn_dim,
        },
        decoder: Layers {
            n_layers: file.decoder_layers,
            n_heads: file.decoder_attention_heads,
            n_points: file.decoder_n_points,
            n_inner: file.decoder_ffn_dim,
        },
        shares_box_heads: file.decoder_bbox_embed_share,
        shares_class_heads: file.decoder_cls_embed_share,
    })
}

/// BERT's defaults, overridden by the file's fields.
fn text_config(own: Option<Map<String, Value>>, path: &Path) -> Result<BertConfig, ModelError> {
    let defaults = json!({
        "vocab_size": 30_522, "hidden_size": 768, "num_hidden_layers": 12, "num_attention_heads": 12,
        "intermediate_size": 3072, "max_position_embeddings": 512, "type_vocab_size": 2,
        "layer_norm_eps": 1e-12, "hidden_act": "gelu", "model_type": "bert",
    });
    let fields = completed(defaults, Value::Object(own.unwrap_or_default()));
    let config: BertConfig = serde_json::from_value(fields).map_err(|error| ModelError::malformed(path, error))?;
    config.checked(path, &MINILM)
}
