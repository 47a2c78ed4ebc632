//! Runs an observer as a step of a plan.

use super::{
    Executor, Images, Items, Keyed, Observer, PromptedImages, Seen, Session, Step, StepContext, StepInputs, StepMemory,
    StepOutput, StepResult, has_kind, prefix, recipe_json,
};
use crate::Error;
use crate::store::Kept;
use neurogauge_core::{Image, ImageSet, ModelIdentity, ObservationKind, Role};
use neurogauge_formats::FormatError;
use neurogauge_formats::image_source::ImageSource;
use neurogauge_formats::stem_listing::remove_others;
use neurogauge_formats::store::{ContentKey, Store};
use serde_json::Value;
use std::collections::HashMap;
use std::path::{Path, PathBuf};

/// What an observer needs in order to be a step: the items it observes, a store of its results by content, a way to
/// write them, and the memory that it takes.
pub(crate) trait StepObserver: Observer + Sized {
    fn makes(&self) -> ObservationKind {
        Self::ABOUT.makes
    }

    fn models(&self) -> Vec<&ModelIdentity> {
        vec![self.identity()]
    }

    /// Everything that affects its output, except the items: the recipe, and changes to observations when they are
    /// written.
    fn written_recipe(&self) -> Result<Value, Error> {
        recipe_json(self.identity(), self.recipe())
    }

    /// Its inputs for a source. Its items are those of the first.
    fn reads(&self, of: ImageSet) -> Vec<Role> {
        self.makes().reads(of).collect()
    }

    /// The items of a source; `None` if they are not made yet.
    fn items<'a>(&self, step: &StepContext<'a>, of: ImageSet) -> Result<Option<SourceItems<'a, Self::Item>>, Error>;

    /// The store of its results by content, which it reads and extends.
    fn store(&self, step: &StepContext<'_>) -> Result<Box<dyn Store<Self::Output> + Send>, Error>;

    /// The kind and the name of the store.
    fn kept_as(&self) -> (ObservationKind, String) {
        (self.makes(), self.identity().id.clone())
    }

    /// Writes the results for a source, if the step writes files, and counts them.
    fn write(&self, found: &Found<'_, Self>, made: &mut StepResult) -> Result<(), Error>;

    /// Adds what is known only after the last source.
    fn finish(&self, _made: &mut StepResult) {}

    /// See [`Step::check_ready`].
    fn check_ready(&self, _is_cached: bool) -> Result<(), Error> {
        Ok(())
    }

    /// See [`Step::memory`].
    fn memory(&self, _inputs: &dyn StepInputs) -> Result<Option<StepMemory>, Error> {
        Ok(None)
    }
}

/// An observer as a step of a plan.
pub(crate) fn step<'a>(observer: impl StepObserver + 'a) -> Box<dyn Step + 'a> {
    Box::new(ObserverStep(observer))
}

struct ObserverStep<O>(O);

impl<O: StepObserver> Step for ObserverStep<O> {
    fn makes(&self) -> ObservationKind {
        self.0.makes()
    }

    fn model(&self) -> &ModelIdentity {
        self.0.identity()
    }

    fn models(&self) -> Vec<&ModelIdentity> {
        self.0.models()
    }

    fn recipe(&self) -> Result<Value, Error> {
        recipe_json(self.0.identity(), self.0.recipe())
    }

    fn written_recipe(&self) -> Result<Value, Error> {
        self.0.written_recipe()
    }

    fn outputs(&self, image_sets: &[ImageSet]) -> Vec<StepOutput> {
        let output = |&of: &ImageSet| StepOutput {
            reads: self.0.reads(of),
            writes: Role::new(of, self.makes()),
            features: None,
        };
        image_sets.iter().filter(|of| has_kind(**of, self.makes())).map(output).collect()
    }

    fn n_cached(&self, output: &StepOutput, step: &StepContext<'_>) -> Result<Option<usize>, Error> {
        let Some(source) = self.0.items(step, output.writes.of)? else {
            return Ok(None);
        };
        let (kind, name) = self.0.kept_as();
        let own = (&*step.places.kept, &*step.places.by_content(kind));
        let kept = Kept::of(kind, &name, own, step.settings)?;
        let is_kept = |(_, items): &&(&str, Vec<usize>)| items.iter().all(|item| kept.has(&source.keys[*item]));
        Ok(Some(source.stems.iter().filter(is_kept).count()))
    }

    fn check_ready(&self, is_cached: bool) -> Result<(), Error> {
        self.0.check_ready(is_cached)
    }

    fn memory(&self, inputs: &dyn StepInputs) -> Result<Option<StepMemory>, Error> {
        self.0.memory(inputs)
    }

    fn run(self: Box<Self>, step: &StepContext<'_>) -> Result<Vec<StepResult>, Error> {
        let (kind, model) = (self.makes(), self.model().clone());
        let mut made = StepResult::by(kind, &model);
        let mut session = Session::new(self.0, Executor::new(step.settings, step.progress));
        for of in step.inputs.image_sets().into_iter().filter(|of| has_kind(*of, kind)) {
            let Some(source) = session.observer.items(step, of)? else {
                continue;
            };
            let mut store = session.observer.store(step)?;
            let stage = format!("{} {}", model.id, source.role);
            let mut sink = Keyed {
                keys: &source.keys,
                store: &mut *store,
            };
            let Seen { failures, n_seen } = session.observe(&*source.items, &stage, &mut sink)?;
            let reasons: HashMap<usize, String> = failures.into_iter().collect();
            let failed = source.stems.iter().filter_map(|(stem, items)| {
                let reason = items.iter().find_map(|item| reasons.get(item))?;
                Some((*stem, reason.clone()))
            });
            let failed = session.executor.failed((source.noun, &source.role), failed);
            made.count(source.stems.len(), n_seen, failed);
            let found = Found {
                step,
                of,
                source: &source,
                store: &*store,
            };
            session.observer.write(&found, &mut made)?;
        }
        session.observer.finish(&mut made);
        Ok(vec![made])
    }
}

pub(crate) struct SourceItems<'a, T> {
    pub(crate) items: Box<dyn Items<Item = T> + 'a>,
    /// The key of each item in the store.
    pub(crate) keys: Vec<ContentKey>,
    /// The word for whatever has a stem, in messages: an image, or its caption.
    pub(crate) noun: &'static str,
    pub(crate) role: String,
    /// The stems of the source, each with the positions of its items.
    pub(crate) stems: Vec<(&'a str, Vec<usize>)>,
    pub(crate) images: Option<&'a ImageSource>,
}

impl<'a, T: Clone + Sync + 'a> SourceItems<'a, (Image<f32>, T)> {
    /// The images of a source, each with its prompt. `in_key` turns a prompt into parts of the key.
    pub(crate) fn of_images(
        observer: &impl Observer,
        prompted: PromptedImages<'a, T>,
        in_key: impl Fn(&Option<T>) -> Result<Vec<String>, Error>,
    ) -> Result<Self, Error> {
        let prefix = prefix(observer)?;
        let Images { source, record, .. } = prompted.images;
        let images = record.items.iter().zip(&prompted.asked);
        let key = |((_, sha256), asked): (&(String, String), &Option<T>)| {
            let asked = in_key(asked)?;
            let parts = [record.form.as_str(), sha256].into_iter().chain(asked.iter().map(String::as_str));
            Ok(prefix.key(&parts.collect::<Vec<_>>()))
        };
        Ok(SourceItems {
            keys: images.map(key).collect::<Result<_, Error>>()?,
            noun: "image",
            role: record.role.clone(),
            stems: source.stems().iter().enumerate().map(|(place, stem)| (stem.as_str(), vec![place])).collect(),
            images: Some(source),
            items: Box::new(prompted),
        })
    }
}

impl<'a> SourceItems<'a, (Image<f32>, ())> {
    /// The images of a source, without prompts.
    pub(crate) fn of_plain_images(
        observer: &impl Observer,
        step: &StepContext<'a>,
        of: ImageSet,
    ) -> Result<Option<Self>, Error> {
        let Some(images) = step.inputs.images(of) else {
            return Ok(None);
        };
        let prompted = PromptedImages {
            images,
            asked: vec![Some(()); images.len()],
            lacking: "",
        };
        SourceItems::of_images(observer, prompted, |_| Ok(Vec::new())).map(Some)
    }
}

/// The stored results of a source after its items were observed.
pub(crate) struct Found<'a, O: Observer> {
    pub(crate) step: &'a StepContext<'a>,
    of: ImageSet,
    pub(crate) source: &'a SourceItems<'a, O::Item>,
    store: &'a dyn Store<O::Output>,
}

impl<O: StepObserver> Found<'_, O> {
    /// The results for the items of the stem at `place`; `None` if one is missing.
    pub(crate) fn results(&self, place: usize) -> Result<Option<Vec<O::Output>>, Error> {
        let results = self.source.stems[place].1.iter().map(|item| self.store.get(&self.source.keys[*item]));
        Ok(results.collect::<Result<_, FormatError>>()?)
    }

    /// The result for each image that has one, with the image's position.
    pub(crate) fn of_images(&self) -> impl Iterator<Item = Result<(usize, O::Output), Error>> {
        let results = self.source.keys.iter().enumerate().map(|(place, key)| Ok((place, self.store.get(key)?)));
        results.filter_map(|found| match found {
            Ok((place, result)) => Some(Ok((place, result?))),
            Err(error) => Some(Err(error)),
        })
    }

    pub(crate) fn stem(&self, place: usize) -> &str {
        self.source.stems[place].0
    }

    /// The file name of an image; `None` for an image of a stack.
    pub(crate) fn file_name(&self, place: usize) -> Option<String> {
        Some(self.source.images?.file_path(place)?.file_name()?.to_string_lossy().into_owned())
    }

    /// The file for this source, if the step writes files.
    pub(crate) fn file(&self, made: &mut StepResult) -> Option<PathBuf> {
        let path = self.step.writes.then(|| self.step.places.file(self.of, made.kind))?;
        made.paths.push(path.clone());
        Some(path)
    }

    /// Writes `<stem>.json` for each image into the folder of this source, if the step writes files, and removes files
    /// of other images there, which would be mistaken for results of this call.
    pub(crate) fn write_each(
        &self,
        made: &mut StepResult,
        mut write: impl FnMut(&Path, usize, O::Output) -> Result<(), FormatError>,
    ) -> Result<(), Error> {
        if !self.step.writes {
            return Ok(());
        }
        let folder = self.step.places.folder(self.of, made.kind);
        let mut known = Vec::new();
        for found in self.of_images() {
            let (place, result) = found?;
            write(&folder.join(format!("{}.json", self.stem(place))), place, result)?;
            known.push(self.stem(place));
        }
        remove_others(&folder, "json", known)?;
        made.paths.push(folder);
        Ok(())
    }
}
