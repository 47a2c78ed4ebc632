//! Detection: images to boxes with category names and scores, and detectors by id.

pub use crate::observers::detection::*;

use crate::checkpoint::model_files::{Local, ModelKind};
use crate::observers::detection::prompts;
use crate::observers::placeholders::ColourBoxes;
use crate::registry::Architecture;
use crate::{GroundingDino, ModelError, YoloWorld};
use neurogauge_core::LabelList;

/// The id under which [`ColourBoxes`] is found.
pub const PLACEHOLDER_DETECTOR: &str = "placeholder-detector";

/// Detectors as a kind of models.
#[derive(Debug, Clone, Copy)]
pub enum Detecting {}

/// A detector whose weights were found and are not loaded yet.
///
/// A checkpoint of the user's own may be mmdetection's `.pth` too.
///
/// ```
/// use neurogauge_models::WeightOptions;
/// use neurogauge_models::detection::{LocalDetector, PLACEHOLDER_DETECTOR};
/// let found = LocalDetector::locate(PLACEHOLDER_DETECTOR, &WeightOptions::default())?.unwrap();
/// assert!(found.identity().stand_in);
/// assert_eq!(found.preprocessing().shorter_px, 800);
/// assert_eq!(LocalDetector::ids()[0], "mm_grounding_dino_swin_l");
/// # Ok::<(), neurogauge_models::ModelError>(())
/// ```
pub type LocalDetector = Local<Detecting>;

impl ModelKind for Detecting {
    const PLACEHOLDER: Option<[&str; 2]> = Some([PLACEHOLDER_DETECTOR, ColourBoxes::ID]);
    fn includes(architecture: Architecture) -> bool {
        matches!(architecture, Architecture::GroundingDino | Architecture::YoloWorld)
    }
}

impl LocalDetector {
    /// The preprocessing of its images: mmdetection's, or mmyolo's for YOLO-World. For YOLO-World, a model whose id
    /// ends in `_1280` gets larger images.
    pub fn preprocessing(&self) -> DetectorPreprocessing {
        match self.file() {
            Some((entry, _)) if entry.architecture == Architecture::YoloWorld => {
                let is_large = entry.id.ends_with("_1280");
                DetectorPreprocessing::yolo_world(if is_large { 1280 } else { 640 })
            }
            _ => DetectorPreprocessing::mmdetection(),
        }
    }

    /// The number of these categories in each of its prompts (convention `detection-prompt`).
    ///
    /// # Errors
    /// A tokenizer that cannot be read; [`ModelError::Usage`] for a name that is longer than a prompt.
    ///
    /// ```
    /// use neurogauge_core::LabelList;
    /// use neurogauge_models::WeightOptions;
    /// use neurogauge_models::detection::{LocalDetector, PromptNames, PLACEHOLDER_DETECTOR};
    /// let found = LocalDetector::locate(PLACEHOLDER_DETECTOR, &WeightOptions::default())?.unwrap();
    /// let sizes = found.names_of_prompts(&LabelList::coco(), PromptNames::Spaces)?;
    /// assert_eq!(sizes, [80]); // the placeholder has no limit
    /// # Ok::<(), neurogauge_models::ModelError>(())
    /// ```
    pub fn names_of_prompts(&self, labels: &LabelList, form: PromptNames) -> Result<Vec<usize>, ModelError> {
        let names = labels.names();
        let parts = match self.file() {
            // YOLO-World reads each name by itself, and all names in one pass.
            Some((entry, _)) if entry.architecture == Architecture::YoloWorld => {
                return Ok(vec![names.len()]);
            }
            Some((_, path)) => {
                let tokenizer = GroundingDino::tokenizer(path)?;
                prompts(names, form, &|text| GroundingDino::read(&tokenizer, text))?
            }
            None => prompts(names, form, &|text| ColourBoxes.tokens(text))?,
        };
        Ok(parts.iter().map(|part| part.categories.len()).collect())
    }

    /// Reads the weights.
    ///
    /// # Errors
    /// As in [`GroundingDino::load`] and [`YoloWorld::load`].
    pub fn load(&self) -> Result<Box<dyn Detector>, ModelError> {
        Ok(match self.file() {
            Some((entry, path)) if entry.architecture == Architecture::YoloWorld => {
                Box::new(YoloWorld::load(path, self.identity.clone())?)
            }
            Some((_, path)) => Box::new(GroundingDino::load(path, self.identity.clone())?),
            None => Box::new(ColourBoxes),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::WeightOptions;
    use std::path::Path;

    #[test]
    fn unknown_detectors_are_refused_with_the_known_ones() {
        let error = LocalDetector::locate("retina", &WeightOptions::default()).unwrap_err();
        assert!(error.to_string().contains("mm_grounding_dino_swin_l"), "{error}");
        let error = LocalDetector::custom("git_large_coco", Path::new("x.pth")).unwrap_err();
        assert!(error.to_string().contains("placeholder-detector"), "{error}");
    }
}
