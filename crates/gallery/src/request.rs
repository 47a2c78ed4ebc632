//! What a gallery shows.

use crate::Pick;
use neurogauge::core::pair::Pairing;
use std::path::PathBuf;

/// Whose images, which pairs of them, and what stands below them.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct GalleryRequest {
    /// Stimuli: a folder, an .npy stack or a .pt tensor file. Without it, those of the first run among the systems.
    pub gt: Option<PathBuf>,
    /// Systems with the folder or file of their reconstructions, or with the folder of a finished run.
    pub systems: Vec<(String, PathBuf)>,
    /// How stems of reconstructions that are no run's belong to those of stimuli.
    pub pairing: Pairing,
    /// Which pairs, in this order.
    pub picks: Vec<Pick>,
    /// Id of the metric by which pairs are picked; the first of `metrics` where it is left out.
    pub by: Option<String>,
    /// The system by whose scores pairs are picked; their mean over all systems where it is left out.
    pub by_system: Option<String>,
    /// Ids of the metrics whose scores stand below each reconstruction.
    pub metrics: Vec<String>,
    /// Do captions stand below the images, where runs have them?
    pub captions: bool,
    /// Are stimuli the first column instead of the first row?
    pub stimuli_in_column: bool,
}
