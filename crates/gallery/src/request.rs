//! The request of a gallery.

use crate::Pick;
use clap::Args;
use neurogauge::core::image::ImageReading;
use neurogauge::core::option_values::named_path;
use neurogauge::core::pair::Pairing;
use std::path::{Path, PathBuf};

/// The metric by which pairs are picked by default.
pub(crate) const DEFAULT_METRIC: &str = "pixcorr";

/// The systems, the pairs, and the content below the images.
#[derive(Debug, Clone, PartialEq, Default, Args)]
pub struct GalleryRequest {
    /// Stimuli: a folder, an .npy stack or a .pt tensor file [default: those of the first run among the systems]
    #[arg(long, value_name = "PATH", help_heading = "Inputs")]
    pub gt: Option<PathBuf>,
    /// Systems: each a name with the folder of its reconstructions, or of a finished run
    #[arg(id = "recon", long = "recon", value_name = "NAME=PATH", value_parser = named_path, num_args = 1.., required = true, help_heading = "Inputs")]
    pub systems: Vec<(String, PathBuf)>,
    /// How reconstructions without a run pair with stimuli.
    #[arg(skip)]
    pub pairing: Pairing,
    /// What stored values of images without a run mean where files leave it open.
    #[arg(skip)]
    pub reading: ImageReading,
    /// Pairs, in this order: best, median, worst, largest-gain:A-B (each with :N for N of them), or stems
    #[arg(id = "pick", long = "pick", value_name = "PICK,...", value_delimiter = ',', value_parser = Pick::of, help_heading = "Pairs", default_value = "best,median,worst")]
    pub picks: Vec<Pick>,
    #[arg(
        long, value_name = "METRIC", help_heading = "Pairs",
        help = format!("Metric by whose scores pairs are picked [default: the first of --metric, else {DEFAULT_METRIC}]")
    )]
    pub by: Option<String>,
    /// System by whose scores pairs are picked [default: the mean over all systems]
    #[arg(long, value_name = "NAME", help_heading = "Pairs")]
    pub by_system: Option<String>,
    /// Metrics whose scores are shown below reconstructions: of the runs, or computed here if they compare pixels
    #[arg(
        id = "metric",
        long = "metric",
        value_name = "METRIC,...",
        value_delimiter = ',',
        help_heading = "Figures"
    )]
    pub metrics: Vec<String>,
    /// Captions below images: those of runs, and of captions.json beside images
    #[arg(long, help_heading = "Figures")]
    pub captions: bool,
    /// Captions below the images of a system, or of the stimuli (gt), from a file: JSON, {"stem": "text"}. May be
    /// repeated
    #[arg(id = "caption_file", long = "caption-file", value_name = "NAME=FILE", value_parser = named_path, help_heading = "Figures")]
    pub caption_files: Vec<(String, PathBuf)>,
    /// The masks of each level of BASIC-L beside each image, a row for each image; systems are runs with masks
    #[arg(long, help_heading = "Figures", conflicts_with_all = ["stimuli_in_column", "metric", "captions", "caption_file"])]
    pub masks: bool,
    /// Stimuli in the first column instead of the first row
    #[arg(long, help_heading = "Figures")]
    pub stimuli_in_column: bool,
}

impl GalleryRequest {
    /// The name of the stimuli in `caption_files`.
    pub const STIMULI: &'static str = "gt";

    pub(crate) fn shows_captions(&self) -> bool {
        self.captions || !self.caption_files.is_empty()
    }

    pub(crate) fn caption_file(&self, name: &str) -> Option<&Path> {
        let (_, path) = self.caption_files.iter().find(|(known, _)| known == name)?;
        Some(path)
    }
}
