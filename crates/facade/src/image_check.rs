//! `neurogauge check`: checks the images of both sides before they are scored.

use crate::dataset::order_of_stack;
use crate::{Error, Progress};
use neurogauge_core::image::ImageReading;
use neurogauge_core::pair::Pairing;
use neurogauge_core::{Finding, Severity, Sides};
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
    (pairing, reading): (&Pairing, ImageReading),
    progress: &dyn Progress,
) -> Result<ImageCheck, Error> {
    let (gt, recon) = (ImageSource::open(gt)?, ImageSource::open(recon)?);
    let size_px = PixelOptions::FIELD_PX;
    let mut found = check_images(&gt, &recon, (pairing, reading), size_px, progress)?;
    let sides = Sides { gt, recon };
    if let (None, Ok(paired)) = (pairing.order, sides.gt.paired_with(&sides.recon, pairing)) {
        found.add(
            order_of_stack(&sides, &paired.pairs).unwrap_or_else(|error| {
                let finding = Finding::new(
                    Severity::Problem,
                    "undecided",
                    "gt and recon",
                    error.to_string(),
                );
                Some(finding)
            }),
        );
    }
    Ok(found)
}
