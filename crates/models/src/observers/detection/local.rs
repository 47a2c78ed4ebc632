//! Detectors by id: which there are, where their weights come from, and how they are loaded.

use super::{Detector, DetectorPreprocessing};
use crate::checkpoint::model_files::{Located, ModelKind};
use crate::checkpoint::registry::Architecture;
use crate::checkpoint::weights::{DownloadProgress, WeightOptions};
use crate::observers::placeholders::ColourBoxes;
use crate::{GroundingDino, ModelError, WeightPrecision};
use neurogauge_core::ModelIdentity;
use std::path::Path;

/// The id under which [`ColourBoxes`] is found.
pub const STAND_IN_DETECTOR: &str = "stand-in-detector";

const DETECTORS: ModelKind = ModelKind {
    has: |architecture| architecture == Architecture::GroundingDino,
    stand_in: STAND_IN_DETECTOR,
    stand_in_identity: || ColourBoxes::new().identity().clone(),
};

/// A detector whose weights are at hand, not yet loaded. It runs on the processor.
///
/// ```
/// use neurogauge_models::WeightOptions;
/// use neurogauge_models::detection::{LocalDetector, STAND_IN_DETECTOR};
/// let found = LocalDetector::locate(STAND_IN_DETECTOR, &WeightOptions::default())?.unwrap();
/// assert!(found.identity().stand_in);
/// assert_eq!(found.preprocessing().shorter_px, 800);
/// assert_eq!(LocalDetector::ids()[0], "mm_grounding_dino_swin_l");
/// # Ok::<(), neurogauge_models::ModelError>(())
/// ```
#[derive(Debug, Clone)]
pub struct LocalDetector(Located);

impl LocalDetector {
    /// Every id of the registry's detectors, and the stand-in's.
    pub fn ids() -> Vec<&'static str> {
        DETECTORS.ids()
    }

    /// Looks on this machine only.
    ///
    /// # Errors
    /// [`ModelError::UnknownModel`], and those of [`locate`](crate::checkpoint::weights::locate).
    pub fn locate(id: &str, options: &WeightOptions) -> Result<Option<Self>, ModelError> {
        Ok(DETECTORS.locate(id, options)?.map(LocalDetector))
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
        DETECTORS.obtain(id, options, progress).map(LocalDetector)
    }

    /// The detector `id` with the weights of any checkpoint that fits (mmdetection's `.pth` too), beside which its
    /// `tokenizer.json` lies; its identity is `<id>-custom` with the SHA-256 of the file.
    ///
    /// # Errors
    /// [`ModelError::UnknownModel`]; a file that cannot be read.
    pub fn custom(id: &str, path: &Path) -> Result<Self, ModelError> {
        DETECTORS.custom(id, path).map(LocalDetector)
    }

    /// The same detector with its weights rounded (`weight-precision`), which its id then says. The stand-in has none.
    #[must_use]
    pub fn rounded(self, precision: WeightPrecision) -> Self {
        LocalDetector(self.0.rounded(precision))
    }

    /// Which weights these are.
    pub fn identity(&self) -> &ModelIdentity {
        &self.0.identity
    }

    /// How images are prepared for it: as mmdetection does.
    pub fn preprocessing(&self) -> DetectorPreprocessing {
        DetectorPreprocessing::mmdetection()
    }

    /// Reads the weights.
    ///
    /// # Errors
    /// Those of [`GroundingDino::load`].
    pub fn load(&self) -> Result<Box<dyn Detector>, ModelError> {
        Ok(match &self.0.weights {
            Some((_, path)) => Box::new(GroundingDino::load(path, self.0.identity.clone())?),
            None => Box::new(ColourBoxes::new()),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn unknown_detectors_are_refused_with_the_known_ones() {
        let error = LocalDetector::locate("yolo", &WeightOptions::default()).unwrap_err();
        assert!(
            error.to_string().contains("mm_grounding_dino_swin_l"),
            "{error}"
        );
        let error = LocalDetector::custom("git_large_coco", Path::new("x.pth")).unwrap_err();
        assert!(error.to_string().contains("stand-in-detector"), "{error}");
    }
}
