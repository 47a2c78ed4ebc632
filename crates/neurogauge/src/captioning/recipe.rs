//! All that decides a caption, but the image.

use crate::Error;
use crate::describing::{Sight, note_device};
use crate::model_weights::{DownloadBar, weight_options};
use crate::perceive::pipeline::BATCH;
use crate::progress::Progress;
use crate::request::RunSettings;
use neurogauge_core::{Image, ModelIdentity};
use neurogauge_models::{CaptionOptions, Captioner, LocalCaptioner, ModelError, Preprocessing};
use serde::{Deserialize, Serialize};

/// The captioner that is asked for, and how it writes.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CaptionerChoice {
    /// Its id.
    pub model: String,
    /// How captions are written (convention `caption-decoding`).
    #[serde(default)]
    pub options: CaptionOptions,
}

/// How captions were made from images.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct CaptionRecipe {
    /// Which weights.
    pub model: ModelIdentity,
    /// What was done to the images first.
    pub preprocessing: Preprocessing,
    /// How the captions were written.
    pub options: CaptionOptions,
}

impl CaptionRecipe {
    /// Of a captioner that is at hand.
    pub(super) fn of(captioner: &LocalCaptioner, options: CaptionOptions) -> Result<Self, Error> {
        Ok(CaptionRecipe {
            model: captioner.identity().clone(),
            preprocessing: captioner.preprocessing()?,
            options,
        })
    }
}

/// What a captioner says.
pub(crate) enum Captioning {}

impl Sight for Captioning {
    type Recipe = CaptionRecipe;
    type Found = LocalCaptioner;
    type Model = dyn Captioner;
    type Input = Image<f32>;
    type Said = String;

    const NAME: &'static str = "caption";
    const TOGETHER: usize = BATCH;

    fn identity(recipe: &CaptionRecipe) -> &ModelIdentity {
        &recipe.model
    }

    fn load(found: &LocalCaptioner) -> Result<Box<dyn Captioner>, ModelError> {
        found.load()
    }

    fn prepare(recipe: &CaptionRecipe, image: &Image<f32>) -> Result<Image<f32>, ModelError> {
        recipe.preprocessing.apply(image)
    }

    fn look(
        recipe: &CaptionRecipe,
        model: &dyn Captioner,
        images: &[Image<f32>],
    ) -> Result<Vec<String>, ModelError> {
        model.caption(images, &recipe.options, &|_| {})
    }
}

/// The weights of a captioner; those that are not here are downloaded where that is allowed.
pub(super) fn obtain(
    id: &str,
    settings: &RunSettings,
    progress: &dyn Progress,
) -> Result<LocalCaptioner, Error> {
    note_device(id, settings, progress);
    let own = settings.checkpoints.iter().find(|(model, _)| model == id);
    let captioner = match own {
        Some((_, path)) => LocalCaptioner::custom(id, path)?,
        None => LocalCaptioner::obtain(id, &weight_options(settings), &DownloadBar(progress))?,
    };
    Ok(captioner.rounded(settings.weight_precision))
}
