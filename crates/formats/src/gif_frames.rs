//! The frames of GIF files.

use crate::{AtPath, FormatError, IoResult, Problem, budget, image_file, image_limit};
use gif::DecodeOptions;
use image::codecs::gif::GifDecoder;
use image::{AnimationDecoder, Delay, ImageDecoder};
use neurogauge_core::Image;
use std::io::Cursor;
use std::path::Path;

/// The first bytes of GIF files.
const START: &[u8] = b"GIF8";

/// Decodes the frames of a GIF file in order, each as people see it: drawn over the previous ones. Pixels that no frame
/// has drawn are black. `frame` also gets how long each frame is shown, in microseconds. The content decides, not the
/// extension: an image of another format has one frame.
///
/// # Errors
/// The file is not an image or is incomplete; it has more pixels than [`image_limit`] allows for an image or for all
/// frames.
pub(crate) fn visit(
    path: &Path,
    frame: &mut dyn FnMut(Image<u8>, Option<u32>) -> Result<(), FormatError>,
) -> Result<(), FormatError> {
    let faulty = |reason: String| Problem::image(reason).at(path);
    let bytes = budget::read_file(path).when("reading", path)??;
    if !bytes.starts_with(START) {
        return frame(image_file::read_rgb8(path)?, None);
    }
    let decoder = GifDecoder::new(Cursor::new(&bytes)).map_err(|error| faulty(error.to_string()))?;
    let (width_px, height_px) = decoder.dimensions();
    image_limit::check_size(path, width_px.into(), height_px.into())?;
    image_limit::check_frames(path, (width_px.into(), height_px.into()), n_frames(&bytes))?;
    let mut is_empty = true;
    for decoded in decoder.into_frames() {
        is_empty = false;
        let decoded = decoded.map_err(|error| faulty(error.to_string()))?;
        let shown_for = shown_for(decoded.delay());
        let decoded = decoded.into_buffer();
        let rgb = decoded.pixels().flat_map(|pixel| [pixel[0], pixel[1], pixel[2]]);
        let image = Image::new(width_px as usize, height_px as usize, rgb.collect());
        let image = image.at(path)?;
        frame(image, Some(shown_for))?;
    }
    match is_empty {
        true => Err(faulty("a GIF file without frames".to_owned())),
        false => Ok(()),
    }
}

/// The number of frames up to the first malformed one, without drawing any.
fn n_frames(bytes: &[u8]) -> u64 {
    let mut options = DecodeOptions::new();
    options.skip_frame_decoding(true);
    let Ok(mut decoder) = options.read_info(bytes) else {
        return 0;
    };
    std::iter::from_fn(|| decoder.next_frame_info().ok()?.map(drop)).count() as u64
}

/// How long a frame is shown, in microseconds. Browsers show a frame with a delay of 10 ms or less for 100 ms.
fn shown_for(delay: Delay) -> u32 {
    let (numerator, denominator) = delay.numer_denom_ms();
    let microseconds = 1000 * u64::from(numerator) / u64::from(denominator.max(1));
    match u32::try_from(microseconds) {
        Ok(0..=10_000) => 100_000,
        Ok(microseconds) => microseconds,
        Err(_) => u32::MAX,
    }
}
