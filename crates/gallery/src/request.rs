//! The request of a gallery.

use crate::Pick;
use neurogauge::core::image::ImageReading;
use neurogauge::core::pair::Pairing;
use std::path::{Path, PathBuf};

/// The systems, the pairs, and the content below the images.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct GalleryRequest {
    /// Stimuli: a folder, an .npy stack or a .pt tensor file. Without it, those of the first run among the systems.
    pub gt: Option<PathBuf>,
    /// Systems with the folder or file of their reconstructions, or with the folder of a finished run.
    pub systems: Vec<(String, PathBuf)>,
    /// How reconstructions without a run pair with stimuli.
    pub pairing: Pairing,
    /// What stored values of images without a run mean where files leave it open.
    pub reading: ImageReading,
    pub picks: Vec<Pick>,
    /// Id of the metric by which pairs are picked; where it is left out the first of `metrics`, or else PixCorr, which
    /// all images have.
    pub by: Option<String>,
    /// The system by whose scores pairs are picked; their mean over all systems where it is left out.
    pub by_system: Option<String>,
    /// Ids of the metrics whose scores are printed below each reconstruction.
    pub metrics: Vec<String>,
    /// Print captions below the images, if runs or `captions.json` beside images have them?
    pub captions: bool,
    /// Files of captions by the name of a system, or by [`STIMULI`](Self::STIMULI): JSON by stem, or SEED's `.npy`.
    /// With them captions are always printed below the images.
    pub caption_files: Vec<(String, PathBuf)>,
    /// Show the masks of each level of BASIC-L beside each image, one row for each image? All systems are then runs
    /// with masks, and neither scores nor captions are printed.
    pub masks: bool,
    /// Are stimuli the first column instead of the first row?
    pub stimuli_in_column: bool,
}

impl GalleryRequest {
    /// The name of the stimuli in `caption_files`.
    pub const STIMULI: &'static str = "gt";

    pub(crate) fn shows_captions(&self) -> bool {
        self.captions || !self.caption_files.is_empty()
    }

    pub(crate) fn caption_file(&self, name: &str) -> Option<&Path> {
        let mut files = self.caption_files.iter();
        let (_, path) = files.find(|(known, _)| known == name)?;
        Some(path)
    }
}
