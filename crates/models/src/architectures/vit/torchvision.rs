//! ViT-B/16 from torchvision's names.

use super::model::{Parts, VisionTransformer};
use crate::ModelError;
use crate::blocks::{Activation, TokenEmbedding};
use crate::checkpoint::Checkpoint;
use crate::checkpoint::layers::Kernel;
use crate::checkpoint::transformer::{BlockNames, BlockShape, Projections};

const IMAGE_PX: usize = 224;
const PATCH_PX: usize = 16;
const N_BLOCKS: usize = 12;
const N_CLASSES: usize = 1000;
const SHAPE: BlockShape = BlockShape {
    width: 768,
    n_heads: 12,
    n_inner: 3072,
    activation: Activation::Gelu,
    epsilon: 1e-6,
};

const NAMES: BlockNames = BlockNames {
    attention_norm: "ln_1",
    projections: Projections::Fused("self_attention"),
    output: "self_attention.out_proj",
    mlp_norm: "ln_2",
    expand: "mlp.0",
    contract: "mlp.3",
};

/// In files that were written before torchvision 0.12, the published one among them.
const OLD_NAMES: BlockNames = BlockNames {
    expand: "mlp.linear_1",
    contract: "mlp.linear_2",
    ..NAMES
};

impl VisionTransformer {
    /// ViT-B/16.
    pub(crate) fn b_16(checkpoint: &mut Checkpoint) -> Result<Self, ModelError> {
        let kernel = Kernel::square(3, SHAPE.width, PATCH_PX, PATCH_PX, 0);
        let patches = checkpoint.convolution("conv_proj", kernel)?;
        let n_tokens = 1 + (IMAGE_PX / PATCH_PX).pow(2);
        let class_token = checkpoint.take("class_token", &[1, 1, SHAPE.width])?;
        let positions = [1, n_tokens, SHAPE.width];
        let positions = checkpoint.take("encoder.pos_embedding", &positions)?;
        let tokens =
            checkpoint.arranged(|| TokenEmbedding::with_class_token(&class_token, &positions))?;
        let old = checkpoint
            .shape_of("encoder.layers.encoder_layer_0.mlp.linear_1.weight")
            .is_some();
        let names = if old { OLD_NAMES } else { NAMES };
        let blocks = (0..N_BLOCKS)
            .map(|index| {
                let name = format!("encoder.layers.encoder_layer_{index}");
                let block = checkpoint.transformer_block(&name, &names, SHAPE)?;
                Ok((name, block))
            })
            .collect::<Result<Vec<_>, ModelError>>()?;
        let name = "heads.head";
        let head = if checkpoint.does_without(name) {
            None
        } else {
            Some((name, checkpoint.linear(name, SHAPE.width, N_CLASSES)?))
        };
        let parts = Parts {
            patches: ("conv_proj", patches),
            tokens: ("encoder.dropout", tokens),
            pre_norm: None,
            blocks,
            norm: (
                "encoder.ln",
                checkpoint.layer_norm("encoder.ln", SHAPE.width, SHAPE.epsilon)?,
            ),
            norm_of_class_token: false,
            head,
        };
        Ok(VisionTransformer::new("ViT-B/16", IMAGE_PX, parts))
    }
}
