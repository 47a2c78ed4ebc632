//! What can be said of an image at a glance.

use super::Image;
use serde::{Deserialize, Serialize};

/// Size, range and colours of one image.
///
/// ```
/// use neurogauge_core::Image;
/// let facts = Image::new(2, 1, vec![9_u8, 9, 9, 7, 7, 7]).unwrap().facts();
/// assert_eq!((facts.width_px, facts.height_px, facts.low, facts.high), (2, 1, 7.0, 9.0));
/// assert!(facts.is_grey && !facts.is_constant && facts.is_finite);
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct PixelFacts {
    /// Width in pixels.
    pub width_px: usize,
    /// Height in pixels.
    pub height_px: usize,
    /// The lowest finite value, as it is stored: 0 to 255 in 8 bits.
    pub low: f32,
    /// The highest.
    pub high: f32,
    /// Are red, green and blue equal everywhere?
    pub is_grey: bool,
    /// Has every pixel the colour of the first?
    pub is_constant: bool,
    /// Is there neither NaN nor an infinity?
    pub is_finite: bool,
}

impl<T: Copy + PartialEq + Into<f32>> Image<T> {
    /// Size, range and colours.
    pub fn facts(&self) -> PixelFacts {
        let (pixels, _) = self.data().as_chunks::<3>();
        let values = || self.data().iter().map(|&value| value.into());
        let finite = values().filter(|value| value.is_finite());
        let (low, high) = finite.fold((f32::INFINITY, f32::NEG_INFINITY), |(low, high), value| {
            (low.min(value), high.max(value))
        });
        PixelFacts {
            width_px: self.width_px(),
            height_px: self.height_px(),
            low,
            high,
            is_grey: pixels.iter().all(|[r, g, b]| r == g && g == b),
            is_constant: pixels.iter().all(|pixel| *pixel == pixels[0]),
            is_finite: values().all(f32::is_finite),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_colour_is_constant_and_not_grey() {
        let facts = Image::new(2, 1, vec![0.5_f32, 0.0, 0.0, 0.5, 0.0, 0.0]);
        let facts = facts.unwrap().facts();
        assert!(facts.is_constant && !facts.is_grey);
        assert_eq!((facts.low, facts.high), (0.0, 0.5));
    }

    #[test]
    fn what_is_not_finite_has_no_part_in_the_range() {
        let image = Image::new(1, 2, vec![f32::NAN, 0.0, 2.0, 0.0, 0.0, f32::INFINITY]).unwrap();
        let facts = image.facts();
        assert_eq!((facts.low, facts.high, facts.is_finite), (0.0, 2.0, false));
        assert!(!facts.is_constant && !facts.is_grey);
    }
}
