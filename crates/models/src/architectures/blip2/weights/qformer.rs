//! The Q-Former's layers.

use crate::ModelError;
use crate::architectures::blip2::config::Config;
use crate::architectures::blip2::qformer::{QFormer, QFormerLayer, TOKENS};
use crate::checkpoint::Checkpoint;
use candle_core::Tensor;
use neurogauge_kernels::blocks::{Activation, CrossAttention, Mlp, SelfAttention};

pub(super) fn build(checkpoint: &mut Checkpoint, config: &Config) -> Result<QFormer, ModelError> {
    let own = &config.qformer_config;
    let width = own.hidden_size;
    let queries = checkpoint.take("query_tokens", &[1, config.num_query_tokens, width])?;
    let norm = checkpoint.layer_norm("qformer.layernorm", width, own.layer_norm_eps)?;
    // Normalised once, since the queries are the same for every image.
    let queries = checkpoint.arranged(|| norm.forward(&queries.squeeze(0)?))?;
    let layers = (0..own.num_hidden_layers)
        .map(|index| {
            let name = format!("qformer.encoder.layer.{index}");
            let layer = layer(checkpoint, &name, index, config)?;
            Ok((name, layer))
        })
        .collect::<Result<Vec<_>, ModelError>>()?;
    Ok(QFormer {
        queries,
        layers,
        projection: checkpoint.linear(TOKENS, width, config.text_config.hidden_size)?,
    })
}

fn layer(checkpoint: &mut Checkpoint, name: &str, index: usize, config: &Config) -> Result<QFormerLayer, ModelError> {
    let own = &config.qformer_config;
    let (width, n_inner) = (own.hidden_size, own.intermediate_size);
    let (n_heads, epsilon) = (own.num_attention_heads, own.layer_norm_eps);
    let part = |part: &str| format!("{name}.{part}");
    let attention = attention_maps(checkpoint, &part("attention"), [width; 2])?;
    let output = checkpoint.linear(&part("attention.output.dense"), width, width)?;
    let attention = checkpoint.arranged(|| SelfAttention::new(attention, output, n_heads))?;
    let attention_norm = checkpoint.layer_norm(&part("attention.output.LayerNorm"), width, epsilon)?;
    let mut to_image = None;
    if index.is_multiple_of(own.cross_attention_frequency) {
        let widths = [width, config.vision_config.hidden_size];
        let maps = attention_maps(checkpoint, &part("crossattention"), widths)?;
        let output = checkpoint.linear(&part("crossattention.output.dense"), width, width)?;
        let attention = checkpoint.arranged(|| CrossAttention::new(maps, output, n_heads))?;
        let norm = part("crossattention.output.LayerNorm");
        to_image = Some((attention, checkpoint.layer_norm(&norm, width, epsilon)?));
    }
    let expand = checkpoint.linear(&part("intermediate_query.dense"), width, n_inner)?;
    let contract = checkpoint.linear(&part("output_query.dense"), n_inner, width)?;
    Ok(QFormerLayer {
        attention,
        attention_norm,
        to_image,
        mlp: Mlp::new(expand, Activation::Gelu, contract),
        mlp_norm: checkpoint.layer_norm(&part("output_query.LayerNorm"), width, epsilon)?,
    })
}

/// Weight and bias of the maps to queries, keys and values. `widths` are the widths of the tokens and of their context.
fn attention_maps(
    checkpoint: &mut Checkpoint,
    name: &str,
    [width, source_width]: [usize; 2],
) -> Result<[(Tensor, Tensor); 3], ModelError> {
    let mut map = |part: &str, n_in| checkpoint.weight_and_bias(&format!("{name}.attention.{part}"), n_in, width);
    Ok([map("query", width)?, map("key", source_width)?, map("value", source_width)?])
}
