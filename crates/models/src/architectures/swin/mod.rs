//! Swin Transformers as torchvision has them (Liu et al. 2021): attention within windows of the map,
//! which are shifted in every second block.

mod block;
mod config;
mod feature_maps;
mod model;
mod position_bias;
mod timm_names;
mod transformers_names;
mod weights;

use crate::checkpoint::CheckpointFormats;
pub(crate) use config::Config;
pub(crate) use feature_maps::{BackboneConfig, FeatureMaps};
pub(crate) use model::Swin;
pub(crate) use transformers_names::origin_below;

pub(crate) static FORMATS: CheckpointFormats = CheckpointFormats {
    own: "torchvision",
    own_mark: Some("features.0.0.weight"),
    others: &[timm_names::TIMM, timm_names::AUTHORS, transformers_names::TRANSFORMERS],
    own_settings: &[],
};
