//! Arithmetic of masks against that of their pixels.

use crate::support::*;
use neurogauge_metrics::masks::{intersection, intersection_over_union, intersection_px2, overlaps, union};

fn drawn(seed: u64, height: u32, width: u32) -> (Mask, Vec<bool>) {
    let draw = Synthetic::new("arithmetic", seed);
    let share = draw.byte(0);
    let pixels: Vec<bool> = (0..u64::from(height * width)).map(|i| draw.byte(1 + i / (1 + seed % 4)) < share).collect();
    let mask = Mask::from_pixels(height, width, |x, y| pixels[(x * height + y) as usize]);
    (mask.unwrap(), pixels)
}

#[test]
fn runs_and_pixels_give_the_same_answers() {
    for seed in 0..400 {
        let (height, width) = (1 + seed as u32 % 7, 1 + seed as u32 % 5);
        let (a, in_a) = drawn(2 * seed, height, width);
        let (b, in_b) = drawn(2 * seed + 1, height, width);
        let both = in_a.iter().zip(&in_b).filter(|(a, b)| **a && **b).count();
        let either = in_a.iter().zip(&in_b).filter(|(a, b)| **a || **b).count();
        assert_eq!(intersection_px2(&a, &b).unwrap(), both as u64);
        let merged = |pixel: fn(bool, bool) -> bool| {
            let at = |x: u32, y: u32| (x * height + y) as usize;
            Mask::from_pixels(height, width, |x, y| pixel(in_a[at(x, y)], in_b[at(x, y)])).unwrap()
        };
        assert_eq!(union([&a, &b]).unwrap().unwrap(), merged(|a, b| a || b));
        assert_eq!(intersection([&a, &b]).unwrap().unwrap(), merged(|a, b| a && b));
        let expected = if both == 0 { 0.0 } else { both as f64 / either as f64 };
        assert_eq!(intersection_over_union(&a, &b).unwrap(), expected);
        let area = a.area_px2() as f64;
        let in_crowd = overlaps(&[&a], &[&b], |_| true).unwrap()[0];
        assert_eq!(in_crowd, if both == 0 { 0.0 } else { both as f64 / area });
    }
}

#[test]
fn masks_of_different_images_are_refused() {
    let (a, _) = drawn(1, 2, 3);
    let (b, _) = drawn(1, 3, 2);
    assert!(intersection_over_union(&a, &b).is_err());
    assert!(union([&a, &b]).is_err());
    assert_eq!(union([]).unwrap(), None);
}
