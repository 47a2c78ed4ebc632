//! Captioners by id: which there are, where their weights come from, and how they are loaded.

use crate::architectures::blip2::Blip2;
use crate::architectures::git::Git;
use crate::checkpoint::model_files::{Located, ModelKind};
use crate::checkpoint::registry::Architecture;
use crate::checkpoint::weights::{DownloadProgress, WeightOptions};
use crate::observers::placeholders::ColourWords;
use crate::{Captioner, ImagePreset, ModelError, Preprocessing, WeightPrecision};
use neurogauge_core::ModelIdentity;
use std::path::Path;

/// The id under which [`ColourWords`] is found.
pub const STAND_IN_CAPTIONER: &str = "stand-in-captioner";

const CAPTIONERS: ModelKind = ModelKind {
    has: Architecture::is_of_captions,
    stand_in: STAND_IN_CAPTIONER,
    stand_in_identity: || ColourWords::new().identity().clone(),
};

/// A captioner whose weights are at hand, not yet loaded. It runs on the processor.
///
/// ```
/// use neurogauge_models::{LocalCaptioner, STAND_IN_CAPTIONER, WeightOptions};
/// let found = LocalCaptioner::locate(STAND_IN_CAPTIONER, &WeightOptions::default())?.unwrap();
/// assert!(found.identity().stand_in);
/// assert_eq!(found.preprocessing()?.centre_crop_px, Some(224));
/// let ids = ["git_large_coco", "git_base_coco", "blip2_opt_2_7b", "stand-in-captioner"];
/// assert_eq!(LocalCaptioner::ids(), ids);
/// # Ok::<(), neurogauge_models::ModelError>(())
/// ```
#[derive(Debug, Clone)]
pub struct LocalCaptioner(Located);

impl LocalCaptioner {
    /// Every id of the registry's captioners, and the stand-in's.
    pub fn ids() -> Vec<&'static str> {
        CAPTIONERS.ids()
    }

    /// Looks on this machine only.
    ///
    /// # Errors
    /// [`ModelError::UnknownModel`], and those of [`locate`](crate::checkpoint::weights::locate).
    pub fn locate(id: &str, options: &WeightOptions) -> Result<Option<Self>, ModelError> {
        Ok(CAPTIONERS.locate(id, options)?.map(LocalCaptioner))
    }

    /// Downloads what is not on this machine, where that is allowed.
    ///
    /// # Errors
    /// [`ModelError::UnknownModel`], and those of [`obtain`](crate::checkpoint::weights::obtain).
    pub fn obtain(
        id: &str,
        options: &WeightOptions,
        progress: &dyn DownloadProgress,
    ) -> Result<Self, ModelError> {
        CAPTIONERS.obtain(id, options, progress).map(LocalCaptioner)
    }

    /// The captioner `id` with the weights of any checkpoint that fits, beside which its `config.json` and
    /// `tokenizer.json` lie; its identity is `<id>-custom` with the SHA-256 of the file, or of what an index and
    /// its files hash to (`sha256sum INDEX FILES... | sha256sum`).
    ///
    /// # Errors
    /// [`ModelError::UnknownModel`]; a file that cannot be read.
    pub fn custom(id: &str, path: &Path) -> Result<Self, ModelError> {
        CAPTIONERS.custom(id, path).map(LocalCaptioner)
    }

    /// The same captioner with its weights rounded (`weight-precision`), which its id then says. The stand-in has none.
    #[must_use]
    pub fn rounded(self, precision: WeightPrecision) -> Self {
        LocalCaptioner(self.0.rounded(precision))
    }

    /// Which weights these are.
    pub fn identity(&self) -> &ModelIdentity {
        &self.0.identity
    }

    /// How images are prepared for it: as its authors publish.
    ///
    /// # Errors
    /// [`ModelError::NoPreprocessing`].
    pub fn preprocessing(&self) -> Result<Preprocessing, ModelError> {
        ImagePreset::Published.preprocessing(&self.0.identity.id, None)
    }

    /// Reads the weights.
    ///
    /// # Errors
    /// Those of [`Git::load`] and [`Blip2::load`].
    pub fn load(&self) -> Result<Box<dyn Captioner>, ModelError> {
        let identity = self.0.identity.clone();
        Ok(match &self.0.weights {
            Some((entry, path)) if entry.architecture == Architecture::Blip2 => {
                Box::new(Blip2::load(path, identity)?)
            }
            Some((_, path)) => Box::new(Git::load(path, identity)?),
            None => Box::new(ColourWords::new()),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn unknown_captioners_are_refused_with_the_known_ones() {
        let options = WeightOptions::default();
        for id in ["git", "clip_vit_l_14", "stand_in"] {
            let error = LocalCaptioner::locate(id, &options).unwrap_err();
            let message = error.to_string();
            assert!(
                message.contains("git_large_coco, git_base_coco"),
                "{message}"
            );
        }
    }

    /// CLIP's is held against transformers' processor, which GIT's repositories name. BLIP's is its own.
    #[test]
    fn every_git_and_its_variants_prepare_images_as_clip_does() {
        let of = |id: &str| ImagePreset::Published.preprocessing(id, None).unwrap();
        for entry in CAPTIONERS.entries() {
            for id in [entry.id.to_owned(), format!("{}-custom", entry.id)] {
                let as_clip = of(&id) == of("clip_vit_l_14_hf");
                assert_eq!(as_clip, entry.architecture == Architecture::Git, "{id}");
            }
        }
    }
}
