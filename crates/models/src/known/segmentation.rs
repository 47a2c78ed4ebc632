//! Segmentation: images and prompts to masks, and segmenters by id.

pub use crate::observers::segmentation::*;

use crate::checkpoint::model_files::{Local, ModelKind};
use crate::observers::placeholders::BoxMasks;
use crate::registry::Architecture;
use crate::{ModelError, Sam2};

/// The id under which [`BoxMasks`] is found.
pub const PLACEHOLDER_SEGMENTER: &str = "placeholder-segmenter";

/// Segmenters as a kind of models.
#[derive(Debug, Clone, Copy)]
pub enum Segmenting {}

/// A segmenter whose weights were found and are not loaded yet.
///
/// A user's own checkpoint may be SAM 2's `.pt` or transformers' safetensors.
///
/// ```
/// use neurogauge_models::WeightOptions;
/// use neurogauge_models::segmentation::{LocalSegmenter, PLACEHOLDER_SEGMENTER};
/// let found = LocalSegmenter::locate(PLACEHOLDER_SEGMENTER, &WeightOptions::default())?.unwrap();
/// assert!(found.identity().stand_in);
/// assert_eq!(LocalSegmenter::ids()[0], "sam2.1_hiera_large");
/// # Ok::<(), neurogauge_models::ModelError>(())
/// ```
pub type LocalSegmenter = Local<Segmenting>;

impl ModelKind for Segmenting {
    const PLACEHOLDER: Option<[&str; 2]> = Some([PLACEHOLDER_SEGMENTER, BoxMasks::ID]);
    fn includes(architecture: Architecture) -> bool {
        architecture == Architecture::Sam2
    }
}

impl LocalSegmenter {
    /// The preprocessing of its images, as in SAM 2's own code.
    pub fn preprocessing(&self) -> SegmenterPreprocessing {
        SegmenterPreprocessing::sam2()
    }

    /// Reads the weights.
    ///
    /// # Errors
    /// As in [`Sam2::load`].
    pub fn load(&self) -> Result<Box<dyn Segmenter>, ModelError> {
        Ok(match self.file() {
            Some((entry, path)) => Box::new(Sam2::load(entry.id, path, self.identity().clone())?),
            None => Box::new(BoxMasks),
        })
    }
}
