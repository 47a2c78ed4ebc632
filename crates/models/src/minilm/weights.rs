//! From the names in a checkpoint to the layers of the model.

use super::config::Config;
use super::model::{Layer, Model};
use crate::ModelError;
use crate::blocks::{Activation, Embedding, LayerNorm, Linear, Mlp, SelfAttention};
use crate::checkpoint::Checkpoint;
use crate::minilm::ARCHITECTURE;
use candle_core::{Result as EngineResult, Tensor};

/// Builds the model; every tensor of the checkpoint must have its place.
pub(crate) fn build(mut checkpoint: Checkpoint, config: &Config) -> Result<Model, ModelError> {
    let width = config.hidden_size;
    let take = &mut checkpoint;
    let words = take.take(
        "embeddings.word_embeddings.weight",
        &[config.vocab_size, width],
    )?;
    let positions = take.take(
        "embeddings.position_embeddings.weight",
        &[config.max_position_embeddings, width],
    )?;
    let token_types = take.take(
        "embeddings.token_type_embeddings.weight",
        &[config.type_vocab_size, width],
    )?;
    let norm = layer_norm(take, "embeddings.LayerNorm", config)?;
    let layers = (0..config.num_hidden_layers)
        .map(|index| layer(take, &format!("encoder.layer.{index}"), config))
        .collect::<Result<Vec<Layer>, ModelError>>()?;
    // The pooler serves BERT's own training task; position_ids is 0, 1, 2, ...
    checkpoint.finish(|name| name.starts_with("pooler.") || name == "embeddings.position_ids")?;
    Ok(Model {
        words: Embedding::new(words),
        positions: Embedding::new(positions),
        token_type: arranged(token_types.get(0))?,
        norm,
        layers,
    })
}

fn layer(checkpoint: &mut Checkpoint, name: &str, config: &Config) -> Result<Layer, ModelError> {
    let (width, inner) = (config.hidden_size, config.intermediate_size);
    let mut projection = |part| {
        let name = format!("{name}.attention.self.{part}");
        weight_and_bias(checkpoint, &name, width, width)
    };
    let projections = [
        projection("query")?,
        projection("key")?,
        projection("value")?,
    ];
    let mut linear = |part: &str, n_in, n_out| {
        let (weight, bias) =
            weight_and_bias(checkpoint, &format!("{name}.{part}.dense"), n_in, n_out)?;
        arranged(Linear::new(&weight, &bias))
    };
    let attention_output = linear("attention.output", width, width)?;
    let expand = linear("intermediate", width, inner)?;
    let contract = linear("output", inner, width)?;
    Ok(Layer {
        attention: arranged(SelfAttention::new(
            projections,
            attention_output,
            config.num_attention_heads,
        ))?,
        attention_norm: layer_norm(
            checkpoint,
            &format!("{name}.attention.output.LayerNorm"),
            config,
        )?,
        mlp: Mlp::new(expand, Activation::Gelu, contract),
        output_norm: layer_norm(checkpoint, &format!("{name}.output.LayerNorm"), config)?,
    })
}

fn weight_and_bias(
    checkpoint: &mut Checkpoint,
    name: &str,
    n_in: usize,
    n_out: usize,
) -> Result<(Tensor, Tensor), ModelError> {
    let weight = checkpoint.take(&format!("{name}.weight"), &[n_out, n_in])?;
    let bias = checkpoint.take(&format!("{name}.bias"), &[n_out])?;
    Ok((weight, bias))
}

fn layer_norm(
    checkpoint: &mut Checkpoint,
    name: &str,
    config: &Config,
) -> Result<LayerNorm, ModelError> {
    let (weight, bias) = (
        checkpoint.take(&format!("{name}.weight"), &[config.hidden_size])?,
        checkpoint.take(&format!("{name}.bias"), &[config.hidden_size])?,
    );
    arranged(LayerNorm::new(&weight, &bias, config.layer_norm_eps))
}

fn arranged<T>(result: EngineResult<T>) -> Result<T, ModelError> {
    result.map_err(|error| ModelError::Engine {
        architecture: ARCHITECTURE,
        operation: "arranging the weights",
        reason: error.to_string(),
    })
}
