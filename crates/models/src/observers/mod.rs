//! What models do for the rest of Neurogauge, independent of the network.
//!
//! Each folder has the trait of one task and the common code of its models.

pub(crate) mod captioning;
pub(crate) mod detection;
pub(crate) mod image_features;
pub(crate) mod local_vlm;
pub mod placeholders;
pub mod preprocess;
pub(crate) mod scene_graph_parsing;
pub(crate) mod segmentation;
pub(crate) mod text_encoding;
