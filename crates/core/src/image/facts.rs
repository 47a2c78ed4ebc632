//! Facts about an image that one pass over its pixels finds.

use super::Image;
use serde::{Deserialize, Serialize};

/// How many values are processed in parallel, and how many between two checks for an early stop. Without this blocking,
/// the loops are several times slower.
const LANES: usize = 16;
const BLOCK: usize = 1024;

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
    /// The lowest finite value, as stored: 0 to 255 for 8 bits.
    pub low: f32,
    pub high: f32,
    /// Are red, green and blue equal everywhere?
    pub is_grey: bool,
    /// Do all pixels have the colour of the first?
    pub is_constant: bool,
    /// Are all values finite?
    pub is_finite: bool,
}

// Functions of both types are compiled here, where loops are optimised in tests too.
macro_rules! facts {
    ($($value:ty),*) => {$(
        impl Image<$value> {
            /// Size, range and colours.
            pub fn facts(&self) -> PixelFacts {
                let (low, high) = range(self.data());
                PixelFacts {
                    width_px: self.width_px(),
                    height_px: self.height_px(),
                    low,
                    high,
                    is_grey: self.is_grey(),
                    is_constant: self.is_constant(),
                    is_finite: all_finite(self.data()),
                }
            }

            /// Are red, green and blue equal everywhere?
            pub fn is_grey(&self) -> bool {
                let (pixels, _) = self.data().as_chunks::<3>();
                pixels.iter().all(|[r, g, b]| r == g && g == b)
            }

            /// Do all pixels have the colour of the first?
            pub fn is_constant(&self) -> bool {
                let (pixels, _) = self.data().as_chunks::<3>();
                pixels.iter().all(|pixel| *pixel == pixels[0])
            }
        }
    )*};
}

facts!(u8, f32);

/// The lowest and the highest finite value.
fn range<T: Copy + Into<f32>>(values: &[T]) -> (f32, f32) {
    let mut low = [f32::INFINITY; LANES];
    let mut high = [f32::NEG_INFINITY; LANES];
    for values in values.chunks(LANES) {
        for ((low, high), &value) in low.iter_mut().zip(&mut high).zip(values) {
            let value: f32 = value.into();
            let is_finite = value.abs() < f32::INFINITY;
            *low = if is_finite & (value < *low) { value } else { *low };
            *high = if is_finite & (value > *high) { value } else { *high };
        }
    }
    let low = low.into_iter().fold(f32::INFINITY, f32::min);
    (low, high.into_iter().fold(f32::NEG_INFINITY, f32::max))
}

pub(super) fn all_finite<T: Copy + Into<f32>>(values: &[T]) -> bool {
    let is_finite = |&value: &T| value.into().abs() < f32::INFINITY;
    let mut blocks = values.chunks(BLOCK);
    blocks.all(|block| block.iter().fold(true, |all, value| all & is_finite(value)))
}
