//! The layouts that the checkpoints of each model may be in.

use crate::checkpoint::{Checkpoint, Layouts};
use crate::{ModelError, convnext, efficientnet, inception, resnet, swin, vgg, vit};

/// The checkpoint of the model called `id`, read by the names that it has.
pub(crate) fn recognised(id: &str, checkpoint: Checkpoint) -> Result<Checkpoint, ModelError> {
    match of(id) {
        Some(layouts) => checkpoint.in_layout_of(layouts),
        None => Ok(checkpoint),
    }
}

/// Those of the model called `id`, where files of other libraries than torchvision's can be its weights.
/// CLIP's two layouts have different files and networks ([`crate::clip::Layout`]).
fn of(id: &str) -> Option<&'static Layouts> {
    Some(match id.strip_suffix("_v1").unwrap_or(id) {
        "convnext_tiny" => &convnext::LAYOUTS,
        "efficientnet_b1" => &efficientnet::LAYOUTS,
        "inception_v3" => &inception::LAYOUTS,
        "resnet18" => &resnet::LAYOUTS_18,
        "resnet50" => &resnet::LAYOUTS_50,
        "swin_t" => &swin::LAYOUTS,
        "vgg16" => &vgg::LAYOUTS,
        "vit_b_16" => &vit::LAYOUTS,
        _ => return None,
    })
}
