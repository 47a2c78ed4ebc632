//! The frames of GIF files.

use crate::parser_words::of_decoder;
use crate::{AtPath, FormatError, IoResult, Problem, budget, image_file, image_limit};
use gif::{DecodeOptions, DisposalMethod, Frame, MemoryLimit};
use neurogauge_core::Image;
use std::path::Path;

/// The first bytes of GIF files.
const START: &[u8] = b"GIF8";

/// Decodes the frames of a GIF file in order, each as people see it: drawn over the previous ones. Pixels that no frame
/// has drawn are black. `frame` also gets how long each frame is shown, in microseconds. The content decides, not the
/// extension: an image of another format has one frame.
pub(crate) fn visit(
    path: &Path,
    frame: &mut dyn FnMut(Image<u8>, Option<u32>) -> Result<(), FormatError>,
) -> Result<(), FormatError> {
    let faulty = |reason: String| Problem::image(reason).at(path);
    let bytes = budget::read_file(path).when("reading", path)??;
    if !bytes.starts_with(START) {
        return frame(image_file::read_rgb8(path)?, None);
    }
    let mut options = DecodeOptions::new();
    // Sizes are limited below.
    options.set_memory_limit(MemoryLimit::Unlimited);
    let mut decoder = options.read_info(bytes.as_slice()).map_err(|error| faulty(of_decoder(error).to_owned()))?;
    let (width_px, height_px) = (decoder.width().into(), decoder.height().into());
    let announced = Announced::of(&bytes);
    // A frame can announce more pixels than the picture that it is drawn into.
    let largest_px = (announced.width_px.max(decoder.width()).into(), announced.height_px.max(decoder.height()).into());
    image_limit::check_size(path, largest_px.0, largest_px.1)?;
    image_limit::check_frames(path, largest_px, announced.n_frames)?;
    let common_palette = decoder.global_palette().unwrap_or_default().to_vec();
    let mut picture = Picture::black(width_px, height_px);
    for number in 1.. {
        let faulty_frame = |reason: String| faulty(format!("frame {number}: {reason}"));
        let Some(found) = decoder.read_next_frame().map_err(|error| faulty_frame(of_decoder(error).to_owned()))? else {
            return match number {
                1 => Err(faulty("a GIF file without frames".to_owned())),
                _ => Ok(()),
            };
        };
        let before = (found.dispose == DisposalMethod::Previous).then(|| picture.clone());
        let palette = found.palette.as_ref().unwrap_or(&common_palette);
        picture.draw(found, palette).map_err(faulty_frame)?;
        let shown = Image::new(width_px, height_px, picture.rgb.concat()).at(path)?;
        frame(shown, Some(shown_for(found.delay)))?;
        match before {
            Some(before) => picture = before,
            None if found.dispose == DisposalMethod::Background => picture.clear(found),
            None => {}
        }
    }
    Ok(())
}

/// What a file says of its frames, up to the first malformed one.
#[derive(Default)]
struct Announced {
    n_frames: u64,
    /// The largest width and height of a frame.
    width_px: u16,
    height_px: u16,
}

impl Announced {
    /// Reads this without drawing any frame.
    fn of(bytes: &[u8]) -> Announced {
        let mut options = DecodeOptions::new();
        options.skip_frame_decoding(true);
        let mut announced = Announced::default();
        if let Ok(mut decoder) = options.read_info(bytes) {
            while let Ok(Some(frame)) = decoder.next_frame_info() {
                announced.n_frames += 1;
                announced.width_px = announced.width_px.max(frame.width);
                announced.height_px = announced.height_px.max(frame.height);
            }
        }
        announced
    }
}

/// What is seen after some frames.
#[derive(Clone)]
struct Picture {
    width_px: usize,
    height_px: usize,
    rgb: Vec<[u8; 3]>,
}

impl Picture {
    fn black(width_px: usize, height_px: usize) -> Picture {
        let rgb = vec![[0; 3]; width_px * height_px];
        Picture {
            width_px,
            height_px,
            rgb,
        }
    }

    /// For each pixel of a frame that is inside the picture, its places in the frame and in the picture.
    fn places(&self, frame: &Frame<'_>) -> impl Iterator<Item = (usize, usize)> + use<> {
        let [left, top, width_px] = [frame.left, frame.top, frame.width].map(usize::from);
        let columns = width_px.min(self.width_px.saturating_sub(left));
        let rows = usize::from(frame.height).min(self.height_px.saturating_sub(top));
        let picture_px = self.width_px;
        (0..rows).flat_map(move |row| {
            (0..columns).map(move |column| (row * width_px + column, (top + row) * picture_px + left + column))
        })
    }

    fn draw(&mut self, frame: &Frame<'_>, palette: &[u8]) -> Result<(), String> {
        let (palette, _) = palette.as_chunks::<3>();
        for (of_frame, place) in self.places(frame) {
            let index = frame.buffer[of_frame];
            if frame.transparent != Some(index) {
                let colour = palette.get(usize::from(index));
                self.rgb[place] = *colour.ok_or_else(|| {
                    format!("colour {index} of a palette of {}, so the file is damaged", palette.len())
                })?;
            }
        }
        Ok(())
    }

    fn clear(&mut self, frame: &Frame<'_>) {
        for (_, place) in self.places(frame) {
            self.rgb[place] = [0; 3];
        }
    }
}

/// How long a frame is shown, in microseconds. Browsers show a frame with a delay of 10 ms or less for 100 ms.
fn shown_for(hundredths: u16) -> u32 {
    match hundredths {
        0..=1 => 100_000,
        _ => 10_000 * u32::from(hundredths),
    }
}
