//! Detectors: images to boxes of objects.

use super::{About, Observer};
use crate::Error;
use crate::execute::{
    FailedItem, Images, Observed, Perceived, Session, Step, StepContext, StepInputs, StepMemory, n_pixels,
};
use crate::model_weights::obtain;
use crate::progress::Progress;
use crate::settings::RunSettings;
use crate::store::{Kept, StoreFolder};
use neurogauge_core::{Detections, Image, LabelList, ModelIdentity, ObservationKind};
use neurogauge_formats::detections::{read_mmdet, write_mmdet};
use neurogauge_formats::stem_listing::remove_others;
use neurogauge_formats::store::{Files, Store};
use neurogauge_models::detection::{DetectionOptions, Detector, DetectorInput, DetectorPreprocessing, LocalDetector};
use neurogauge_models::{DeviceChoice, ModelError};
use serde::{Deserialize, Serialize};
use std::path::Path;

/// The folder in which a run without a cache keeps detections by content.
const BY_CONTENT: &str = "detections_by_content";

/// The requested detector and its options.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct DetectorChoice {
    pub model: String,
    /// How the prompt is written and boxes are chosen (conventions `detection-prompt`, `detection-scores`).
    #[serde(default)]
    pub options: DetectionOptions,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct DetectionRecipe {
    pub model: ModelIdentity,
    /// How images were preprocessed.
    pub preprocessing: DetectorPreprocessing,
    /// Names of the categories in the prompt, in the order of the labels.
    pub categories: Vec<String>,
    /// How the prompt was written and boxes were chosen.
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
    type Item = Image<f32>;
    type Recipe = DetectionRecipe;
    type Model = dyn Detector;
    type Input = DetectorInput;
    type Output = Detections;

    const ABOUT: About = About {
        name: "detections",
        revision: "0.1.0",
        makes: ObservationKind::Detections,
        // A prepared image needs up to 13 MB.
        batch: 4,
    };

    fn identity(&self) -> &ModelIdentity {
        &self.recipe.model
    }

    fn recipe(&self) -> &DetectionRecipe {
        &self.recipe
    }

    fn load(&self) -> Result<Box<dyn Detector>, Error> {
        Ok(self.found.load()?)
    }

    fn prepare(&self, image: Image<f32>) -> Result<DetectorInput, ModelError> {
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

impl Step for DetectionObserver {
    fn memory(&self, inputs: &dyn StepInputs) -> Result<Option<StepMemory>, Error> {
        let DetectionRecipe {
            model, preprocessing, ..
        } = &self.recipe;
        let weights = self.found.weight_memory(DeviceChoice::of(model))?;
        let prepared = |(width_px, height_px)| n_pixels(preprocessing.size(width_px, height_px));
        Ok(StepMemory::of_large_images(&model.id, weights, Self::ABOUT, inputs, prepared))
    }

    fn kept(&self, step: &StepContext<'_>) -> Result<Kept, Error> {
        let (own, id) = (step.places.kept().join(BY_CONTENT), &self.recipe.model.id);
        Ok(Kept::files(Self::ABOUT.makes, id, &own, step.settings))
    }

    fn run(self, step: &StepContext<'_>) -> Result<Vec<Perceived>, Error> {
        let kind = Self::ABOUT.makes;
        let mut made = Perceived::by(kind, &self.recipe.model);
        let mut session = step.session(self);
        for (of, images) in step.images(kind) {
            let folder = step.places.folder(of, kind);
            let folder = step.writes.then_some(folder);
            let own = step.places.kept();
            let (failed, n_seen) = detect_in_images(&mut session, &images, folder.as_deref(), own, step.settings)?;
            made.paths.extend(folder);
            made.count(images.source.len(), n_seen, failed);
        }
        Ok(vec![made])
    }
}

/// Looks for objects in the images of a source and writes `<folder>/<stem>.json`, if there is a folder, and removes
/// files of other images there. Detections in the store are not made again; without a cache, the store is below `own`.
fn detect_in_images(
    session: &mut Session<'_, DetectionObserver>,
    images: &Images<'_>,
    folder: Option<&Path>,
    own: &Path,
    settings: &RunSettings,
) -> Result<(Vec<FailedItem>, usize), Error> {
    let recipe = &session.observer.recipe;
    let kind = ObservationKind::Detections.id();
    let labels = LabelList::new("", &recipe.categories);
    let mut store = Files {
        // 300 boxes for each of thousands of images are too much for a journal, which is read into memory.
        folder: StoreFolder::of_observer(kind, &recipe.model.id, &own.join(BY_CONTENT), settings)?,
        read: Box::new(move |path| read_mmdet(path, &labels)),
        write: write_mmdet,
    };
    let Observed { keys, failed, n_seen } = session.observe_images(images, &mut store)?;
    let Some(folder) = folder else {
        return Ok((failed, n_seen));
    };
    let mut known = Vec::with_capacity(keys.len());
    for (stem, key) in images.source.stems().iter().zip(&keys) {
        if let Some(key) = key
            && let Some(found) = store.get(key)?
        {
            write_mmdet(&folder.join(format!("{stem}.json")), &found)?;
            known.push(stem.as_str());
        }
    }
    // Files of other images from an earlier call would be mistaken for results of this one.
    remove_others(folder, "json", known)?;
    Ok((failed, n_seen))
}
