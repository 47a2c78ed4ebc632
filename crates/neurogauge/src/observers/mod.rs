//! Models that describe one item at a time: an image or a text.
//!
//! An [`Observer`] declares what it reads, what it makes and how; `execute/` runs it. Observers know nothing of datasets and run
//! folders. To add one takes three places: its file here, its line in [`kind_of`] and the changelog.

pub(crate) mod box_masks;
pub(crate) mod captions;
pub(crate) mod detections;
pub(crate) mod features;
pub(crate) mod masks;
pub(crate) mod scene_graphs;
pub(crate) mod served;
pub(crate) mod text_embeddings;
pub(crate) mod vis;

use crate::Error;
pub use crate::execute::{About, Done, Observer};
use crate::execute::{Executor, FailedItem, Images, Session};
use crate::progress::Progress;
use crate::settings::RunSettings;
use crate::store::journal;
use neurogauge_core::{Image, ObservationKind, Role};
use neurogauge_formats::image_source::ImageSource;
use neurogauge_formats::input_record::InputRecord;
use neurogauge_formats::store::Store;
use neurogauge_models::detection::LocalDetector;
use neurogauge_models::segmentation::LocalSegmenter;
use neurogauge_models::{LocalCaptioner, LocalImageModel, LocalSceneGraphParser, current_id};
use serde::Serialize;
use serde::de::DeserializeOwned;
use std::path::Path;

/// What an observer of one's own made of the images of a source.
#[derive(Debug, Clone, PartialEq)]
pub struct Observations<T> {
    /// The stem of each image, and what was made of it; nothing of those that failed.
    pub items: Vec<(String, Option<T>)>,
    /// Images that could not be observed.
    pub failed: Vec<FailedItem>,
    /// Images that the model had to see; the rest was known.
    pub n_seen: usize,
}

/// Lets an observer of one's own observe a folder or stack of images, as `neurogauge perceive` does with those that are
/// registered: decoded on threads, in batches, kept by content, never observed twice.
///
/// # Errors
/// Images that cannot be listed or hashed; whatever [`Observer::load`] gives; a failed image, where the settings say that it
/// stops.
pub fn observe_images<O>(
    observer: O,
    images: &Path,
    settings: &RunSettings,
    progress: &dyn Progress,
) -> Result<Observations<O::Output>, Error>
where
    O: Observer<Item = Image<f32>>,
    O::Output: Clone + Serialize + DeserializeOwned,
{
    let source = &ImageSource::open(images)?;
    let record = &InputRecord::of_items(Role::IMAGES, source, progress)?;
    let kind = O::ABOUT.makes;
    let own = settings.out.join(format!("{kind}.jsonl"));
    let mut store = journal(kind, &observer.identity().id, &own, settings)?;
    let executor = Executor::new(settings, progress);
    let found =
        Session::new(observer, executor).observe_images(&Images { source, record }, &mut store)?;
    let mut items = Vec::with_capacity(source.len());
    for (stem, key) in source.stems().iter().zip(found.keys) {
        let made = key.map(|key| store.get(&key)).transpose()?.flatten();
        items.push((stem.clone(), made));
    }
    Ok(Observations {
        items,
        failed: found.failed,
        n_seen: found.n_seen,
    })
}

/// What the model of this id makes, if there is such a model: the registry of observers.
///
/// ```
/// use neurogauge::{core::ObservationKind, observers};
/// assert_eq!(observers::kind_of("git_large_coco"), Some(ObservationKind::Captions));
/// assert_eq!(observers::kind_of("resnet18-untrained-3"), Some(ObservationKind::Features));
/// ```
pub fn kind_of(id: &str) -> Option<ObservationKind> {
    let found = registry()
        .into_iter()
        .find(|(_, ids)| ids.contains(&&*current_id(id)));
    match found {
        Some((kind, _)) => Some(kind),
        None => LocalImageModel::knows(id).then_some(ObservationKind::Features),
    }
}

/// The ids of all observers, by what they make. Image models with random weights have more
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
