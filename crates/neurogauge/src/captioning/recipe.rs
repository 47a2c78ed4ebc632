//! All that decides a caption, but the image.

use crate::Error;
use crate::caption_embeddings::{DownloadBar, weight_options};
use crate::journal;
use crate::progress::Progress;
use crate::request::RunSettings;
use neurogauge_core::ModelIdentity;
use neurogauge_models::{CaptionOptions, LocalCaptioner, Preprocessing};
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

    /// The journal key of the caption of an image, of which `form` says what its hashed bytes are.
    pub(super) fn key(&self, form: &str, image_sha256: &str) -> String {
        let recipe = serde_json::to_string(self).unwrap_or_default();
        journal::key(&[
            env!("CARGO_PKG_VERSION"),
            "caption",
            &recipe,
            form,
            image_sha256,
        ])
    }
}

/// The weights of a captioner; those that are not here are downloaded where that is allowed.
pub(super) fn obtain(
    id: &str,
    settings: &RunSettings,
    progress: &dyn Progress,
) -> Result<LocalCaptioner, Error> {
    let own = settings.checkpoints.iter().find(|(model, _)| model == id);
    let captioner = match own {
        Some((_, path)) => LocalCaptioner::custom(id, path)?,
        None => LocalCaptioner::obtain(id, &weight_options(settings), &DownloadBar(progress))?,
    };
    Ok(captioner.rounded(settings.weight_precision))
}
