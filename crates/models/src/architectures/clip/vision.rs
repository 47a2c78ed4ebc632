//! Image towers that are vision transformers.

use super::config::{EPSILON, HEAD_WIDTH, VisionConfig};
use super::layout::Layout;
use crate::ModelError;
use crate::architectures::vit::{Parts, VisionTransformer};
use crate::blocks::{Activation, TokenEmbedding};
use crate::checkpoint::Checkpoint;
use crate::checkpoint::layers::Kernel;
use crate::checkpoint::transformer::BlockShape;

/// Names of an image tower's tensors, but for those inside its blocks.
struct Names {
    class_token: &'static str,
    patches: &'static str,
    positions: &'static str,
    pre_norm: &'static str,
    blocks: &'static str,
    norm: &'static str,
    projection: &'static str,
}

const OPENAI: Names = Names {
    class_token: "visual.class_embedding",
    patches: "visual.conv1",
    positions: "visual.positional_embedding",
    pre_norm: "visual.ln_pre",
    blocks: "visual.transformer.resblocks",
    norm: "visual.ln_post",
    projection: "visual.proj",
};

impl Names {
    fn of(layout: Layout) -> Names {
        match layout {
            Layout::OpenAi => OPENAI,
            Layout::HuggingFace => HUGGING_FACE,
        }
    }
}

/// The third name is spelt as published.
const HUGGING_FACE: Names = Names {
    class_token: "vision_model.embeddings.class_embedding",
    patches: "vision_model.embeddings.patch_embedding",
    positions: "vision_model.embeddings.position_embedding.weight",
    pre_norm: "vision_model.pre_layrnorm",
    blocks: "vision_model.encoder.layers",
    norm: "vision_model.post_layernorm",
    projection: "visual_projection",
};

/// The tower of an OpenAI or transformers checkpoint.
pub(crate) fn vision_transformer(
    checkpoint: &mut Checkpoint,
    config: VisionConfig,
    layout: Layout,
) -> Result<VisionTransformer, ModelError> {
    let tokens = vision_tokens(checkpoint, config, layout, "")?;
    let name = Names::of(layout).projection;
    let head = layout.projection(checkpoint, name, config.width, config.n_embedding)?;
    let parts = Parts {
        norm_of_class_token: true,
        head: Some(("image_embeds", head)),
        ..tokens
    };
    Ok(VisionTransformer::new(
        config.architecture,
        config.image_px,
        parts,
    ))
}

/// The tower up to the norm of all tokens behind its last block, without a head. The names of its tensors have
/// `prefix` before them.
pub(crate) fn vision_tokens(
    checkpoint: &mut Checkpoint,
    config: VisionConfig,
    layout: Layout,
    prefix: &str,
) -> Result<Parts, ModelError> {
    let names = Names::of(layout);
    let name = |name: &str| format!("{prefix}{name}");
    let width = config.width;
    let kernel = Kernel::square(3, width, config.patch_px, config.patch_px, 0);
    let patches = checkpoint.convolution_without_bias(&name(names.patches), kernel)?;
    let class_token = checkpoint.take(&name(names.class_token), &[width])?;
    let positions = checkpoint.take(&name(names.positions), &[config.n_tokens(), width])?;
    let tokens =
        checkpoint.arranged(|| TokenEmbedding::with_class_token(&class_token, &positions))?;
    let pre_norm = checkpoint.layer_norm(&name(names.pre_norm), width, EPSILON)?;
    let shape = BlockShape {
        width,
        n_heads: width / HEAD_WIDTH,
        n_inner: config.n_inner,
        activation: Activation::QuickGelu,
        epsilon: EPSILON,
    };
    let blocks = (0..config.n_blocks)
        .map(|index| {
            let name = name(&format!("{}.{index}", names.blocks));
            let block = checkpoint.transformer_block(&name, layout.block_names(), shape)?;
            Ok((format!("{}.{index}", HUGGING_FACE.blocks), block))
        })
        .collect::<Result<Vec<_>, ModelError>>()?;
    let norm = checkpoint.layer_norm(&name(names.norm), width, EPSILON)?;
    Ok(Parts {
        patches: (HUGGING_FACE.patches, patches),
        tokens: ("vision_model.embeddings", tokens),
        pre_norm: Some((HUGGING_FACE.pre_norm, pre_norm)),
        blocks,
        norm: (HUGGING_FACE.norm, norm),
        norm_of_class_token: false,
        head: None,
    })
}
