//! Observations: descriptions of one image by a model or a person.

mod captions;
mod categorisation;
mod category_names;
mod detections;
mod features;
mod kind;
mod labels;
mod masks;
mod scene_graph;

pub use captions::Captions;
pub use categorisation::{BackgroundElement, Categorisation, ForegroundObject};
pub use category_names::CategoryNames;
pub use detections::{BoxXyxy, Detection, Detections};
pub use features::{FeatureValue, Features, FeaturesError, RowValues};
pub use kind::{ByKind, ImageSet, ObservationKind, Observed, Role};
pub use labels::{LabelGroups, LabelList};
pub use masks::{InstanceMask, Mask, MaskError, Masks};
pub use scene_graph::SceneGraph;
