//! torchvision's ViT-B/16.

use super::model::{Parts, VisionTransformer};
use super::tower::{TowerNames, TowerShape, tower};
use crate::ModelError;
use crate::blocks::Activation;
use crate::checkpoint::Checkpoint;
use crate::checkpoint::transformer::{BlockNames, BlockShape, Projections};

const N_CLASSES: usize = 1000;
const SHAPE: TowerShape = TowerShape {
    image_px: 224,
    patch_px: 16,
    n_blocks: 12,
    block: BlockShape {
        width: 768,
        n_heads: 12,
        n_inner: 3072,
        activation: Activation::Gelu,
        epsilon: 1e-6,
    },
};

const NAMES: TowerNames = TowerNames {
    patches: "conv_proj",
    patches_have_bias: true,
    class_token: "class_token",
    positions: "encoder.pos_embedding",
    has_image_axis: true,
    tokens: "encoder.dropout",
    pre_norm: None,
    blocks: "encoder.layers.encoder_layer_",
    block: BlockNames {
        attention_norm: "ln_1",
        projections: Projections::Fused("self_attention"),
        output: "self_attention.out_proj",
        mlp_norm: "ln_2",
        expand: "mlp.0",
        contract: "mlp.3",
    },
    norm: "encoder.ln",
};

/// In files that were written before torchvision 0.12, the published one among them.
const OLD_NAMES: TowerNames = TowerNames {
    block: BlockNames {
        expand: "mlp.linear_1",
        contract: "mlp.linear_2",
        ..NAMES.block
    },
    ..NAMES
};

impl VisionTransformer {
    /// ViT-B/16.
    pub(crate) fn b_16(checkpoint: &mut Checkpoint) -> Result<Self, ModelError> {
        let old = checkpoint
            .shape_of("encoder.layers.encoder_layer_0.mlp.linear_1.weight")
            .is_some();
        let names = if old { OLD_NAMES } else { NAMES };
        let tokens = tower(checkpoint, SHAPE, &names, "", &NAMES)?;
        let name = "heads.head";
        let head = if checkpoint.does_without(name) {
            None
        } else {
            let width = SHAPE.block.width;
            Some((name, checkpoint.linear(name, width, N_CLASSES)?))
        };
        let parts = Parts { head, ..tokens };
        Ok(VisionTransformer::new("ViT-B/16", SHAPE.image_px, parts))
    }
}
