//! `neurogauge check`: checks the images of both sides before they are scored.

use crate::{Error, Progress};
use neurogauge_core::pair::Pairing;
use neurogauge_formats::image_check::{ImageCheck, check_images};
use neurogauge_formats::image_source::ImageSource;
use neurogauge_metrics::PixelOptions;
use std::path::Path;

/// Checks stimuli and reconstructions (folders, `.npy` stacks or `.pt` files): how they pair, their sizes and colours, and
/// anything that would stop [`score`](crate::score()) or make its numbers incomparable with others. Nothing is written.
///
/// # Errors
/// [`Error::Format`] for a side that cannot be opened.
pub fn check(
    gt: &Path,
    recon: &Path,
    pairing: &Pairing,
    progress: &dyn Progress,
) -> Result<ImageCheck, Error> {
    let (gt, recon) = (ImageSource::open(gt)?, ImageSource::open(recon)?);
    let size_px = PixelOptions::FIELD_PX;
    Ok(check_images(&gt, &recon, pairing, size_px, progress)?)
}
