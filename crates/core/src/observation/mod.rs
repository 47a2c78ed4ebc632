//! What a model (or a person) says about one image.

mod captions;
mod detections;
mod features;
mod labels;

pub use captions::Captions;
pub use detections::{BoxXyxy, Detection, Detections};
pub use features::{Features, FeaturesError};
pub use labels::LabelList;
