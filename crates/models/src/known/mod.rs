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
