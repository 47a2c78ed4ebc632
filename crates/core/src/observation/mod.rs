//! What a model (or a person) says about one image.

mod captions;
mod detections;
mod features;
mod labels;
mod scene_graph;

pub use captions::Captions;
pub use detections::{BoxXyxy, Detection, Detections};
pub use features::{Features, FeaturesError};
pub use labels::LabelList;
pub use scene_graph::SceneGraph;
