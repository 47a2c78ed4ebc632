//! Masks as runs and as pixels, and the lists of labels.

use neurogauge_core::synthetic::Synthetic;
use neurogauge_core::{LabelList, Mask, MaskError};
use std::collections::BTreeSet;

#[test]
fn empty_runs_are_joined() {
    let runs = |runs: &[u32]| Mask::from_runs(2, 3, runs.to_vec()).unwrap().runs().to_vec();
    assert_eq!(runs(&[1, 2, 0, 1, 2]), [1, 3, 2]);
    assert_eq!(runs(&[0, 0, 0, 6]), [0, 6]);
    assert_eq!(runs(&[0, 0, 6, 0]), [6]);
    assert_eq!(runs(&[2, 0, 1, 3, 0, 0]), [3, 3]);
}

#[test]
fn runs_that_do_not_fill_the_image_are_refused() {
    for (height, width, runs) in [(2, 2, vec![3]), (2, 2, vec![]), (2, 2, vec![u32::MAX, 5])] {
        assert!(matches!(Mask::from_runs(height, width, runs), Err(MaskError::RunTotal { .. })));
    }
    assert!(Mask::from_runs(0, 5, vec![0]).is_err());
    assert!(Mask::from_runs(1 << 16, 1 << 16, vec![0]).is_err());
}

fn drawn(seed: u64) -> (Mask, Vec<bool>) {
    let draw = Synthetic::new("mask", seed);
    let (height, width) = (1 + u32::from(draw.byte(0)) % 9, 1 + u32::from(draw.byte(1)) % 9);
    let share = draw.byte(2);
    let pixels: Vec<bool> = (0..u64::from(height * width)).map(|i| draw.byte(3 + i) < share).collect();
    let mask = Mask::from_pixels(height, width, |x, y| pixels[(x * height + y) as usize]);
    (mask.unwrap(), pixels)
}

#[test]
fn runs_and_pixels_say_the_same() {
    for seed in 0..300 {
        let (mask, pixels) = drawn(seed);
        assert_eq!(mask.pixels_by_column(), pixels);
        let runs = Mask::from_runs(mask.height_px(), mask.width_px(), mask.runs().to_vec());
        assert_eq!(runs.unwrap(), mask);
        let inside: Vec<usize> = (0..pixels.len()).filter(|&i| pixels[i]).collect();
        assert_eq!(mask.area_px2(), inside.len() as u64);
        let height = mask.height_px() as usize;
        let xs = inside.iter().map(|i| (i / height) as u32);
        let ys = inside.iter().map(|i| (i % height) as u32);
        let bounds = xs.clone().min().zip(ys.clone().min()).map(|(left, top)| {
            let (right, bottom) = (xs.max().unwrap(), ys.max().unwrap());
            [left, top, right - left + 1, bottom - top + 1]
        });
        assert_eq!(mask.bounds_px(), bounds);
        for x in 0..mask.width_px() {
            for y in 0..mask.height_px() {
                let position = (x * mask.height_px() + y) as usize;
                assert_eq!(mask.contains(x, y), pixels[position]);
            }
        }
    }
}

#[test]
fn resizing_takes_the_nearest_pixel() {
    let mask = Mask::from_runs(2, 2, vec![1, 1, 2]).unwrap();
    let twice = mask.resized(4, 4).unwrap();
    assert_eq!(twice.bounds_px(), Some([0, 2, 2, 2]));
    assert_eq!(twice.area_px2(), 4);
    assert_eq!(twice.resized(2, 2).unwrap(), mask);
    // Three columns to two: the first and the last, whose middles are nearest.
    let three = Mask::from_runs(1, 3, vec![1, 1, 1]).unwrap();
    assert!(three.resized(1, 2).unwrap().is_empty());
}

#[test]
fn seeds_list_has_82_names_and_starts_with_people() {
    let list = LabelList::coco_gender();
    assert_eq!(list.names().len(), 82);
    assert_eq!(&list.names()[..4], ["person", "man", "woman", "bicycle"]);
    assert_eq!(list.index_of("traffic_light"), Some(11));
    assert_eq!(list.index_of("unicorn"), None);
}

#[test]
fn two_names_of_the_list_of_generic_object_decoding_stand_twice() {
    let list = LabelList::god();
    let distinct: BTreeSet<&String> = list.names().iter().collect();
    assert_eq!((list.names().len(), distinct.len()), (51, 49));
    assert_eq!(list.index_of("great_grey_owl"), Some(2));
    assert_eq!(list.names()[39], list.names()[45]);
}
