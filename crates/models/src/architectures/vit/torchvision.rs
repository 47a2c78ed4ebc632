//! torchvision's ViT-B/16.

use super::model::{Head, Parts, Readout, VisionTransformer};
use super::tower::{TokenShape, TowerNames, TowerShape, tower};
use crate::ModelError;
use crate::checkpoint::Checkpoint;
use crate::checkpoint::transformer::{BlockNames, BlockShape, Projections};
use crate::network::LayerKind;
use neurogauge_kernels::blocks::Activation;

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
    tokens: TokenShape::PLAIN,
};

const NAMES: TowerNames = TowerNames {
    patches: "conv_proj",
    patch_layer: LayerKind::Map,
    patches_have_bias: true,
    class_token: "class_token",
    registers: "",
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
        scales: None,
    },
    norm: "encoder.ln",
};

/// The names in files written before torchvision 0.12, the published one among them.
const OLD_NAMES: TowerNames = TowerNames {
    block: BlockNames {
        expand: "mlp.linear_1",
        contract: "mlp.linear_2",
        ..NAMES.block
    },
    ..NAMES
};

impl VisionTransformer {
    pub(crate) fn b_16(checkpoint: &mut Checkpoint) -> Result<Self, ModelError> {
        let old = checkpoint.shape_of("encoder.layers.encoder_layer_0.mlp.linear_1.weight").is_some();
        let names = if old { OLD_NAMES } else { NAMES };
        let tokens = tower(checkpoint, SHAPE, &names, "", &NAMES)?;
        let name = "heads.head";
        let head = if checkpoint.does_without(name) {
            None
        } else {
            let width = SHAPE.block.width;
            let classifier = checkpoint.linear(name, width, N_CLASSES)?;
            Some(Head {
                readout: Readout::ClassToken,
                vector: (name, Some(classifier)),
            })
        };
        let parts = Parts { head, ..tokens };
        Ok(VisionTransformer::new("ViT-B/16", SHAPE.sides(), parts))
    }
}
