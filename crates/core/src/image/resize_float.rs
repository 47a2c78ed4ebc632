//! Resizing of float images, as torchvision does it for float tensors.

use super::float_taps::{antialiased, plain};
use super::passes::resample_f32;
use super::target_size::check_sizes;
use super::{Filter, Image, ResizeError};

/// Resizes a float image: torchvision's `resize(tensor, size, interpolation, antialias)`.
///
/// Each target pixel is a weighted mean of source pixels, along rows first and columns second. With `antialias` the
/// kernel widens by the scale when the image shrinks; without, it uses the 2 (bilinear) or 4 (bicubic) nearest pixels
/// of each axis. Bicubic has a = -0.5 with `antialias` and a = -0.75 without. Pixel centres are at half integers
/// (`align_corners=False`). Nothing is clamped: bicubic overshoots the range of its input. An image that already has
/// the size is returned unchanged.
///
/// # Errors
/// An empty image, an empty or absurdly large target, [`Filter::Lanczos`].
///
/// Reference: torchvision 0.29.2 on torch 2.15.0 (on a CPU with fused multiply-add), within 3e-7 on
/// values within [0, 1]: both sides round to single precision after each step, in orders that
/// differ where the reference is vectorised. One case is not followed: with antialias, torch 2.15
/// repeats the first row in every row of a target that is one column wide.
pub fn resize_float(
    image: &Image<f32>,
    width_px: usize,
    height_px: usize,
    filter: Filter,
    antialias: bool,
) -> Result<Image<f32>, ResizeError> {
    if filter == Filter::Lanczos {
        return Err(ResizeError::UnsupportedFilter { filter });
    }
    check_sizes(image, width_px, height_px)?;
    if (width_px, height_px) == (image.width_px(), image.height_px()) {
        return Ok(image.clone());
    }
    let taps = if antialias { antialiased } else { plain };
    let columns = taps(image.width_px(), width_px, filter);
    let rows = taps(image.height_px(), height_px, filter);

    Ok(Image {
        width_px,
        height_px,
        data: resample_f32(image, &columns, &rows),
    })
}
