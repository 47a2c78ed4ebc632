//! ConvNeXt as torchvision has it (Liu et al. 2022).

mod config;
mod model;
mod timm_names;
mod transformers_names;
mod weights;

use crate::checkpoint::CheckpointFormats;
pub(crate) use config::Config;
pub(crate) use model::ConvNext;

pub(crate) static FORMATS: CheckpointFormats = CheckpointFormats {
    own: "torchvision",
    own_mark: Some("features.0.0.weight"),
    others: &[timm_names::TIMM, transformers_names::TRANSFORMERS],
    own_settings: &[],
};
