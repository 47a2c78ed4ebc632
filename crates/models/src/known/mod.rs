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

use neurogauge_core::ModelIdentity;

/// Every placeholder: the id that users ask for, and its identity.
///
/// ```
/// let all = neurogauge_models::placeholders();
/// assert!(all.iter().any(|(id, model)| *id == "placeholder-detector" && model.stand_in));
/// ```
pub fn placeholders() -> Vec<(&'static str, ModelIdentity)> {
    let of_kinds = [
        captioning::LocalCaptioner::placeholder(),
        detection::LocalDetector::placeholder(),
        image_features::LocalImageModel::placeholder(),
        local_vlm::LocalVlm::placeholder(),
        scene_graph_parsing::LocalSceneGraphParser::placeholder(),
        segmentation::LocalSegmenter::placeholder(),
        text_encoding::LocalTextEncoder::placeholder(),
    ];
    of_kinds.into_iter().flatten().collect()
}
