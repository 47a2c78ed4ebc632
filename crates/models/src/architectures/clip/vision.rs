//! Image towers that are vision transformers.

use super::config::VisionConfig;
use super::layout::Layout;
use crate::ModelError;
use crate::architectures::vit::{Parts, TowerNames, VisionTransformer, tower};
use crate::checkpoint::Checkpoint;

/// The tower of an OpenAI or transformers checkpoint.
pub(crate) fn vision_transformer(
    checkpoint: &mut Checkpoint,
    config: VisionConfig,
    layout: Layout,
) -> Result<VisionTransformer, ModelError> {
    let tokens = vision_tokens(checkpoint, config, layout, "")?;
    let name = match layout {
        Layout::OpenAi => "visual.proj",
        Layout::HuggingFace => "visual_projection",
    };
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
    let (names, offered) = (names(layout), names(Layout::HuggingFace));
    tower(checkpoint, config.shape(), &names, prefix, &offered)
}

fn names(layout: Layout) -> TowerNames {
    match layout {
        Layout::OpenAi => TowerNames {
            patches: "visual.conv1",
            patches_have_bias: false,
            class_token: "visual.class_embedding",
            positions: "visual.positional_embedding",
            has_image_axis: false,
            tokens: "",
            pre_norm: Some("visual.ln_pre"),
            blocks: "visual.transformer.resblocks.",
            block: *layout.block_names(),
            norm: "visual.ln_post",
        },
        Layout::HuggingFace => TowerNames {
            patches: "vision_model.embeddings.patch_embedding",
            patches_have_bias: false,
            class_token: "vision_model.embeddings.class_embedding",
            positions: "vision_model.embeddings.position_embedding.weight",
            has_image_axis: false,
            tokens: "vision_model.embeddings",
            // Spelt as published.
            pre_norm: Some("vision_model.pre_layrnorm"),
            blocks: "vision_model.encoder.layers.",
            block: *layout.block_names(),
            norm: "vision_model.post_layernorm",
        },
    }
}
