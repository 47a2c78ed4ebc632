//! From the names in a checkpoint to the layers of the model.

mod opt;
mod qformer;

use super::ARCHITECTURE;
use super::config::{Config, Vision};
use super::encoder::ImageEncoder;
use crate::ModelError;
use crate::architectures::vit::{Parts, VisionTransformer};
use crate::blocks::{Activation, TokenEmbedding};
use crate::checkpoint::Checkpoint;
use crate::checkpoint::layers::Kernel;
use crate::checkpoint::transformer::{BlockNames, BlockShape, Projections};
use crate::observers::captioning::CaptionDecoder;

const VISION_BLOCK: BlockNames = BlockNames {
    attention_norm: "layer_norm1",
    projections: Projections::Stacked("self_attn.qkv"),
    output: "self_attn.projection",
    mlp_norm: "layer_norm2",
    expand: "mlp.fc1",
    contract: "mlp.fc2",
};

/// Builds all parts; every tensor of the checkpoint must have its place.
pub(super) fn build(
    checkpoint: &mut Checkpoint,
    config: &Config,
) -> Result<(ImageEncoder, CaptionDecoder), ModelError> {
    let tower = vision_tower(checkpoint, &config.vision_config)?;
    let encoder = ImageEncoder::new(tower, qformer::build(checkpoint, config)?);
    let decoder = opt::build(checkpoint, &config.text_config)?;
    Ok((encoder, decoder))
}

/// May this tensor be left over? It is 0, 1, 2, ...
pub(super) fn is_left_over(name: &str) -> bool {
    name.ends_with(".position_ids")
}

fn vision_tower(
    checkpoint: &mut Checkpoint,
    config: &Vision,
) -> Result<VisionTransformer, ModelError> {
    let (width, patch_px) = (config.hidden_size, config.patch_size);
    let n_tokens = (config.image_size / patch_px).pow(2) + 1;
    let kernel = Kernel::square(3, width, patch_px, patch_px, 0);
    let name = "vision_model.embeddings.patch_embedding";
    let patches = (name, checkpoint.convolution(name, kernel)?);
    let name = "vision_model.embeddings";
    let class_token = checkpoint.take(&format!("{name}.class_embedding"), &[1, 1, width])?;
    let positions =
        checkpoint.take(&format!("{name}.position_embedding"), &[1, n_tokens, width])?;
    let tokens =
        checkpoint.arranged(|| TokenEmbedding::with_class_token(&class_token, &positions))?;
    let shape = BlockShape {
        width,
        n_heads: config.num_attention_heads,
        n_inner: config.intermediate_size,
        activation: Activation::Gelu,
        epsilon: config.layer_norm_eps,
    };
    let blocks = (0..config.num_hidden_layers)
        .map(|index| {
            let name = format!("vision_model.encoder.layers.{index}");
            let block = checkpoint.transformer_block(&name, &VISION_BLOCK, shape)?;
            Ok((name, block))
        })
        .collect::<Result<Vec<_>, ModelError>>()?;
    let norm = "vision_model.post_layernorm";
    let parts = Parts {
        patches,
        tokens: (name, tokens),
        pre_norm: None,
        blocks,
        norm: (
            norm,
            checkpoint.layer_norm(norm, width, config.layer_norm_eps)?,
        ),
        norm_of_class_token: false,
        head: None,
    };
    Ok(VisionTransformer::new(
        ARCHITECTURE,
        config.image_size,
        parts,
    ))
}
