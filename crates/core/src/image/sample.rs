//! Weighted sums of pixel values, for each pixel type.

use super::u8_taps::FRACTION_BITS;

/// A pixel value that can be resampled.
pub(super) trait Sample: Copy + Default {
    /// The types of a value's weight and of the sum of products.
    type Sum: Copy;

    const START: Self::Sum;

    /// Adds a weighted value.
    fn add(self, weight: Self::Sum, sum: Self::Sum) -> Self::Sum;

    /// The value of a finished sum.
    fn finish(sum: Self::Sum) -> Self;
}

/// Adds by fused multiply-add: the reference is compiled to it, and it is defined to the last bit,
/// so that code compiled for any processor gives the same image.
impl Sample for f32 {
    type Sum = f32;

    const START: f32 = 0.0;

    #[inline(always)]
    fn add(self, weight: f32, sum: f32) -> f32 {
        self.mul_add(weight, sum)
    }

    #[inline(always)]
    fn finish(sum: f32) -> f32 {
        sum
    }
}

/// Adds in fixed point. Sums start at one half, so that cutting off the fraction rounds.
impl Sample for u8 {
    type Sum = i32;

    const START: i32 = 1 << (FRACTION_BITS - 1);

    #[inline(always)]
    fn add(self, weight: i32, sum: i32) -> i32 {
        sum + weight * i32::from(self)
    }

    #[inline(always)]
    fn finish(sum: i32) -> u8 {
        (sum >> FRACTION_BITS).clamp(0, 255) as u8
    }
}
