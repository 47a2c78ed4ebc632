//! Resizing of 8-bit images, as Pillow does it.

use super::taps::Taps;
use super::target_size::check_sizes;
use super::u8_taps::{FRACTION_BITS, fixed_point};
use super::{Filter, Image, ResizeError};

/// Resizes an 8-bit image: Pillow's `Image.resize(size, filter)` for RGB.
///
/// Each target pixel is a weighted mean of source pixels, along rows first and columns second,
/// with weights in fixed point (22 fractional bits) and rounding to 8 bits after each of the two
/// passes. The kernel widens by the scale when the image shrinks: Pillow has no way without. An
/// axis whose size does not change is left alone.
///
/// # Errors
/// An empty image, an empty or absurdly large target.
///
/// Reference: Pillow 13.0.0, every bit equal.
///
/// ```
/// use neurogauge_core::image::{Filter, Image, resize_u8};
/// let image = Image::new(2, 1, vec![0, 0, 0, 200, 200, 200]).unwrap();
/// let wide = resize_u8(&image, 4, 1, Filter::Bilinear).unwrap();
/// let red: Vec<u8> = wide.data().iter().step_by(3).copied().collect();
/// assert_eq!(red, [0, 50, 150, 200]);
/// ```
pub fn resize_u8(
    image: &Image<u8>,
    width_px: usize,
    height_px: usize,
    filter: Filter,
) -> Result<Image<u8>, ResizeError> {
    check_sizes(image, width_px, height_px)?;
    let columns = fixed_point(image.width_px, width_px, filter);
    let rows = fixed_point(image.height_px, height_px, filter);
    Ok(
        match (width_px == image.width_px, height_px == image.height_px) {
            (true, true) => image.clone(),
            (false, true) => resample_columns(image, &columns),
            (true, false) => resample_rows(image, &rows),
            (false, false) if is_rows_first(image, width_px, height_px) => {
                resample_columns(&resample_rows(image, &rows), &columns)
            }
            (false, false) => resample_rows(&resample_columns(image, &columns), &rows),
        },
    )
}

/// Whether Pillow 13 resamples the height before the width: where the height loses pixels, and
/// more than twice as many as the width.
fn is_rows_first(image: &Image<u8>, width_px: usize, height_px: usize) -> bool {
    let lost = |from: usize, to: usize| from as i64 - to as i64;
    let (width_lost, height_lost) = (
        lost(image.width_px, width_px),
        lost(image.height_px, height_px),
    );
    height_lost > 0 && height_lost > 2 * width_lost
}

fn resample_columns(image: &Image<u8>, columns: &Taps<i32>) -> Image<u8> {
    let width_px = columns.len();
    let mut data = vec![0; width_px * image.height_px * 3];
    let source_rows = image.data.chunks_exact(image.width_px * 3);
    for (source, target) in source_rows.zip(data.chunks_exact_mut(width_px * 3)) {
        for (taps, target) in columns.iter().zip(target.chunks_exact_mut(3)) {
            let mut sum = [HALF; 3];
            for tap in taps {
                let pixel = &source[tap.source * 3..][..3];
                for c in 0..3 {
                    sum[c] += tap.weight * i32::from(pixel[c]);
                }
            }
            target.copy_from_slice(&sum.map(to_pixel));
        }
    }
    Image {
        width_px,
        height_px: image.height_px,
        data,
    }
}

fn resample_rows(image: &Image<u8>, rows: &Taps<i32>) -> Image<u8> {
    let n_values = image.width_px * 3;
    let mut data = Vec::with_capacity(n_values * rows.len());
    let mut sums = vec![HALF; n_values];
    for taps in rows.iter() {
        sums.fill(HALF);
        for tap in taps {
            let source = &image.data[tap.source * n_values..][..n_values];
            for (sum, value) in sums.iter_mut().zip(source) {
                *sum += tap.weight * i32::from(*value);
            }
        }
        data.extend(sums.iter().map(|&sum| to_pixel(sum)));
    }
    Image {
        width_px: image.width_px,
        height_px: rows.len(),
        data,
    }
}

const HALF: i32 = 1 << (FRACTION_BITS - 1);

fn to_pixel(sum: i32) -> u8 {
    (sum >> FRACTION_BITS).clamp(0, 255) as u8
}
