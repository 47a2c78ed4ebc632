//! VGG-16 as torchvision has it (Simonyan and Zisserman 2015), without batch normalisation.

mod model;
mod timm_names;

use crate::checkpoint::CheckpointFormats;
pub(crate) use model::Vgg16;

pub(crate) static FORMATS: CheckpointFormats = CheckpointFormats {
    own: "torchvision",
    own_mark: Some("classifier.0.weight"),
    others: &[timm_names::TIMM],
    own_settings: &[],
};
