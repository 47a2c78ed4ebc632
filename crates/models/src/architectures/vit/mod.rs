//! Vision transformers: images in patches, a class token before them, pre-norm blocks (Dosovitskiy et
//! al. 2021). torchvision's ViT-B/16 is here; CLIP's image towers are the same network under other names.

mod model;
mod timm_names;
mod torchvision;
mod tower;
mod transformers_names;

use crate::checkpoint::CheckpointFormats;
pub(crate) use model::{Parts, VisionTransformer};
pub(crate) use tower::{TowerNames, TowerShape, tower};
pub(crate) use transformers_names::is_pooler;

/// Of its checkpoints.
pub(crate) static FORMATS: CheckpointFormats = CheckpointFormats {
    own: "torchvision",
    own_mark: Some("conv_proj.weight"),
    others: &[
        timm_names::TIMM,
        transformers_names::CLASSIFIER,
        transformers_names::BACKBONE,
    ],
    own_settings: &[],
};
