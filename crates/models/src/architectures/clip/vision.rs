//! Image towers that are vision transformers.

use super::config::VisionConfig;
use super::layout::Layout;
use crate::ModelError;
use crate::architectures::vit::{Head, Parts, Readout, TIMM_PRE_NORM, TowerNames, VisionTransformer, tower};
use crate::checkpoint::Checkpoint;
use crate::network::LayerKind;
use neurogauge_kernels::blocks::Linear;

/// The library that named the tensors of the image tower.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum VisionLayout {
    /// A layout of files that contain both towers.
    Tower(Layout),
    /// timm's layout, for files with the image tower alone.
    Timm,
}

impl VisionLayout {
    /// Recognises the layout of a checkpoint by a tensor that every timm file has.
    pub(crate) fn of(checkpoint: &Checkpoint) -> VisionLayout {
        match checkpoint.shape_of("patch_embed.proj.weight") {
            Some(_) => VisionLayout::Timm,
            None => VisionLayout::Tower(Layout::of(checkpoint)),
        }
    }

    /// The projection into the space that texts and images share.
    fn projection(self, checkpoint: &mut Checkpoint, config: VisionConfig) -> Result<Linear, ModelError> {
        let (width, n_embedding) = (config.width, config.n_embedding);
        match self {
            VisionLayout::Timm => checkpoint.linear("head", width, n_embedding),
            VisionLayout::Tower(layout) => {
                let name = match layout {
                    Layout::OpenAi => "visual.proj",
                    Layout::HuggingFace => "visual_projection",
                };
                layout.projection(checkpoint, name, width, n_embedding)
            }
        }
    }
}

/// The tower of an OpenAI, transformers or timm checkpoint.
pub(crate) fn vision_transformer(
    checkpoint: &mut Checkpoint,
    config: VisionConfig,
    layout: VisionLayout,
) -> Result<VisionTransformer, ModelError> {
    let tokens = vision_tokens(checkpoint, config, layout, "")?;
    let projection = layout.projection(checkpoint, config)?;
    let parts = Parts {
        norm_of_class_token: true,
        head: Some(Head {
            readout: Readout::ClassToken,
            vector: ("image_embeds", Some(projection)),
        }),
        ..tokens
    };
    Ok(VisionTransformer::new(config.architecture, config.shape().sides(), parts))
}

/// The tower up to the norm of all tokens behind its last block, without a head. Its tensor names begin with `prefix`.
pub(crate) fn vision_tokens(
    checkpoint: &mut Checkpoint,
    config: VisionConfig,
    layout: VisionLayout,
    prefix: &str,
) -> Result<Parts, ModelError> {
    let offered = names(Layout::HuggingFace);
    let names = match layout {
        VisionLayout::Timm => TIMM_PRE_NORM,
        VisionLayout::Tower(layout) => names(layout),
    };
    tower(checkpoint, config.shape(), &names, prefix, &offered)
}

fn names(layout: Layout) -> TowerNames {
    match layout {
        Layout::OpenAi => TowerNames {
            patches: "visual.conv1",
            patch_layer: LayerKind::Map,
            patches_have_bias: false,
            class_token: "visual.class_embedding",
            registers: "",
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
            patch_layer: LayerKind::Map,
            patches_have_bias: false,
            class_token: "vision_model.embeddings.class_embedding",
            registers: "",
            positions: "vision_model.embeddings.position_embedding.weight",
            has_image_axis: false,
            tokens: "vision_model.embeddings",
            // Spelt like this in the published files.
            pre_norm: Some("vision_model.pre_layrnorm"),
            blocks: "vision_model.encoder.layers.",
            block: *layout.block_names(),
            norm: "vision_model.post_layernorm",
        },
    }
}
