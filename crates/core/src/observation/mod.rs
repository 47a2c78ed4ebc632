//! Observations: descriptions of one image by a model or a person.

mod described;
mod detections;
mod features;
mod kind;
mod labels;
mod masks;

pub use described::{BackgroundElement, Captions, Categorisation, CategoryNames, ForegroundObject, SceneGraph};
pub use detections::{BoxXyxy, Detection, Detections};
pub use features::{FeatureValue, Features, FeaturesError, RowValues};
pub use kind::{ByKind, ImageSet, ObservationKind, Observed, Role};
pub use labels::{LabelGroups, LabelList};
pub use masks::{InstanceMask, Mask, MaskError, Masks};
