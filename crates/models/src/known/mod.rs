//! Models by their ids: where their weights are, and which architecture loads them.

pub(crate) mod captioning;
pub mod detection;
pub(crate) mod image_features;
pub mod local_vlm;
mod lpips;
pub(crate) mod scene_graph_parsing;
pub mod segmentation;
#[cfg(test)]
mod tests;
pub(crate) mod text_encoding;

use crate::checkpoint::model_files::ModelKind;
use neurogauge_core::ModelIdentity;

/// Every placeholder: the id that asks for it, and which model it is.
///
/// ```
/// let all = neurogauge_models::placeholders();
/// assert!(all.iter().any(|(id, model)| *id == "placeholder-detector" && model.stand_in));
/// ```
pub fn placeholders() -> Vec<(&'static str, ModelIdentity)> {
    let of_kinds = [
        captioning::Captioning::placeholder(),
        detection::Detecting::placeholder(),
        image_features::ImageFeatures::placeholder(),
        local_vlm::VlmKind::placeholder(),
        scene_graph_parsing::SceneGraphParsing::placeholder(),
        segmentation::Segmenting::placeholder(),
        text_encoding::TextEncoding::placeholder(),
    ];
    of_kinds.into_iter().flatten().collect()
}
