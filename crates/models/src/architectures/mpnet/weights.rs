//! From the names in a checkpoint to the layers of the model.

use super::config::Config;
use super::model::Model;
use super::{MAX_DISTANCE, N_BUCKETS};
use crate::ModelError;
use crate::blocks::{Activation, DistanceBias, Embedding};
use crate::checkpoint::Checkpoint;
use crate::checkpoint::transformer::{BlockNames, BlockShape, Projections};

/// As MPNet calls the parts of a layer: those of the perceptron as BERT does.
const NAMES: BlockNames = BlockNames {
    attention_norm: "attention.LayerNorm",
    projections: Projections::Separate([
        "attention.attn.q",
        "attention.attn.k",
        "attention.attn.v",
    ]),
    output: "attention.attn.o",
    ..BlockNames::BERT
};

/// Builds the model; every tensor of the checkpoint must have its place.
pub(crate) fn build(mut checkpoint: Checkpoint, config: &Config) -> Result<Model, ModelError> {
    let (width, epsilon) = (config.hidden_size, config.layer_norm_eps);
    let take = &mut checkpoint;
    let words = take.take(
        "embeddings.word_embeddings.weight",
        &[config.vocab_size, width],
    )?;
    let positions = take.take(
        "embeddings.position_embeddings.weight",
        &[config.max_position_embeddings, width],
    )?;
    let norm = take.layer_norm("embeddings.LayerNorm", width, epsilon)?;
    let shape = BlockShape {
        width,
        n_heads: config.num_attention_heads,
        n_inner: config.intermediate_size,
        activation: Activation::Gelu,
        epsilon,
    };
    let n_layers = config.num_hidden_layers;
    let layers = take.transformer_blocks("encoder.layer", n_layers, &NAMES, shape)?;
    let table = take.take(
        "encoder.relative_attention_bias.weight",
        &[N_BUCKETS, config.num_attention_heads],
    )?;
    let bias = take.arranged(|| DistanceBias::new(&table, MAX_DISTANCE))?;
    // The pooler serves another task; position_ids is 0, 1, 2, ...
    checkpoint.finish(|name| name.starts_with("pooler.") || name == "embeddings.position_ids")?;
    Ok(Model {
        words: Embedding::new(words),
        positions: Embedding::new(positions),
        norm,
        bias,
        layers,
    })
}
