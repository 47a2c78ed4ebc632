//! Models that describe one item at a time: an image or a text.
//!
//! An [`Observer`] declares its inputs, its outputs and its recipe; as a `Step` it observes the items of every source
//! of a command. `execute/` runs both. Observers do not depend on datasets or run folders. A new observer needs a file
//! here, a line in [`registry`] and a place in `plan/observers/`. [`custom`] turns an observer from outside this toolkit
//! into a step.

pub(crate) mod box_masks;
pub(crate) mod box_overlay;
pub(crate) mod captions;
mod custom;
pub(crate) mod detections;
pub(crate) mod features;
pub(crate) mod masks;
pub(crate) mod scene_graphs;
pub(crate) mod text_embeddings;
pub(crate) mod vlm;

pub use custom::custom;
pub(crate) use custom::step_of;

pub use crate::execute::{About, Done, Observer};
use neurogauge_core::ObservationKind;
use neurogauge_models::detection::LocalDetector;
use neurogauge_models::segmentation::LocalSegmenter;
use neurogauge_models::{LocalCaptioner, LocalImageModel, LocalSceneGraphParser};

/// The kind that the model with this id makes, if the model exists.
///
/// ```
/// use neurogauge::{core::ObservationKind, observers};
/// assert_eq!(observers::kind_of("git_large_coco"), Some(ObservationKind::Captions));
/// assert_eq!(observers::kind_of("resnet18-untrained-3"), Some(ObservationKind::Features));
/// ```
pub fn kind_of(id: &str) -> Option<ObservationKind> {
    let found = registry().into_iter().find(|(_, ids)| ids.contains(&id));
    match found {
        Some((kind, _)) => Some(kind),
        None => LocalImageModel::knows(id).then_some(ObservationKind::Features),
    }
}

/// The ids of all observers, by the kind of their results. Image models with random weights have further ids
/// ([`LocalImageModel::knows`]).
pub fn registry() -> [(ObservationKind, Vec<&'static str>); 5] {
    [
        (ObservationKind::Features, LocalImageModel::ids()),
        (ObservationKind::Captions, LocalCaptioner::ids()),
        (ObservationKind::Detections, LocalDetector::ids()),
        (ObservationKind::Masks, LocalSegmenter::ids()),
        (ObservationKind::SceneGraphs, LocalSceneGraphParser::ids()),
    ]
}
