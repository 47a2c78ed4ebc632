//! All that decides detections, but the image.

use crate::Error;
use crate::describing::{Sight, note_device};
use crate::model_weights::{DownloadBar, weight_options};
use crate::progress::Progress;
use crate::request::RunSettings;
use neurogauge_core::{Detections, Image, LabelList, ModelIdentity};
use neurogauge_models::ModelError;
use neurogauge_models::detection::{
    DetectionOptions, Detector, DetectorInput, DetectorPreprocessing, LocalDetector,
};
use serde::{Deserialize, Serialize};

/// The detector that is asked for, and how.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct DetectorChoice {
    /// Its id.
    pub model: String,
    /// How objects are asked for and chosen (conventions `detection-prompt`, `detection-scores`).
    #[serde(default)]
    pub options: DetectionOptions,
}

/// How detections were made from images.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct DetectionRecipe {
    /// Which weights.
    pub model: ModelIdentity,
    /// What was done to the images first.
    pub preprocessing: DetectorPreprocessing,
    /// Names of the categories that were asked for, in the order of the labels.
    pub categories: Vec<String>,
    /// How objects were asked for and chosen.
    pub options: DetectionOptions,
}

impl DetectionRecipe {
    /// Of a detector that is at hand.
    pub(super) fn of(
        detector: &LocalDetector,
        labels: &LabelList,
        options: DetectionOptions,
    ) -> Self {
        DetectionRecipe {
            model: detector.identity().clone(),
            preprocessing: detector.preprocessing(),
            categories: labels.names().to_vec(),
            options,
        }
    }
}

/// What a detector says.
pub(crate) enum Detecting {}

impl Sight for Detecting {
    type Recipe = DetectionRecipe;
    type Found = LocalDetector;
    type Model = dyn Detector;
    type Input = DetectorInput;
    type Said = Detections;

    const NAME: &'static str = "detections";
    /// A prepared image takes up to 13 MB.
    const TOGETHER: usize = 4;

    fn identity(recipe: &DetectionRecipe) -> &ModelIdentity {
        &recipe.model
    }

    fn load(found: &LocalDetector) -> Result<Box<dyn Detector>, ModelError> {
        found.load()
    }

    fn prepare(recipe: &DetectionRecipe, image: &Image<f32>) -> Result<DetectorInput, ModelError> {
        recipe.preprocessing.apply(image)
    }

    fn look(
        recipe: &DetectionRecipe,
        model: &dyn Detector,
        images: &[DetectorInput],
    ) -> Result<Vec<Detections>, ModelError> {
        let labels = LabelList::new("", &recipe.categories);
        model.detect(images, &labels, &recipe.options, &|_| {})
    }
}

/// The weights of a detector; those that are not here are downloaded where that is allowed.
pub(super) fn obtain(
    id: &str,
    settings: &RunSettings,
    progress: &dyn Progress,
) -> Result<LocalDetector, Error> {
    note_device(id, settings, progress);
    let own = settings.checkpoints.iter().find(|(model, _)| model == id);
    let detector = match own {
        Some((_, path)) => LocalDetector::custom(id, path)?,
        None => LocalDetector::obtain(id, &weight_options(settings), &DownloadBar(progress))?,
    };
    Ok(detector.rounded(settings.weight_precision))
}
