//! Options of models that make masks of images.

use super::*;
use neurogauge::MaskChoice;

/// How masks are made of images.
#[derive(Debug, Default, Args, Deserialize)]
#[serde(default)]
pub(crate) struct SegmenterArgs {
    /// Model that makes masks of what the categories of each image name, instead of masks that are given:
    /// sam2.1_hiera_large (as Grounded SAM 2 does), sam2.1_hiera_base_plus, sam2.1_hiera_small, sam2.1_hiera_tiny, the
    /// same of sam2_, or `placeholder-segmenter` (no weights, numbers mean nothing). Masks are kept in
    /// NEUROGAUGE_CACHE, so the model runs on the stimuli once for all systems
    #[arg(long, value_name = "MODEL")]
    pub(crate) masks: Option<String>,
}

impl SegmenterArgs {
    /// The segmenter, if requested, as it is by default.
    pub(crate) fn choice(&self) -> Option<MaskChoice> {
        self.masks.clone().map(MaskChoice::of)
    }
}
