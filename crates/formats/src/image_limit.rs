//! The limit on the number of pixels of an image.

use crate::budget::Budget;
use crate::{FormatError, Problem};
use neurogauge_core::option_words::option;
use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering};

/// Pixels of the largest image that is read by default: 10,000 x 10,000.
pub const DEFAULT_MAX_PIXELS: u64 = 100_000_000;
/// All frames of a file together may have this many times the pixels of the largest image.
const FRAMES_OF_LARGEST: u64 = 10;
/// The most bytes per pixel while an image is decoded, converted and compared.
const BYTES_PER_PIXEL: u64 = 24;

static MAX_PIXELS: AtomicU64 = AtomicU64::new(DEFAULT_MAX_PIXELS);

/// Sets the largest number of pixels of an image that this process reads. A header of a few bytes can announce any
/// number.
pub fn set_max_pixels(n_pixels: u64) {
    MAX_PIXELS.store(n_pixels, Ordering::Relaxed);
}

/// Pixels of the largest image that is read.
pub fn max_pixels() -> u64 {
    MAX_PIXELS.load(Ordering::Relaxed)
}

/// Checks that an image of this size may be read.
pub(crate) fn check_size(path: &Path, width_px: u64, height_px: u64) -> Result<(), FormatError> {
    let n_pixels = width_px.saturating_mul(height_px);
    let limit = max_pixels();
    if n_pixels > limit {
        return Err(Problem::new(format_args!(
            "an image of {width_px} x {height_px} px, and none of more than {limit} pixels is read; if it is meant, raise {}",
            option("max-pixels", "")
        ))
        .at(path));
    }
    let needed = n_pixels.saturating_mul(BYTES_PER_PIXEL);
    let spent = Budget::up_to(u64::MAX).spend(needed);
    spent.map_err(|exceeded| exceeded.of(path, format!("an image of {width_px} x {height_px} px")))
}

/// Checks that this many frames of this size may be read from a file.
pub(crate) fn check_frames(path: &Path, (width_px, height_px): (u64, u64), n_frames: u64) -> Result<(), FormatError> {
    let limit = FRAMES_OF_LARGEST.saturating_mul(max_pixels());
    let n_pixels = width_px.saturating_mul(height_px).saturating_mul(n_frames);
    if n_pixels <= limit {
        return Ok(());
    }
    Err(Problem::new(format_args!(
        "{n_frames} frames or more of {width_px} x {height_px} px; expected at most {limit} pixels in all frames of a file \
         together; if it is meant, raise {}",
        option("max-pixels", "")
    ))
    .at(path))
}
