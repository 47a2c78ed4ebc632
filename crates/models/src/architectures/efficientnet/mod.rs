//! EfficientNet-B1 as torchvision has it (Tan & Le 2019). Unlike the original it has symmetric padding, and an epsilon
//! of 1e-5 in the normalisation.

mod config;
mod model;
mod timm_names;
mod transformers_names;
mod weights;

use crate::checkpoint::CheckpointFormats;
pub(crate) use model::EfficientNet;

pub(crate) static FORMATS: CheckpointFormats = CheckpointFormats {
    own: "torchvision",
    own_mark: Some("features.0.0.weight"),
    others: &[timm_names::TIMM, transformers_names::TRANSFORMERS],
    own_settings: &[],
};
