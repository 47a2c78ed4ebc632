//! From the names in a checkpoint to the layers of the model.

use super::config::Config;
use super::model::Model;
use crate::ModelError;
use crate::blocks::{Activation, Embedding};
use crate::checkpoint::Checkpoint;
use crate::checkpoint::transformer::{BlockNames, BlockShape};

/// Builds the model; every tensor of the checkpoint must have its place.
pub(crate) fn build(mut checkpoint: Checkpoint, config: &Config) -> Result<Model, ModelError> {
    let model = part(&mut checkpoint, "", config)?;
    // The pooler serves BERT's own training task; position_ids is 0, 1, 2, ...
    checkpoint.finish(|name| name.starts_with("pooler.") || name == "embeddings.position_ids")?;
    Ok(model)
}

/// Builds the model from the tensors whose names begin with `prefix`.
pub(crate) fn part(
    take: &mut Checkpoint,
    prefix: &str,
    config: &Config,
) -> Result<Model, ModelError> {
    let (width, epsilon) = (config.hidden_size, config.layer_norm_eps);
    let mut table = |name: &str, n: usize| {
        take.take(
            &format!("{prefix}embeddings.{name}_embeddings.weight"),
            &[n, width],
        )
    };
    let words = table("word", config.vocab_size)?;
    let positions = table("position", config.max_position_embeddings)?;
    let token_types = table("token_type", config.type_vocab_size)?;
    let token_type = take.arranged(|| token_types.get(0))?;
    let norm = take.layer_norm(&format!("{prefix}embeddings.LayerNorm"), width, epsilon)?;
    let shape = BlockShape {
        width,
        n_heads: config.num_attention_heads,
        n_inner: config.intermediate_size,
        activation: Activation::Gelu,
        epsilon,
    };
    let (name, n_layers) = (format!("{prefix}encoder.layer"), config.num_hidden_layers);
    let layers = take.transformer_blocks(&name, n_layers, &BlockNames::BERT, shape)?;
    Ok(Model {
        words: Embedding::new(words),
        positions: Embedding::new(positions),
        token_type,
        norm,
        layers,
    })
}
