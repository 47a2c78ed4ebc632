//! Builds the model's layers from the tensors of a checkpoint.

use super::config::Config;
use super::model::Model;
use super::variant::Variant;
use crate::ModelError;
use crate::checkpoint::Checkpoint;
use crate::checkpoint::transformer::BlockShape;
use neurogauge_kernels::blocks::{Activation, DistanceBias, Embedding};

/// Builds the model; every tensor of the checkpoint must be used.
pub(crate) fn build(
    mut checkpoint: Checkpoint,
    config: &Config,
    variant: &'static Variant,
) -> Result<Model, ModelError> {
    let model = part(&mut checkpoint, "", config, variant)?;
    // The pooler serves another task, and position_ids is just 0, 1, 2, ...
    checkpoint.finish(|name| name.starts_with("pooler.") || name == "embeddings.position_ids")?;
    Ok(model)
}

/// Builds the model from the tensors whose names begin with `prefix`.
pub(crate) fn part(
    take: &mut Checkpoint,
    prefix: &str,
    config: &Config,
    variant: &'static Variant,
) -> Result<Model, ModelError> {
    let (width, epsilon) = (config.hidden_size, config.layer_norm_eps);
    let mut table =
        |name: &str, n: usize| take.take(&format!("{prefix}embeddings.{name}_embeddings.weight"), &[n, width]);
    let words = table("word", config.vocab_size)?;
    let positions = table("position", config.max_position_embeddings)?;
    let token_type = if variant.has_token_types {
        let types = table("token_type", config.type_vocab_size)?;
        Some(take.arranged(|| types.get(0))?)
    } else {
        None
    };
    let norm = take.layer_norm(&format!("{prefix}embeddings.LayerNorm"), width, epsilon)?;
    let shape = BlockShape {
        width,
        n_heads: config.num_attention_heads,
        n_inner: config.intermediate_size,
        activation: Activation::Gelu,
        epsilon,
    };
    let (name, n_layers) = (format!("{prefix}encoder.layer"), config.num_hidden_layers);
    let layers = take.transformer_blocks(&name, n_layers, &variant.names, shape)?;
    let distances = match &variant.distances {
        None => None,
        Some(distances) => {
            let name = format!("{prefix}encoder.relative_attention_bias.weight");
            let table = take.take(&name, &[distances.n_buckets, config.num_attention_heads])?;
            Some(take.arranged(|| DistanceBias::new(&table, distances.max_distance))?)
        }
    };
    Ok(Model {
        words: Embedding::new(words),
        positions: Embedding::new(positions),
        padding: variant.padding,
        token_type,
        norm,
        distances,
        layers,
    })
}
