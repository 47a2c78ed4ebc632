//! Turns an observer from outside this toolkit into a step of `score` and `perceive`.

use super::Observer;
use crate::Error;
use crate::execute::{Found, PromptedImages, SourceItems, Step, StepContext, StepObserver, StepResult, step};
use crate::settings::CustomObserver;
use neurogauge_core::{Captions, Image, ImageSet, ObservationKind};
use neurogauge_formats::json;
use neurogauge_formats::store::Store;
use serde::Serialize;
use serde::de::DeserializeOwned;
use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;

/// Makes a step from an observer whose items are images with their captions, for
/// [`RunSettings::custom_observers`](crate::RunSettings::custom_observers). It writes `custom.json` for each source, by
/// stem.
pub fn custom<O>(observer: O) -> CustomObserver
where
    O: Observer<Item = (Image<f32>, Captions)> + Clone + Send + 'static,
    O::Output: Clone + Serialize + DeserializeOwned + 'static,
{
    let make: MakeStep = Box::new(move || step(observer.clone()));
    CustomObserver(Arc::new(make))
}

/// Makes a new step for each command.
type MakeStep = Box<dyn Fn() -> Box<dyn Step> + Send + Sync>;

pub(crate) fn step_of(observer: &CustomObserver) -> Option<Box<dyn Step>> {
    observer.0.downcast_ref::<MakeStep>().map(|make| make())
}

/// Any observer of images with their captions.
impl<O> StepObserver for O
where
    O: Observer<Item = (Image<f32>, Captions)>,
    O::Output: Clone + Serialize + DeserializeOwned + 'static,
{
    fn makes(&self) -> ObservationKind {
        ObservationKind::Custom
    }

    fn items<'a>(&self, step: &StepContext<'a>, of: ImageSet) -> Result<Option<SourceItems<'a, Self::Item>>, Error> {
        let (Some(images), Some(captions)) = (step.inputs.images(of), step.inputs.captions(of)) else {
            return Ok(None);
        };
        let captions: HashMap<&str, &Captions> = captions.iter().map(|(stem, texts)| (stem.as_str(), texts)).collect();
        let of_stem = |stem: &String| {
            let texts = captions.get(stem.as_str()).filter(|texts| !texts.0.is_empty());
            texts.map(|texts| (*texts).clone())
        };
        let prompted = PromptedImages {
            asked: images.source.stems().iter().map(of_stem).collect(),
            images,
            lacking: "it has no caption, and this observer reads images with their captions",
        };
        let in_key = |asked: &Option<Captions>| Ok(asked.iter().flat_map(|captions| captions.0.clone()).collect());
        SourceItems::of_images(self, prompted, in_key).map(Some)
    }

    fn store(&self, step: &StepContext<'_>) -> Result<Box<dyn Store<O::Output> + Send>, Error> {
        step.journal(self.makes(), &self.identity().id)
    }

    fn write(&self, found: &Found<'_, Self>, made: &mut StepResult) -> Result<(), Error> {
        let Some(path) = found.file(made) else {
            return Ok(());
        };
        let known = found.of_images().map(|known| known.map(|(place, result)| (found.stem(place), result)));
        let known: BTreeMap<&str, O::Output> = known.collect::<Result<_, Error>>()?;
        Ok(json::write(&path, &known)?)
    }
}
