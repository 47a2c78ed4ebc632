//! The frames of GIF files.

use crate::{FormatError, budget, image_limit};
use image::codecs::gif::GifDecoder;
use image::{AnimationDecoder, ImageDecoder};
use neurogauge_core::Image;
use std::io::Cursor;
use std::ops::ControlFlow;
use std::path::Path;

/// All frames together may have this many times the pixels of the largest image.
const FRAMES_OF_LARGEST: u64 = 10;

/// Decodes the frames of a GIF file in order, each as people see it: drawn over those before it. Pixels that no frame has drawn are
/// black. Returns the number of frames that were visited.
///
/// # Errors
/// A file that is no GIF or is incomplete; more pixels than [`image_limit`] allows for an image, or ten times that in all frames.
pub(crate) fn visit(
    path: &Path,
    mut frame: impl FnMut(usize, Image<u8>) -> ControlFlow<()>,
) -> Result<usize, FormatError> {
    let faulty = |reason: String| FormatError::Image {
        path: path.to_owned(),
        reason,
    };
    let bytes = budget::read_file(path).map_err(|source| FormatError::Io {
        path: path.to_owned(),
        action: "reading",
        source,
    })??;
    let decoder = GifDecoder::new(Cursor::new(&bytes));
    let decoder = decoder.map_err(|error| faulty(error.to_string()))?;
    let (width_px, height_px) = decoder.dimensions();
    image_limit::check_size(path, width_px.into(), height_px.into())?;
    let n_pixels = u64::from(width_px) * u64::from(height_px);
    let most = FRAMES_OF_LARGEST.saturating_mul(image_limit::max_pixels());
    let mut n_frames = 0;
    for decoded in decoder.into_frames() {
        let decoded = decoded
            .map_err(|error| faulty(error.to_string()))?
            .into_buffer();
        if n_pixels.saturating_mul(n_frames as u64 + 1) > most {
            return Err(faulty(format!(
                "more than {n_frames} frames of {width_px} x {height_px} px; expected at most {most} pixels in all frames together"
            )));
        }
        let rgb = decoded
            .pixels()
            .flat_map(|pixel| [pixel[0], pixel[1], pixel[2]]);
        let image = Image::new(width_px as usize, height_px as usize, rgb.collect());
        let image = image.map_err(|source| FormatError::ImageSize {
            path: path.to_owned(),
            source,
        })?;
        n_frames += 1;
        if frame(n_frames - 1, image).is_break() {
            break;
        }
    }
    match n_frames {
        0 => Err(faulty("a GIF file without frames".to_owned())),
        n => Ok(n),
    }
}
