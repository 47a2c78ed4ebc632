//! Prepares a picture for the image tower.

use crate::ModelError;
use crate::observers::preprocess::{Arithmetic, CLIP, CropStart, Preprocessing, ResizeStep, check_finite};
use neurogauge_core::Image;
use neurogauge_core::image::Filter;

/// CLIP's mean, rounded to whole levels: it pads a picture that is not square.
const BACKGROUND: [u8; 3] = [122, 116, 104];

/// Pads a picture to a square, resizes it to `side_px` as Pillow's bicubic does, and applies CLIP's statistics.
pub(super) fn prepared(picture: &Image<f32>, side_px: usize) -> Result<Image<f32>, ModelError> {
    let steps = Preprocessing {
        resize: vec![ResizeStep::ShorterSide(side_px)],
        filter: Filter::Bicubic,
        antialias: true,
        arithmetic: Arithmetic::EightBit,
        centre_crop_px: None,
        crop_start: CropStart::default(),
        mean: CLIP.0,
        std: CLIP.1,
    };
    check_finite(picture)?;
    steps.apply(&square(&picture.to_levels())?.to_unit_float())
}

/// If the padding is an odd number of pixels, the upper or left part gets the smaller half.
fn square(picture: &Image<u8>) -> Result<Image<u8>, ModelError> {
    let (width, height) = (picture.width_px(), picture.height_px());
    let side = width.max(height);
    let (left, top) = ((side - width) / 2, (side - height) / 2);
    let mut data = BACKGROUND.repeat(side * side);
    let rows = data.chunks_exact_mut(3 * side.max(1)).skip(top);
    for (row, own) in rows.zip(picture.data().chunks_exact(3 * width.max(1))) {
        row[3 * left..][..own.len()].copy_from_slice(own);
    }
    Ok(Image::new(side, side, data)?)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_smaller_half_of_the_space_is_above_or_on_the_left() {
        let [r, g, b] = BACKGROUND;
        let wide = Image::new(4, 1, (0..12).collect()).unwrap();
        let squared = square(&wide).unwrap();
        assert_eq!((squared.width_px(), squared.height_px()), (4, 4));
        assert_eq!(squared.data()[..12], [r, g, b].repeat(4));
        assert_eq!(squared.data()[12..24], wide.data()[..]);
        assert_eq!(squared.data()[24..], [r, g, b].repeat(8));
        let high = Image::new(1, 2, vec![1, 2, 3, 4, 5, 6]).unwrap();
        let squared = square(&high).unwrap();
        assert_eq!(squared.data()[..], [1, 2, 3, r, g, b, 4, 5, 6, r, g, b]);
    }

    #[test]
    fn a_pixel_that_is_no_number_is_refused() {
        let image = Image::new(1, 1, vec![0.5, f32::NAN, 0.5]).unwrap();
        let message = prepared(&image, 14).unwrap_err().to_string();
        assert!(message.contains("NaN"), "{message}");
    }
}
