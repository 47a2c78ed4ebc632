//! Floats that can hardly be meant as pixels within [0, 1].

use super::Image;
use std::fmt;

/// How far a value may leave [0, 1] unremarked: interpolation and decoders overshoot by less.
const SLACK: f32 = 0.25;

/// Images whose values leave [0, 1] by more than a decoder's overshoot, as images of 0 to 255 or of -1 to 1 do
/// (convention `image-unit`). They are compared as they are, and the reader of the number should know that.
///
/// ```
/// use neurogauge_core::Image;
/// use neurogauge_core::image::OutOfRange;
/// let images = [0.9, 254.0].map(|value| Image::new(1, 1, vec![0.0, 0.5, value]).unwrap());
/// let found = OutOfRange::of(images.iter().map(Image::range)).unwrap();
/// assert_eq!((found.n_beyond, found.n_images, found.low, found.high), (1, 2, 0.0, 254.0));
/// assert!(found.to_string().ends_with("divide by 255 if they are 0 to 255"));
/// assert!(OutOfRange::of(images[..1].iter().map(Image::range)).is_none());
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct OutOfRange {
    /// Images that were looked at.
    pub n_images: usize,
    /// Those with a value far outside.
    pub n_beyond: usize,
    /// The lowest value of all images.
    pub low: f32,
    /// The highest.
    pub high: f32,
}

impl OutOfRange {
    /// The finding about images with these ranges; `None` if all are in range.
    pub fn of(ranges: impl Iterator<Item = (f32, f32)>) -> Option<Self> {
        let none = OutOfRange {
            n_images: 0,
            n_beyond: 0,
            low: f32::INFINITY,
            high: f32::NEG_INFINITY,
        };
        let all = ranges.fold(none, |all, (low, high)| OutOfRange {
            n_images: all.n_images + 1,
            n_beyond: all.n_beyond + usize::from(low < -SLACK || high > 1.0 + SLACK),
            low: all.low.min(low),
            high: all.high.max(high),
        });
        (all.n_beyond > 0).then_some(all)
    }

    fn advice(&self) -> &'static str {
        if self.low >= -SLACK {
            "divide by 255 if they are 0 to 255"
        } else if self.low >= -1.0 - SLACK && self.high <= 1.0 + SLACK {
            "take (x + 1) / 2 if they are -1 to 1"
        } else {
            "bring them to 0 to 1"
        }
    }
}

impl fmt::Display for OutOfRange {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let OutOfRange {
            n_images,
            n_beyond,
            low,
            high,
        } = self;
        write!(
            f,
            "{n_beyond} of {n_images} images have values far outside 0 to 1 (all are from {low} to {high}); floats are \
             taken as they are, and SSIM, PSNR and every model expect 0 to 1: {}",
            self.advice()
        )
    }
}

impl Image<f32> {
    /// The lowest and the highest of its finite values; the reverse of all numbers where there is none.
    pub fn range(&self) -> (f32, f32) {
        let finite = self.data().iter().filter(|value| value.is_finite());
        finite.fold((f32::INFINITY, f32::NEG_INFINITY), |(low, high), &value| {
            (low.min(value), high.max(value))
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(low: f32, high: f32) -> Option<String> {
        Some(OutOfRange::of([(0.0, 1.0), (low, high)].into_iter())?.to_string())
    }

    #[test]
    fn overshoot_is_let_pass_and_other_scales_are_told_apart() {
        assert_eq!(of(-0.25, 1.25), None);
        assert_eq!(of(f32::INFINITY, f32::NEG_INFINITY), None);
        assert_eq!(OutOfRange::of(std::iter::empty()), None);
        let advice = |low, high| {
            of(low, high)
                .unwrap()
                .rsplit(": ")
                .next()
                .unwrap()
                .to_owned()
        };
        assert_eq!(advice(0.0, 255.0), "divide by 255 if they are 0 to 255");
        assert_eq!(advice(-1.0, 1.0), "take (x + 1) / 2 if they are -1 to 1");
        assert_eq!(advice(-2.1, 2.6), "bring them to 0 to 1");
    }

    #[test]
    fn values_that_are_no_numbers_do_not_count() {
        let image = Image::new(1, 1, vec![f32::NAN, 0.25, f32::INFINITY]).unwrap();
        assert_eq!(image.range(), (0.25, 0.25));
    }
}
