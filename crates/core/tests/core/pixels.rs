//! Facts about the values of images: their range, their scale, and whether they are one colour or grey.

use neurogauge_core::Image;
use neurogauge_core::image::{FloatScale, OutOfRange};

#[test]
fn one_colour_is_constant_and_not_grey() {
    let facts = Image::new(2, 1, vec![0.5_f32, 0.0, 0.0, 0.5, 0.0, 0.0]).unwrap().facts();
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

fn of(low: f32, high: f32) -> Option<OutOfRange> {
    OutOfRange::of([(0.0, 1.0), (low, high)].into_iter())
}

#[test]
fn rounding_passes_and_scales_are_told_apart() {
    let half_a_level = 0.5 / 255.0;
    assert_eq!(of(-half_a_level, 1.0 + half_a_level), None);
    assert_eq!(of(f32::INFINITY, f32::NEG_INFINITY), None);
    assert_eq!(OutOfRange::of(std::iter::empty()), None);
    let scale = |low, high| of(low, high).unwrap().likely_scale();
    for (low, high, expected) in [
        (-0.04, 1.0, FloatScale::Clipped),
        (0.0, 1.25, FloatScale::Clipped),
        (0.0, 255.0, FloatScale::Levels),
        (-1.0, 1.0, FloatScale::Signed),
        (-2.1, 2.6, FloatScale::AsTheyAre),
        (0.0, 65535.0, FloatScale::AsTheyAre),
    ] {
        assert_eq!(scale(low, high), expected, "{low} to {high}");
    }
}

#[test]
fn values_that_are_no_numbers_do_not_count() {
    let image = Image::new(1, 1, vec![f32::NAN, 0.25, f32::INFINITY]).unwrap();
    assert_eq!(image.range(), (0.25, 0.25));
}
