//! Makes an observer from outside this toolkit a step of `score` and `perceive`.

use super::{About, Done, Observer};
use crate::Error;
use crate::execute::{
    Images, Keyed, Perceived, PromptedImages, Seen, Step, StepContext, StepObserver, StepOutput, prefix,
};
use crate::settings::CustomObserver;
use crate::store::journal;
use neurogauge_core::{Captions, Image, ImageSet, ModelIdentity, ObservationKind};
use neurogauge_formats::json;
use neurogauge_formats::store::{ContentKey, Store};
use neurogauge_models::ModelError;
use serde::Serialize;
use serde::de::DeserializeOwned;
use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;

/// Makes a step from an observer whose items are an image and its captions, for
/// [`RunSettings::custom_observers`](crate::RunSettings::custom_observers). It writes `custom.json` for each source, by
/// stem.
pub fn custom<O>(observer: O) -> CustomObserver
where
    O: Observer<Item = (Image<f32>, Captions)> + Clone + Send + 'static,
    O::Output: Clone + Serialize + DeserializeOwned,
{
    let name = observer.identity().id.clone();
    let make: MakeStep = Box::new(move || Box::new(CustomStep(observer.clone())));
    CustomObserver::new(name, Arc::new(make))
}

/// Makes a new step for each command.
type MakeStep = Box<dyn Fn() -> Box<dyn StepObserver> + Send + Sync>;

pub(crate) fn step_of(observer: &CustomObserver) -> Option<Box<dyn StepObserver>> {
    observer.carried::<MakeStep>().map(|make| make())
}

struct CustomStep<O>(O);

impl<O> Observer for CustomStep<O>
where
    O: Observer<Item = (Image<f32>, Captions)>,
{
    type Item = O::Item;
    type Recipe = O::Recipe;
    type Model = O::Model;
    type Input = O::Input;
    type Output = O::Output;

    const ABOUT: About = O::ABOUT;
    const KEPT_AT_ONCE: bool = O::KEPT_AT_ONCE;

    fn identity(&self) -> &ModelIdentity {
        self.0.identity()
    }

    fn recipe(&self) -> &O::Recipe {
        self.0.recipe()
    }

    fn load(&self) -> Result<Box<O::Model>, Error> {
        self.0.load()
    }

    fn batch(&self, model: &O::Model) -> usize {
        self.0.batch(model)
    }

    fn prepare(&self, item: O::Item) -> Result<O::Input, ModelError> {
        self.0.prepare(item)
    }

    fn observe(
        &self,
        model: &O::Model,
        inputs: &[O::Input],
        progress: &(dyn Fn(usize) + Sync),
    ) -> Result<Vec<O::Output>, ModelError> {
        self.0.observe(model, inputs, progress)
    }

    fn observe_each(
        &self,
        model: &O::Model,
        inputs: Vec<O::Input>,
        progress: &(dyn Fn(usize) + Sync),
        done: &mut Done<'_, O::Output>,
    ) -> Result<(), Error> {
        self.0.observe_each(model, inputs, progress, done)
    }
}

/// The images of a source with the captions of each.
fn captioned<'a>(step: &StepContext<'a>, of: ImageSet, images: Images<'a>) -> Option<PromptedImages<'a, Captions>> {
    let captions = step.inputs.captions(of)?.iter();
    let captions: HashMap<&str, &Captions> = captions.map(|(stem, texts)| (stem.as_str(), texts)).collect();
    let of_stem =
        |stem: &String| captions.get(stem.as_str()).filter(|texts| !texts.0.is_empty()).map(|texts| (*texts).clone());
    Some(PromptedImages {
        asked: images.source.stems().iter().map(of_stem).collect(),
        images,
        lacking: "it has no caption, and this observer reads images with their captions",
    })
}

/// The key of each image with its captions.
fn keys_of(observer: &impl Observer, items: &PromptedImages<'_, Captions>) -> Result<Vec<ContentKey>, Error> {
    let (prefix, record) = (prefix(observer)?, items.images.record);
    let pairs = record.items.iter().zip(&items.asked);
    let key = |((_, sha256), asked): (&(String, String), &Option<Captions>)| {
        let texts = asked.iter().flat_map(|captions| &captions.0).map(String::as_str);
        let parts: Vec<&str> = [record.form.as_str(), sha256].into_iter().chain(texts).collect();
        prefix.key(&parts)
    };
    Ok(pairs.map(key).collect())
}

impl<O> Step for CustomStep<O>
where
    O: Observer<Item = (Image<f32>, Captions)>,
    O::Output: Clone + Serialize + DeserializeOwned,
{
    fn makes(&self) -> ObservationKind {
        ObservationKind::Custom
    }

    fn n_cached(&self, output: &StepOutput, step: &StepContext<'_>) -> Result<Option<usize>, Error> {
        let of = output.writes.of;
        let images = step.inputs.images(of);
        let Some(items) = images.and_then(|images| captioned(step, of, images)) else {
            return Ok(None);
        };
        let keys = keys_of(self, &items)?;
        Ok(Some(Step::kept(self, step)?.count(&keys)))
    }

    fn run(self, step: &StepContext<'_>) -> Result<Vec<Perceived>, Error> {
        let kind = Step::makes(&self);
        let id = self.identity().id.clone();
        let mut made = Perceived::by(kind, self.identity());
        let own = step.places.journal(kind, &id);
        let mut session = step.session(self);
        for (of, images) in step.images(kind) {
            let Some(items) = captioned(step, of, images) else {
                continue;
            };
            let keys = keys_of(&session.observer, &items)?;
            let mut store = journal::<O::Output>(kind, &id, &own, step.settings)?;
            let mut sink = Keyed {
                keys: &keys,
                store: &mut store,
            };
            let stage = format!("{id} {}", images.record.role);
            let Seen { failures, n_seen } = session.observe(&items, &stage, &mut sink)?;
            let failed = session.executor.failed_images(&images, failures);
            if step.writes {
                let mut by_stem = BTreeMap::new();
                for (stem, key) in images.source.stems().iter().zip(&keys) {
                    by_stem.extend(store.get(key)?.map(|found| (stem, found)));
                }
                let path = step.places.file(of, kind);
                json::write(&path, &by_stem)?;
                made.paths.push(path);
            }
            made.count(images.source.len(), n_seen, failed);
        }
        Ok(vec![made])
    }
}
