//! Captioners by id.

use crate::architectures::blip2::Blip2;
use crate::architectures::git::Git;
use crate::checkpoint::model_files::{Local, ModelKind};
use crate::observers::placeholders::ColourWords;
use crate::registry::Architecture;
use crate::{Captioner, CaptionerMemory, ImagePreset, ModelError, Preprocessing};

/// The id under which [`ColourWords`] is found.
pub const PLACEHOLDER_CAPTIONER: &str = "placeholder-captioner";

/// Captioners as a kind of models.
#[derive(Debug, Clone, Copy)]
pub enum Captioning {}

/// A captioner whose weights were found and are not loaded yet.
///
/// ```
/// use neurogauge_models::{LocalCaptioner, PLACEHOLDER_CAPTIONER, WeightOptions};
/// let found = LocalCaptioner::locate(PLACEHOLDER_CAPTIONER, &WeightOptions::default())?.unwrap();
/// assert!(found.identity().stand_in);
/// assert_eq!(found.preprocessing()?.centre_crop_px, Some(224));
/// let ids = ["git_large_coco", "git_base_coco", "blip2_opt_2_7b", "placeholder-captioner"];
/// assert_eq!(LocalCaptioner::ids(), ids);
/// # Ok::<(), neurogauge_models::ModelError>(())
/// ```
pub type LocalCaptioner = Local<Captioning>;

impl ModelKind for Captioning {
    const PLACEHOLDER: Option<[&str; 2]> = Some([PLACEHOLDER_CAPTIONER, ColourWords::ID]);
    fn includes(architecture: Architecture) -> bool {
        architecture.is_of_captions()
    }
}

impl LocalCaptioner {
    /// The preprocessing of its images, as its authors publish it.
    ///
    /// # Errors
    /// [`ModelError::Usage`].
    pub fn preprocessing(&self) -> Result<Preprocessing, ModelError> {
        ImagePreset::Published.preprocessing(&self.identity.id, None)
    }

    /// Reads the weights.
    ///
    /// # Errors
    /// As in [`Git::load`] and [`Blip2::load`].
    pub fn load(&self) -> Result<Box<dyn Captioner>, ModelError> {
        let identity = self.identity.clone();
        Ok(match self.file() {
            Some((entry, path)) if entry.architecture == Architecture::Blip2 => {
                Box::new(Blip2::load(path, identity, CaptionerMemory::default())?)
            }
            Some((_, path)) => Box::new(Git::load(path, identity)?),
            None => Box::new(ColourWords),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::WeightOptions;

    #[test]
    fn unknown_captioners_are_refused_with_the_known_ones() {
        let options = WeightOptions::default();
        let refused = |id: &str| LocalCaptioner::locate(id, &options).unwrap_err().to_string();
        for id in ["clip_vit_l_14", "stand_in"] {
            let message = refused(id);
            assert!(message.contains("git_large_coco, git_base_coco"), "{message}");
        }
        // The beginning of a name suggests that name.
        let message = refused("git");
        assert!(message.contains("did you mean \"git_base_coco\"?"), "{message}");
    }

    /// CLIP's preprocessing is compared with transformers' processor, which GIT's repositories name. BLIP has its own.
    #[test]
    fn every_git_and_its_variants_prepare_images_as_clip_does() {
        let of = |id: &str| ImagePreset::Published.preprocessing(id, None).unwrap();
        for entry in LocalCaptioner::entries() {
            for id in [entry.id.to_owned(), format!("{}-custom", entry.id)] {
                let as_clip = of(&id) == of("clip_vit_l_14_hf");
                assert_eq!(as_clip, entry.architecture == Architecture::Git, "{id}");
            }
        }
    }
}
