//! Resizing of 8-bit images, as Pillow does it.

use super::passes::resample_u8;
use super::taps::Taps;
use super::target_size::check_sizes;
use super::u8_taps::fixed_point;
use super::{Filter, Image, ResizeError};

/// Resizes an 8-bit image: Pillow's `Image.resize(size, filter)` for RGB.
///
/// Each target pixel is a weighted mean of source pixels, along one axis and then the other, with weights in fixed
/// point (22 fractional bits) and rounding to 8 bits after each of the two passes. The kernel widens by the scale when
/// the image shrinks: Pillow cannot resize without. An axis whose size does not change is left alone.
///
/// The width is resampled first, except if the height shrinks by more than twice as many pixels as the width: then
/// Pillow 13 begins with the height. Earlier versions always begin with the width; they then differ by one level or,
/// where bicubic and Lanczos overshoot, by tens of levels.
///
/// # Errors
/// An empty image, an empty or absurdly large target.
///
/// Reference: Pillow 13.0.0, every bit equal.
pub fn resize_u8(
    image: &Image<u8>,
    width_px: usize,
    height_px: usize,
    filter: Filter,
) -> Result<Image<u8>, ResizeError> {
    check_sizes(image, width_px, height_px)?;
    let (source_width, source_height) = (image.width_px, image.height_px);
    if (width_px, height_px) == (source_width, source_height) {
        return Ok(image.clone());
    }
    let columns = fixed_point(source_width, width_px, filter);
    let rows = fixed_point(source_height, height_px, filter);
    if width_px == source_width || !is_rows_first(image, width_px, height_px) {
        return Ok(resample(image, &columns, &rows));
    }
    let same_columns = fixed_point(source_width, source_width, filter);
    let same_rows = fixed_point(height_px, height_px, filter);
    let lowered = resample(image, &same_columns, &rows);
    Ok(resample(&lowered, &columns, &same_rows))
}

fn resample(image: &Image<u8>, columns: &Taps<i32>, rows: &Taps<i32>) -> Image<u8> {
    Image {
        width_px: columns.len(),
        height_px: rows.len(),
        data: resample_u8(image, columns, rows),
    }
}

/// Whether Pillow 13 resamples the height before the width.
fn is_rows_first(image: &Image<u8>, width_px: usize, height_px: usize) -> bool {
    let lost = |from: usize, to: usize| from as i64 - to as i64;
    let (width_lost, height_lost) = (lost(image.width_px, width_px), lost(image.height_px, height_px));
    height_lost > 0 && height_lost > 2 * width_lost
}
