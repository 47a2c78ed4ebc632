//! Builds the model's layers from the tensors of a checkpoint.

mod opt;
mod qformer;

use super::ARCHITECTURE;
use super::config::{Config, Vision};
use crate::ModelError;
use crate::architectures::vit::{TokenShape, TowerNames, TowerShape, VisionTransformer, tower};
use crate::checkpoint::Checkpoint;
use crate::checkpoint::transformer::{BlockNames, BlockShape, Projections};
use crate::network::LayerKind;
use crate::observers::captioning::{CaptionDecoder, ImageEncoder};
use neurogauge_kernels::blocks::Activation;

const VISION: TowerNames = TowerNames {
    patches: "vision_model.embeddings.patch_embedding",
    patch_layer: LayerKind::Map,
    patches_have_bias: true,
    class_token: "vision_model.embeddings.class_embedding",
    registers: "",
    positions: "vision_model.embeddings.position_embedding",
    has_image_axis: true,
    tokens: "vision_model.embeddings",
    pre_norm: None,
    blocks: "vision_model.encoder.layers.",
    block: BlockNames {
        attention_norm: "layer_norm1",
        projections: Projections::Stacked("self_attn.qkv"),
        output: "self_attn.projection",
        mlp_norm: "layer_norm2",
        expand: "mlp.fc1",
        contract: "mlp.fc2",
        scales: None,
    },
    norm: "vision_model.post_layernorm",
};

pub(super) fn encoder(checkpoint: &mut Checkpoint, config: &Config) -> Result<ImageEncoder, ModelError> {
    let shape = vision_shape(&config.vision_config);
    let parts = tower(checkpoint, shape, &VISION, "", &VISION)?;
    let tower = VisionTransformer::new(ARCHITECTURE, shape.sides(), parts);
    Ok(ImageEncoder::new(tower, qformer::build(checkpoint, config)?))
}

pub(super) fn decoder(checkpoint: &mut Checkpoint, config: &Config) -> Result<CaptionDecoder, ModelError> {
    opt::build(checkpoint, &config.text_config)
}

fn vision_shape(config: &Vision) -> TowerShape {
    TowerShape {
        image_px: config.image_size,
        patch_px: config.patch_size,
        n_blocks: config.num_hidden_layers,
        block: BlockShape {
            width: config.hidden_size,
            n_heads: config.num_attention_heads,
            n_inner: config.intermediate_size,
            activation: Activation::Gelu,
            epsilon: config.layer_norm_eps,
        },
        tokens: TokenShape::PLAIN,
    }
}
