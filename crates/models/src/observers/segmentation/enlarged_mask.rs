//! Turns a network's logits into a mask of the image's size.

use crate::ModelError;
use neurogauge_core::image::{Filter, resize_float};
use neurogauge_core::{Image, Mask};

/// The pixels whose logit is above 0, in an image of this size (width, height). The logits form a map of `side` x
/// `side` positions, row by row, which is resized bilinearly between the positions' centres, without smoothing.
pub(crate) fn enlarged_mask(
    logits: &[f32],
    side: usize,
    (width_px, height_px): (usize, usize),
) -> Result<Mask, ModelError> {
    let map = Image::new(side, side, logits.iter().flat_map(|&v| [v; 3]).collect())?;
    let resized = resize_float(&map, width_px, height_px, Filter::Bilinear, false)?;
    let is_inside = |x: u32, y: u32| resized.at(x as usize, y as usize, 0) > 0.0;
    Ok(Mask::from_pixels(height_px as u32, width_px as u32, is_inside)?)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_logit_of_zero_is_outside() {
        let mask = enlarged_mask(&[0.0, 1.0, -3.0, 1.0], 2, (4, 2)).unwrap();
        // The logits along the first row are 0, 0.25, 0.75, 1; along the second -3, -2, 0, 1.
        let inside = [(1, 0), (2, 0), (3, 0), (3, 1)];
        for (x, y) in (0..4).flat_map(|x| [(x, 0), (x, 1)]) {
            assert_eq!(mask.contains(x, y), inside.contains(&(x, y)), "{x} {y}");
        }
    }
}
