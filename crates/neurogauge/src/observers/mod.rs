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
use crate::dataset::InputRecord;
use crate::execute::{Executor, FailedItem, Images, Session, observe_batch};
use crate::progress::Progress;
use crate::request::RunSettings;
use crate::store::journal;
use neurogauge_core::{Image, ModelIdentity, ObservationKind, Role};
use neurogauge_formats::image_source::ImageSource;
use neurogauge_formats::store::Store;
use neurogauge_models::detection::LocalDetector;
use neurogauge_models::segmentation::LocalSegmenter;
use neurogauge_models::{
    LocalCaptioner, LocalImageModel, LocalSceneGraphParser, ModelError, current_id,
};
use serde::Serialize;
use serde::de::DeserializeOwned;
use std::path::Path;

/// What an observer is, whatever its weights and options.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct About {
    /// Its name, which keys hold.
    pub name: &'static str,
    /// Raised whenever the same recipe gives something else; keys hold it, so what was kept before is observed anew.
    pub revision: &'static str,
    /// What it makes; [`ObservationKind::made_of`] says of what.
    pub makes: ObservationKind,
    /// Items that are in memory together, unless [`Observer::batch`] says otherwise.
    pub batch: usize,
}

/// A model that observes one item at a time.
pub trait Observer: Sync {
    /// What it observes: an [`Image`](neurogauge_core::Image) or a text.
    type Item;
    /// All that decides what it makes, but the item.
    type Recipe: Serialize;
    /// A model that is in memory.
    type Model: ?Sized;
    /// An item as the model takes it.
    type Input: Send;
    /// What it makes of an item.
    type Output: Send;

    /// What it is.
    const ABOUT: About;
    /// Must a result be on disk before the next is asked for? Others are kept while the model goes on.
    const KEPT_AT_ONCE: bool = false;

    /// Which model it is, to the byte.
    fn identity(&self) -> &ModelIdentity;
    /// All that decides what it makes, but the item.
    fn recipe(&self) -> &Self::Recipe;
    /// Reads the weights.
    ///
    /// # Errors
    /// Weights that are absent or do not fit.
    fn load(&self) -> Result<Box<Self::Model>, Error>;
    /// Items that this model is given together.
    fn batch(&self, _model: &Self::Model) -> usize {
        Self::ABOUT.batch
    }
    /// Prepares an item, on one of several threads.
    ///
    /// # Errors
    /// An item that the model cannot take.
    fn prepare(&self, item: Self::Item) -> Result<Self::Input, ModelError>;
    /// What the model makes of each; `progress` may be told of items as they are finished.
    ///
    /// # Errors
    /// Where one item is at fault, the others are observed by themselves.
    fn observe(
        &self,
        model: &Self::Model,
        inputs: &[Self::Input],
        progress: &(dyn Fn(usize) + Sync),
    ) -> Result<Vec<Self::Output>, ModelError>;
    /// Hands over what the model makes of each input, by its place among them: all together, unless results come one by one and
    /// each is to be kept as it comes.
    ///
    /// # Errors
    /// What no single item is to blame for; what `done` gives.
    fn observe_each(
        &self,
        model: &Self::Model,
        inputs: Vec<Self::Input>,
        progress: &(dyn Fn(usize) + Sync),
        done: &mut Done<'_, Self::Output>,
    ) -> Result<(), Error>
    where
        Self: Sized,
    {
        let all = observe_batch(self, model, &inputs, progress)?;
        done(all.into_iter().enumerate().collect())
    }
}

/// Takes results, each with the place of its input.
pub type Done<'a, T> = dyn FnMut(Vec<(usize, Result<T, ModelError>)>) -> Result<(), Error> + 'a;

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
