//! Floats outside [0, 1].

use super::{FloatScale, Image};
use std::fmt;

/// The largest expected overshoot of interpolation and decoders.
const SLACK: f32 = 0.25;

/// A value this far outside 0 to 1 is still rounded to the first or last of 8-bit levels.
const ROUNDING: f32 = 0.5 / 255.0;

/// Images with values outside [0, 1] (convention `image-unit`): either a decoder's overshoot, or another scale such as
/// 0 to 255 or -1 to 1.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct OutOfRange {
    /// Number of images examined.
    pub n_images: usize,
    /// Number of images with a value outside.
    pub n_outside: usize,
    /// The lowest value of all images.
    pub low: f32,
    pub high: f32,
}

impl OutOfRange {
    /// The finding about images with these ranges; `None` if all are in range.
    pub fn of(ranges: impl Iterator<Item = (f32, f32)>) -> Option<Self> {
        let none = OutOfRange {
            n_images: 0,
            n_outside: 0,
            low: f32::INFINITY,
            high: f32::NEG_INFINITY,
        };
        let all = ranges.fold(none, |all, (low, high)| OutOfRange {
            n_images: all.n_images + 1,
            n_outside: all.n_outside + usize::from(low < -ROUNDING || high > 1.0 + ROUNDING),
            low: all.low.min(low),
            high: all.high.max(high),
        });
        (all.n_outside > 0).then_some(all)
    }

    /// Are values so far outside that the images must be on another scale?
    pub fn is_other_scale(&self) -> bool {
        self.low < -SLACK || self.high > 1.0 + SLACK
    }

    /// The scale that the values suggest.
    pub fn likely_scale(&self) -> FloatScale {
        match (self.low, self.high) {
            _ if !self.is_other_scale() => FloatScale::Clipped,
            (low, high) if low >= -SLACK && high <= 256.0 => FloatScale::Levels,
            (low, high) if low >= -1.0 - SLACK && high <= 1.0 + SLACK => FloatScale::Signed,
            _ => FloatScale::AsTheyAre,
        }
    }

    /// NumPy code that brings an array with these values to the scale of 0 to 1.
    pub fn remedy(&self) -> &'static str {
        match self.likely_scale() {
            FloatScale::Levels => "divide by 255 if they are 0 to 255",
            FloatScale::Signed => "take (x + 1) / 2 if they are -1 to 1",
            FloatScale::Clipped => "clip them if they are a decoder's overshoot",
            FloatScale::AsTheyAre => "bring them to 0 to 1",
        }
    }
}

impl fmt::Display for OutOfRange {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let OutOfRange {
            n_images,
            n_outside,
            low,
            high,
        } = self;
        let far = if self.is_other_scale() { "far " } else { "" };
        write!(f, "{n_outside} of {n_images} images have values {far}outside 0 to 1 (all are from {low} to {high})")
    }
}

impl Image<f32> {
    /// The lowest and the highest finite value; (infinity, -infinity) if there is none.
    pub fn range(&self) -> (f32, f32) {
        let finite = self.data().iter().filter(|value| value.is_finite());
        finite.fold((f32::INFINITY, f32::NEG_INFINITY), |(low, high), &value| (low.min(value), high.max(value)))
    }
}
