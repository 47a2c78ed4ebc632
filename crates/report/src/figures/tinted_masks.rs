//! Masks as tints over an image without its colours.

use super::scene::Paint;
use super::style::colour;
use crate::ReportError;
use neurogauge_core::image::{Filter, resize_u8};
use neurogauge_core::{Image, Mask};

/// The opacity of a mask's colour over the image.
const COVER: f64 = 0.5;

/// An image in light greys with masks over it, each in the colour of its series; their borders are opaque.
///
/// - Shapes: `size_px` is the picture's width and height; image and masks of any size are fitted to it. Without an
///   image the ground is grey. The later masks are over the earlier.
///
/// ```
/// use neurogauge_core::Mask;
/// use neurogauge_report::figures::tinted_masks;
/// let mask = Mask::from_pixels(2, 4, |x, _| x < 2)?;
/// let tinted = tinted_masks(None, (4, 2), &[(&mask, 0)])?;
/// let pixel = |x: usize| &tinted.data()[3 * x..][..3];
/// assert_ne!(pixel(0), pixel(3));
/// assert_eq!(pixel(3), [222, 222, 222]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn tinted_masks(
    image: Option<&Image<u8>>,
    size_px: (usize, usize),
    masks: &[(&Mask, usize)],
) -> Result<Image<u8>, ReportError> {
    let not_drawn = |reason: String| ReportError::not_drawn("masks", reason);
    let fitted = image.map(|image| resize_u8(image, size_px.0, size_px.1, Filter::Bilinear)).transpose();
    let fitted = fitted.map_err(|error| not_drawn(error.to_string()))?;
    let masks = masks.iter().map(|(mask, series)| (*mask, colour(*series)));
    tinted(fitted.as_ref(), size_px, masks).map_err(not_drawn)
}

/// Tints masks in any colours. Pixels of the image are taken, not averaged.
pub(super) fn tinted<'a>(
    image: Option<&Image<u8>>,
    (wide, high): (usize, usize),
    masks: impl Iterator<Item = (&'a Mask, Paint)>,
) -> Result<Image<u8>, String> {
    let mut rgb = vec![0.0_f64; wide * high * 3];
    for y in 0..high {
        for x in 0..wide {
            let grey = image.map_or(200.0, |image| {
                let column = nearest(x, image.width_px(), wide);
                let at = (nearest(y, image.height_px(), high) * image.width_px() + column) * 3;
                let [r, g, b] = [0, 1, 2].map(|c| f64::from(image.data()[at + c]));
                0.299 * r + 0.587 * g + 0.114 * b
            });
            // Lightened, so that colours stand out.
            let dimmed = 255.0 - 0.6 * (255.0 - grey);
            rgb[(y * wide + x) * 3..][..3].fill(dimmed);
        }
    }
    for (mask, paint) in masks {
        cover(&mut rgb, (wide, high), mask, paint);
    }
    let bytes = rgb.iter().map(|value| value.round() as u8).collect();
    Image::new(wide, high, bytes).map_err(|error| error.to_string())
}

/// The pixel of `length` that is nearest to pixel `to` of `shown`.
fn nearest(to: usize, length: usize, shown: usize) -> usize {
    (2 * to + 1) * length / (2 * shown)
}

/// Tints the pixels of a mask, its border fully.
fn cover(rgb: &mut [f64], (wide, high): (usize, usize), mask: &Mask, paint: Paint) {
    let (width, height) = (mask.width_px() as usize, mask.height_px() as usize);
    let pixels = mask.pixels_by_column();
    let columns: Vec<usize> = (0..wide).map(|x| nearest(x, width, wide) * height).collect();
    let rows: Vec<usize> = (0..high).map(|y| nearest(y, height, high)).collect();
    let is_inside =
        |x: usize, y: usize| columns.get(x).zip(rows.get(y)).is_some_and(|(column, row)| pixels[column + row]);
    let (r, g, b) = paint.rgb;
    for y in 0..high {
        for x in 0..wide {
            if !is_inside(x, y) {
                continue;
            }
            let around = [(x.wrapping_sub(2), y), (x + 2, y), (x, y.wrapping_sub(2)), (x, y + 2)];
            let is_border = around.iter().any(|&(x, y)| !is_inside(x, y));
            let cover = if is_border { 1.0 } else { COVER };
            for (value, tint) in rgb[(y * wide + x) * 3..][..3].iter_mut().zip([r, g, b]) {
                *value += cover * (f64::from(tint) - *value);
            }
        }
    }
}
