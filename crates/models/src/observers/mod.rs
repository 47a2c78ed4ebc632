//! The tasks that models do for the rest of Neurogauge, independent of the network.
//!
//! Each folder has the trait of one job, the common code of its models, and how to find one by its id.

pub(crate) mod captioning;
pub mod detection;
pub(crate) mod image_features;
pub mod local_vlm;
pub mod placeholders;
pub mod preprocess;
pub(crate) mod scene_graph_parsing;
pub mod segmentation;
pub(crate) mod text_encoding;
