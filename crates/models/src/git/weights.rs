//! From the names in a checkpoint to the layers of the model.

use super::config::Config;
use super::decoder::{DecoderLayer, TextDecoder};
use super::encoder::ImageEncoder;
use crate::ModelError;
use crate::blocks::{Activation, Embedding};
use crate::checkpoint::Checkpoint;
use crate::clip::{EPSILON, Layout, vision_tokens};
use crate::vit::VisionTransformer;

/// Features of the output that a thread computes at a time, in the layers.
const PART: usize = 128;

/// Builds both halves; every tensor of the checkpoint must have its place.
pub(super) fn build(
    checkpoint: &mut Checkpoint,
    config: &Config,
) -> Result<(ImageEncoder, TextDecoder), ModelError> {
    let (vision, width) = (config.vision(), config.hidden_size);
    let parts = vision_tokens(
        checkpoint,
        vision,
        Layout::HuggingFace,
        "git.image_encoder.",
    )?;
    let tower = VisionTransformer::new(vision.architecture, vision.image_px, parts);
    let name = "git.visual_projection.visual_projection";
    let projection = checkpoint.linear(&format!("{name}.0"), vision.width, width)?;
    let norm = checkpoint.layer_norm(&format!("{name}.1"), width, EPSILON)?;
    let encoder = ImageEncoder::new(tower, projection, norm);

    let name = |name: &str| format!("git.embeddings.{name}");
    let words = checkpoint.take(&name("word_embeddings.weight"), &[config.vocab_size, width])?;
    let n_positions = config.max_position_embeddings;
    let positions = checkpoint.take(&name("position_embeddings.weight"), &[n_positions, width])?;
    let norm = checkpoint.layer_norm(&name("LayerNorm"), width, config.layer_norm_eps)?;
    let layers = (0..config.num_hidden_layers)
        .map(|index| layer(checkpoint, &format!("git.encoder.layer.{index}"), config))
        .collect::<Result<Vec<DecoderLayer>, ModelError>>()?;
    let output = checkpoint.wide_linear("output", width, config.vocab_size)?;
    let decoder = TextDecoder {
        words: Embedding::new(words),
        positions: Embedding::new(positions),
        norm,
        layers,
        output,
        n_heads: config.num_attention_heads,
        width,
    };
    Ok((encoder, decoder))
}

/// May this tensor be left over? It is 0, 1, 2, ...
pub(super) fn is_left_over(name: &str) -> bool {
    name.ends_with("embeddings.position_ids")
}

fn layer(
    checkpoint: &mut Checkpoint,
    name: &str,
    config: &Config,
) -> Result<DecoderLayer, ModelError> {
    let (width, n_inner, epsilon) = (
        config.hidden_size,
        config.intermediate_size,
        config.layer_norm_eps,
    );
    let maps = ["query", "key", "value"].map(|map| format!("{name}.attention.self.{map}"));
    let query_key_value =
        checkpoint.wide_query_key_value(&maps, width, config.num_attention_heads, PART)?;
    let mut linear = |part: &str, n_in, n_out| {
        checkpoint.wide_linear_in_parts(&format!("{name}.{part}.dense"), n_in, n_out, PART)
    };
    let attention_output = linear("attention.output", width, width)?;
    let expand = linear("intermediate", width, n_inner)?.then(Activation::Gelu);
    let contract = linear("output", n_inner, width)?;
    let mut norm = |part: &str| checkpoint.layer_norm(&format!("{name}.{part}"), width, epsilon);
    Ok(DecoderLayer {
        query_key_value,
        attention_output,
        attention_norm: norm("attention.output.LayerNorm")?,
        expand,
        contract,
        output_norm: norm("output.LayerNorm")?,
    })
}
