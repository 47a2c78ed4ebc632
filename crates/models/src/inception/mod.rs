//! Inception v3 as torchvision has it (Szegedy et al. 2015), with `transform_input`: the published weights
//! want pixels in [-1, 1], so that the normalisation by ImageNet's statistics is undone first. The
//! auxiliary classifier of training, `AuxLogits`, has no place here.

mod config;
mod model;
mod weights;

pub(crate) use model::InceptionV3;

/// Does a tensor of the published checkpoint belong to the auxiliary classifier?
pub(crate) fn is_auxiliary(name: &str) -> bool {
    name.starts_with("AuxLogits.")
}
