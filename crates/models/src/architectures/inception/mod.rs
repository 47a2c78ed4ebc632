//! Inception v3 as torchvision has it (Szegedy et al. 2015), with `transform_input`: the published weights
//! expect pixels in [-1, 1], so the normalisation by ImageNet's statistics is undone first. The auxiliary
//! classifier of training, `AuxLogits`, is left out.

mod config;
mod model;
mod weights;

use crate::checkpoint::{CheckpointFormats, Setting};
pub(crate) use model::InceptionV3;

/// Does a tensor of the published checkpoint belong to the auxiliary classifier?
pub(crate) fn is_auxiliary(name: &str) -> bool {
    name.starts_with("AuxLogits.")
}

/// The formats of its checkpoints. timm uses torchvision's names; its network expects pixels in [-1, 1], which this one
/// computes itself.
pub(crate) static FORMATS: CheckpointFormats = CheckpointFormats {
    own: "torchvision and timm",
    own_mark: None,
    others: &[],
    own_settings: &[Setting(
        "architecture",
        &["\"inception_v3\"", "\"tf_inception_v3\"", "\"adv_inception_v3\"", "\"gluon_inception_v3\""],
    )],
};
