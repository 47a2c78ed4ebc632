//! Vision transformers: patches of an image, a class token before them, pre-norm blocks (Dosovitskiy et al. 2021).
//! Later variants have no class token, more learned tokens, positions as rotations, scaled layers, a convolutional
//! stem, or a learned query as the head. Each of these is a field of [`TowerShape`] or of the names of a file's
//! tensors. torchvision's ViT-B/16 is here and, in `published`, the models of timm and transformers; CLIP's image
//! towers are the same network under other names.

mod model;
mod published;
mod rotation;
mod timm_names;
mod torchvision;
mod tower;
mod transformers_names;

use crate::checkpoint::CheckpointFormats;
pub(crate) use model::{Head, Parts, Readout, VisionTransformer, class_tokens};
pub(crate) use published::{REDUCED, TIMM_PRE_NORM, Variant, has_no_use};
pub(crate) use tower::{TokenShape, TowerNames, TowerShape, tower};
pub(crate) use transformers_names::is_pooler;

pub(crate) static FORMATS: CheckpointFormats = CheckpointFormats {
    own: "torchvision",
    own_mark: Some("conv_proj.weight"),
    others: &[timm_names::TIMM, transformers_names::CLASSIFIER, transformers_names::BACKBONE],
    own_settings: &[],
};
