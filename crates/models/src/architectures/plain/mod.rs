//! AlexNet ("One weird trick", Krizhevsky 2014) and VGG-16 (Simonyan and Zisserman 2015, without batch normalisation) as
//! torchvision has them: convolutions one after the other, then three fully connected layers.

mod model;
mod vgg_timm_names;

use crate::checkpoint::CheckpointFormats;
pub(crate) use model::Plain;

/// Of VGG-16.
pub(crate) static FORMATS: CheckpointFormats = CheckpointFormats {
    own: "torchvision",
    own_mark: Some("classifier.0.weight"),
    others: &[vgg_timm_names::TIMM],
    own_settings: &[],
};
