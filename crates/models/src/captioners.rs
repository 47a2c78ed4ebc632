//! Captioners by id: which there are, where their weights come from, and how they are loaded.

use crate::blip2::Blip2;
use crate::git::Git;
use crate::registry::{Architecture, MODELS, nearest};
use crate::stand_in::ColourWords;
use crate::weights::{DownloadProgress, WeightOptions, hash_checkpoint, locate, obtain};
use crate::{Captioner, ImagePreset, ModelEntry, ModelError, Preprocessing, WeightPrecision};
use neurogauge_core::ModelIdentity;
use std::path::{Path, PathBuf};

/// The id under which [`ColourWords`] is found.
pub const STAND_IN_CAPTIONER: &str = "stand-in-captioner";

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
pub struct LocalCaptioner {
    identity: ModelIdentity,
    /// What they are loaded by, and where they are. Nothing: the stand-in.
    weights: Option<(Architecture, PathBuf)>,
}

impl LocalCaptioner {
    /// Every id of the registry's captioners, and the stand-in's.
    pub fn ids() -> Vec<&'static str> {
        let entries = entries().map(|entry| entry.id);
        entries.chain([STAND_IN_CAPTIONER]).collect()
    }

    /// Looks on this machine only.
    ///
    /// # Errors
    /// [`ModelError::UnknownModel`], and those of [`locate`].
    pub fn locate(id: &str, options: &WeightOptions) -> Result<Option<Self>, ModelError> {
        if id == STAND_IN_CAPTIONER {
            return Ok(Some(Self::stand_in()));
        }
        let entry = find(id)?;
        Ok(locate(entry, options)?.map(|files| LocalCaptioner {
            identity: entry.identity(files.sha256),
            weights: Some((entry.architecture, files.weights)),
        }))
    }

    /// Downloads what is not on this machine, where that is allowed.
    ///
    /// # Errors
    /// [`ModelError::UnknownModel`], and those of [`obtain`].
    pub fn obtain(
        id: &str,
        options: &WeightOptions,
        progress: &dyn DownloadProgress,
    ) -> Result<Self, ModelError> {
        if id == STAND_IN_CAPTIONER {
            return Ok(Self::stand_in());
        }
        let entry = find(id)?;
        let files = obtain(entry, options, progress)?;
        Ok(LocalCaptioner {
            identity: entry.identity(files.sha256),
            weights: Some((entry.architecture, files.weights)),
        })
    }

    /// The captioner `id` with the weights of any checkpoint that fits, beside which its `config.json` and
    /// `tokenizer.json` lie; its identity is `<id>-custom` with the SHA-256 of the file, or of what an index and
    /// its files hash to (`sha256sum INDEX FILES... | sha256sum`).
    ///
    /// # Errors
    /// [`ModelError::UnknownModel`]; a file that cannot be read.
    pub fn custom(id: &str, path: &Path) -> Result<Self, ModelError> {
        let entry = find(id)?;
        let sha256 = hash_checkpoint(path)?;
        Ok(LocalCaptioner {
            identity: ModelIdentity {
                id: format!("{}-custom", entry.id),
                revision: String::new(),
                sha256,
                stand_in: false,
            },
            weights: Some((entry.architecture, path.to_owned())),
        })
    }

    /// The same captioner with its weights rounded (`weight-precision`), which its id then says. The stand-in has none.
    #[must_use]
    pub fn rounded(self, precision: WeightPrecision) -> Self {
        LocalCaptioner {
            identity: precision.marked(self.identity),
            ..self
        }
    }

    fn stand_in() -> Self {
        LocalCaptioner {
            identity: ColourWords::new().identity().clone(),
            weights: None,
        }
    }

    /// Which weights these are.
    pub fn identity(&self) -> &ModelIdentity {
        &self.identity
    }

    /// How images are prepared for it: as its authors publish.
    ///
    /// # Errors
    /// [`ModelError::NoPreprocessing`].
    pub fn preprocessing(&self) -> Result<Preprocessing, ModelError> {
        ImagePreset::Published.preprocessing(&self.identity.id, None)
    }

    /// Reads the weights.
    ///
    /// # Errors
    /// Those of [`Git::load`] and [`Blip2::load`].
    pub fn load(&self) -> Result<Box<dyn Captioner>, ModelError> {
        let identity = self.identity.clone();
        Ok(match &self.weights {
            Some((Architecture::Blip2, path)) => Box::new(Blip2::load(path, identity)?),
            Some((_, path)) => Box::new(Git::load(path, identity)?),
            None => Box::new(ColourWords::new()),
        })
    }
}

fn entries() -> impl Iterator<Item = &'static ModelEntry> {
    MODELS
        .iter()
        .filter(|entry| entry.architecture.is_of_captions())
}

fn find(id: &str) -> Result<&'static ModelEntry, ModelError> {
    entries().find(|entry| entry.id == id).ok_or_else(|| {
        let ids = LocalCaptioner::ids();
        ModelError::UnknownModel {
            id: id.to_owned(),
            nearest: nearest(id, ids.iter().copied()).to_owned(),
            known: ids.join(", "),
        }
    })
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
        for entry in entries() {
            for id in [entry.id.to_owned(), format!("{}-custom", entry.id)] {
                let as_clip = of(&id) == of("clip_vit_l_14_hf");
                assert_eq!(as_clip, entry.architecture == Architecture::Git, "{id}");
            }
        }
    }
}
