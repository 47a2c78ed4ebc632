//! Detectors, which find boxes of objects in images.

use super::{About, Observer};
use crate::Error;
use crate::execute::{Found, SourceItems, StepContext, StepInputs, StepMemory, StepObserver, StepResult, n_pixels};
use crate::model_weights::obtain;
use crate::progress::Progress;
use crate::settings::RunSettings;
use neurogauge_core::{Detections, Image, ImageSet, LabelList, ModelIdentity, ObservationKind};
use neurogauge_formats::detections::{read_mmdet, write_mmdet};
use neurogauge_formats::store::{Files, Store};
use neurogauge_models::detection::{DetectionOptions, Detector, DetectorInput, DetectorPreprocessing, LocalDetector};
use neurogauge_models::{DeviceChoice, ModelError};
use serde::{Deserialize, Serialize};

/// The detector for metrics that need detections when none are given: SEED's.
pub const DEFAULT_DETECTOR: &str = "mm_grounding_dino_swin_l";

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct DetectorChoice {
    pub model: String,
    /// How the prompt is written and boxes are chosen (conventions `detection-prompt`, `detection-scores`).
    #[serde(default)]
    pub options: DetectionOptions,
}

impl DetectorChoice {
    /// A model with its default options.
    pub fn of(model: String) -> Self {
        DetectorChoice {
            model,
            options: DetectionOptions::default(),
        }
    }
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct DetectionRecipe {
    pub model: ModelIdentity,
    pub preprocessing: DetectorPreprocessing,
    /// Names of the categories in the prompt, in the order of the labels.
    pub categories: Vec<String>,
    pub options: DetectionOptions,
    /// The number of categories in each prompt, if one prompt cannot contain all of them.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub names_of_prompts: Vec<usize>,
}

/// A detector whose weights are on this machine.
pub(crate) struct DetectionObserver {
    recipe: DetectionRecipe,
    found: LocalDetector,
}

impl DetectionObserver {
    /// Finds the weights of a detector; missing ones are downloaded if allowed.
    pub(crate) fn find(
        DetectorChoice { model, options }: &DetectorChoice,
        labels: &LabelList,
        settings: &RunSettings,
        progress: &dyn Progress,
    ) -> Result<Self, Error> {
        let found: LocalDetector = obtain(model, settings, progress)?;
        // The tokenizer comes with the weights.
        let mut prompts = match found.misses_weights() {
            true => Vec::new(),
            false => found.names_of_prompts(labels, options.prompt_names)?,
        };
        if prompts.len() == 1 {
            prompts.clear();
        }
        Ok(DetectionObserver {
            recipe: DetectionRecipe {
                model: found.identity().clone(),
                preprocessing: found.preprocessing(),
                categories: labels.names().to_vec(),
                options: *options,
                names_of_prompts: prompts,
            },
            found,
        })
    }
}

impl Observer for DetectionObserver {
    type Item = (Image<f32>, ());
    type Recipe = DetectionRecipe;
    type Model = dyn Detector;
    type Input = DetectorInput;
    type Output = Detections;

    // A prepared image needs up to 13 MB.
    const ABOUT: About = About::of("detections", "0.1.0", ObservationKind::Detections, 4);

    fn identity(&self) -> &ModelIdentity {
        &self.recipe.model
    }

    fn recipe(&self) -> &DetectionRecipe {
        &self.recipe
    }

    fn load(&self) -> Result<Box<dyn Detector>, Error> {
        Ok(self.found.load()?)
    }

    fn prepare(&self, (image, ()): Self::Item) -> Result<DetectorInput, ModelError> {
        self.recipe.preprocessing.apply(&image)
    }

    fn observe(
        &self,
        model: &dyn Detector,
        images: &[DetectorInput],
        progress: &(dyn Fn(usize) + Sync),
    ) -> Result<Vec<Detections>, ModelError> {
        let labels = LabelList::new("", &self.recipe.categories);
        model.detect(images, &labels, &self.recipe.options, progress)
    }
}

impl StepObserver for DetectionObserver {
    fn memory(&self, inputs: &dyn StepInputs) -> Result<Option<StepMemory>, Error> {
        let recipe = &self.recipe;
        let weights = self.found.weight_memory(DeviceChoice::of(&recipe.model))?;
        let prepared = |(width_px, height_px)| n_pixels(recipe.preprocessing.size(width_px, height_px));
        Ok(StepMemory::of_large_images(&recipe.model.id, weights, Self::ABOUT, inputs, prepared))
    }

    fn items<'a>(&self, step: &StepContext<'a>, of: ImageSet) -> Result<Option<SourceItems<'a, Self::Item>>, Error> {
        SourceItems::of_plain_images(self, step, of)
    }

    /// Stored as files: 300 boxes for each of thousands of images are too much for a journal, which is read into
    /// memory.
    fn store(&self, step: &StepContext<'_>) -> Result<Box<dyn Store<Detections> + Send>, Error> {
        let labels = LabelList::new("", &self.recipe.categories);
        Ok(Box::new(Files {
            folder: step.files(Self::ABOUT.makes, &self.recipe.model.id)?,
            read: Box::new(move |path| read_mmdet(path, &labels)),
            write: write_mmdet,
        }))
    }

    fn write(&self, found: &Found<'_, Self>, made: &mut StepResult) -> Result<(), Error> {
        found.write_each(made, |path, _, boxes| write_mmdet(path, &boxes))
    }
}
