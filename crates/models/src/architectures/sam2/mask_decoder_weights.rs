//! Builds the mask decoder from a checkpoint.

use super::config::{Config, DECODER_EPSILON, EPSILON, N_HEADS, N_LAYERS, N_MASKS};
use super::mask_decoder::MaskDecoder;
use super::prompt_encoder::PromptEncoder;
use super::two_way::{TwoWay, TwoWayLayer};
use crate::ModelError;
use crate::checkpoint::Checkpoint;
use candle_core::Tensor;
use neurogauge_kernels::blocks::{Activation, CrossAttention, LayerNorm, Linear, Mlp, Perceptron};

const TRANSFORMER: &str = "mask_decoder.transformer";

pub(super) fn mask_decoder(
    checkpoint: &mut Checkpoint,
    config: &Config,
    prompts: &PromptEncoder,
) -> Result<MaskDecoder, ModelError> {
    let (width, side) = (config.width, config.side());
    let first_tokens = [("obj_score_token", 1), ("iou_token", 1), ("mask_tokens", N_MASKS)]
        .map(|(name, n)| checkpoint.take(&format!("mask_decoder.{name}.weight"), &[n, width]));
    let [there, overlap, masks] = first_tokens;
    let (there, overlap, masks) = (there?, overlap?, masks?);
    let of_masks = (0..N_MASKS)
        .map(|mask| {
            let name = format!("mask_decoder.output_hypernetworks_mlps.{mask}");
            perceptron(checkpoint, &name, width, width / 8)
        })
        .collect::<Result<Vec<_>, ModelError>>()?;
    let mut overlaps = perceptron(checkpoint, "mask_decoder.iou_prediction_head", width, N_MASKS)?;
    overlaps.layers = (overlaps.layers.into_iter().enumerate())
        .map(|(index, layer)| match index {
            2 => layer.then(Activation::Sigmoid),
            _ => layer,
        })
        .collect();
    let enlarged_norm = checkpoint.layer_norm("mask_decoder.upscale_layer_norm", width / 4, EPSILON)?;
    let second = enlarging(checkpoint, "mask_decoder.upscale_conv2", width / 4, width / 8)?;
    Ok(MaskDecoder {
        first_tokens: checkpoint.arranged(|| Tensor::cat(&[&there, &overlap, &masks], 0)?.contiguous())?,
        positions: checkpoint.arranged(|| {
            let grid = prompts.grid(side);
            checkpoint.placement().tensor(grid, (1, side * side, width))
        })?,
        no_mask: checkpoint.take("prompt_encoder.no_mask_embed.weight", &[1, width])?,
        two_way: two_way(checkpoint, config)?,
        enlarging: [
            enlarging(checkpoint, "mask_decoder.upscale_conv1", width, width / 4)?,
            second.then(Activation::Gelu),
        ],
        enlarged_norm: enlarged_norm.then(Activation::Gelu),
        of_masks,
        overlaps,
        side,
    })
}

/// Three layers, with an activation after all except the last.
fn perceptron(checkpoint: &mut Checkpoint, name: &str, width: usize, n_out: usize) -> Result<Perceptron, ModelError> {
    let mut layer = |part: &str, n_out| checkpoint.linear(&format!("{name}.{part}"), width, n_out);
    Ok(Perceptron {
        layers: vec![
            layer("proj_in", width)?.then(Activation::Relu),
            layer("layers.0", width)?.then(Activation::Relu),
            layer("proj_out", n_out)?,
        ],
    })
}

/// A transposed convolution of size and stride 2, as a map from a position to the channels of its 2 x 2 positions.
fn enlarging(checkpoint: &mut Checkpoint, name: &str, n_in: usize, n_out: usize) -> Result<Linear, ModelError> {
    let weight = checkpoint.take(&format!("{name}.weight"), &[n_in, n_out, 2, 2])?;
    let bias = checkpoint.take(&format!("{name}.bias"), &[n_out])?;
    checkpoint.arranged(|| {
        let weight = weight.permute((2, 3, 1, 0))?.contiguous()?.reshape((4 * n_out, n_in))?;
        let bias = Tensor::cat(&[&bias, &bias, &bias, &bias], 0)?;
        Ok(Linear::new(&weight, &bias)?.shared(checkpoint.shares_rows()))
    })
}

fn two_way(checkpoint: &mut Checkpoint, config: &Config) -> Result<TwoWay, ModelError> {
    let layers = (0..N_LAYERS)
        .map(|index| layer(checkpoint, config, &format!("{TRANSFORMER}.layers.{index}")))
        .collect::<Result<Vec<_>, ModelError>>()?;
    let width = config.width;
    let last = format!("{TRANSFORMER}.final_attn_token_to_image");
    Ok(TwoWay {
        layers,
        last: attention(checkpoint, &last, width, width / 2)?,
        last_norm: norm(checkpoint, &format!("{TRANSFORMER}.layer_norm_final_attn"), width)?,
    })
}

fn layer(checkpoint: &mut Checkpoint, config: &Config, name: &str) -> Result<TwoWayLayer, ModelError> {
    let (width, n_inner) = (config.width, config.n_inner);
    let part = |part: &str| format!("{name}.{part}");
    let expand = checkpoint.linear(&part("mlp.proj_in"), width, n_inner)?;
    let contract = checkpoint.linear(&part("mlp.proj_out"), n_inner, width)?;
    let half = width / 2;
    Ok(TwoWayLayer {
        among_tokens: attention(checkpoint, &part("self_attn"), width, width)?,
        to_image: attention(checkpoint, &part("cross_attn_token_to_image"), width, half)?,
        perceptron: Mlp::new(expand, Activation::Relu, contract),
        to_tokens: attention(checkpoint, &part("cross_attn_image_to_token"), width, half)?,
        norms: [
            norm(checkpoint, &part("layer_norm1"), width)?,
            norm(checkpoint, &part("layer_norm2"), width)?,
            norm(checkpoint, &part("layer_norm3"), width)?,
            norm(checkpoint, &part("layer_norm4"), width)?,
        ],
    })
}

fn norm(checkpoint: &mut Checkpoint, name: &str, width: usize) -> Result<LayerNorm, ModelError> {
    checkpoint.layer_norm(name, width, DECODER_EPSILON)
}

/// Attention whose queries, keys and values have this many features over all heads.
fn attention(
    checkpoint: &mut Checkpoint,
    name: &str,
    width: usize,
    n_features: usize,
) -> Result<CrossAttention<2>, ModelError> {
    let mut map = |map: &str| checkpoint.weight_and_bias(&format!("{name}.{map}"), width, n_features);
    let maps = [map("q_proj")?, map("k_proj")?, map("v_proj")?];
    let output = checkpoint.linear(&format!("{name}.o_proj"), n_features, width)?;
    checkpoint.arranged(|| CrossAttention::apart(maps, output, N_HEADS))
}
