//! Captioners, which describe images.

use super::{About, Observer};
use crate::Error;
use crate::execute::{Found, SourceItems, StepContext, StepInputs, StepMemory, StepObserver, StepResult, n_pixels};
use crate::model_weights::obtain;
use crate::progress::Progress;
use crate::settings::RunSettings;
use neurogauge_core::{Captions, Image, ImageSet, ModelIdentity, ObservationKind};
use neurogauge_formats::store::Store;
use neurogauge_formats::{captions, npy};
use neurogauge_models::{CaptionOptions, Captioner, DeviceChoice, LocalCaptioner, ModelError, Preprocessing};
use serde::{Deserialize, Serialize};

/// The captioner for metrics that need captions when none are given: SEED's.
pub const DEFAULT_CAPTIONER: &str = "git_large_coco";

/// Images that are in memory together, unless they are large.
pub(crate) const BATCH: usize = 8;

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CaptionerChoice {
    pub model: String,
    /// How captions are written (convention `caption-decoding`).
    #[serde(default)]
    pub options: CaptionOptions,
}

impl CaptionerChoice {
    /// A model with its default options.
    pub fn of(model: String) -> Self {
        CaptionerChoice {
            model,
            options: CaptionOptions::default(),
        }
    }
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct CaptionRecipe {
    pub model: ModelIdentity,
    pub preprocessing: Preprocessing,
    pub options: CaptionOptions,
}

/// A captioner whose weights are on this machine.
pub(crate) struct CaptionObserver {
    recipe: CaptionRecipe,
    found: LocalCaptioner,
}

impl CaptionObserver {
    /// Finds the weights of a captioner; missing ones are downloaded if allowed.
    pub(crate) fn find(
        CaptionerChoice { model, options }: &CaptionerChoice,
        settings: &RunSettings,
        progress: &dyn Progress,
    ) -> Result<Self, Error> {
        let found: LocalCaptioner = obtain(model, settings, progress)?;
        Ok(CaptionObserver {
            recipe: CaptionRecipe {
                model: found.identity().clone(),
                preprocessing: found.preprocessing()?,
                options: *options,
            },
            found,
        })
    }
}

impl Observer for CaptionObserver {
    type Item = (Image<f32>, ());
    type Recipe = CaptionRecipe;
    type Model = dyn Captioner;
    type Input = Image<f32>;
    type Output = String;

    const ABOUT: About = About::of("caption", "0.1.0", ObservationKind::Captions, BATCH);

    fn identity(&self) -> &ModelIdentity {
        &self.recipe.model
    }

    fn recipe(&self) -> &CaptionRecipe {
        &self.recipe
    }

    fn load(&self) -> Result<Box<dyn Captioner>, Error> {
        Ok(self.found.load()?)
    }

    fn batch(&self, model: &dyn Captioner) -> usize {
        model.images_per_call()
    }

    fn prepare(&self, (image, ()): Self::Item) -> Result<Image<f32>, ModelError> {
        self.recipe.preprocessing.apply(&image)
    }

    fn observe(
        &self,
        model: &dyn Captioner,
        images: &[Image<f32>],
        progress: &(dyn Fn(usize) + Sync),
    ) -> Result<Vec<String>, ModelError> {
        model.caption(images, &self.recipe.options, progress)
    }
}

impl StepObserver for CaptionObserver {
    fn memory(&self, inputs: &dyn StepInputs) -> Result<Option<StepMemory>, Error> {
        let recipe = &self.recipe;
        let weights = self.found.weight_memory(DeviceChoice::of(&recipe.model))?;
        let prepared = |(width_px, height_px)| n_pixels(recipe.preprocessing.size(width_px, height_px));
        Ok(StepMemory::of_large_images(&recipe.model.id, weights, Self::ABOUT, inputs, prepared))
    }

    fn items<'a>(&self, step: &StepContext<'a>, of: ImageSet) -> Result<Option<SourceItems<'a, Self::Item>>, Error> {
        SourceItems::of_plain_images(self, step, of)
    }

    fn store(&self, step: &StepContext<'_>) -> Result<Box<dyn Store<String> + Send>, Error> {
        step.journal(Self::ABOUT.makes, &self.recipe.model.id)
    }

    /// Writes JSON, or the form of SEED's code, which names images by their files. There, an image of a stack is named
    /// like a PNG.
    fn write(&self, found: &Found<'_, Self>, made: &mut StepResult) -> Result<(), Error> {
        let Some(path) = found.file(made) else {
            return Ok(());
        };
        let known = found.of_images().collect::<Result<Vec<_>, Error>>()?.into_iter();
        if found.step.places.is_official() {
            let name = |place| found.file_name(place).unwrap_or_else(|| format!("{}.png", found.stem(place)));
            let known: Vec<_> = known.map(|(place, text)| (name(place), text)).collect();
            return Ok(npy::write_pickled_dict(&path, &known)?);
        }
        let known: Vec<_> = known.map(|(place, text)| (found.stem(place).to_owned(), Captions(vec![text]))).collect();
        Ok(captions::write_json(&path, &known)?)
    }
}
