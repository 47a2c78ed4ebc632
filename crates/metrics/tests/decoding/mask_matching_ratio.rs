//! The mask matching ratio by hand. `crates/facade/tests/basic_l.rs` compares it with SciPy.

use crate::support::*;
use neurogauge_metrics::decoding::basic_l::{BasicLOptions, CategoriesFrom, MaskResize};
use neurogauge_metrics::decoding::mask_matching_ratio::mask_matching_ratio;

/// Masks by name, score and pixels in an image of `width_px` x 1 px. Its dogs and cats are objects, and the sky is
/// background.
fn masks(width_px: u32, things: &[(&str, f64, u32, u32)]) -> Masks {
    let items = things.iter().map(|&(name, score, from, to)| strip(name, score, width_px, (from, to)));
    let named: Vec<&str> = things.iter().map(|thing| thing.0).filter(|name| *name != "sky").collect();
    strips(width_px, items.collect(), &named, &[])
}

#[test]
fn pixels_agree_where_both_are_foreground_or_neither_is() {
    let options = BasicLOptions::default();
    // Foreground 0-3, 6 and 7 against 2-5: pixels 2 and 3 are in both, 8 and 9 in neither. The sky is background like
    // the rest.
    let gt = masks(10, &[("dog", 1.0, 0, 4), ("dog", 1.0, 6, 8), ("sky", 1.0, 8, 10)]);
    let recon = masks(10, &[("dog", 1.0, 2, 4), ("cat", 1.0, 4, 6), ("sky", 1.0, 6, 10)]);
    let ratio = |gt: &Masks, recon: &Masks, options: &BasicLOptions| mask_matching_ratio(gt, recon, options).unwrap();
    assert_eq!(ratio(&gt, &recon, &options), Ok(0.4));
    assert_eq!(ratio(&recon, &gt, &options), Ok(0.4));
    assert_eq!(ratio(&gt, &gt, &options), Ok(1.0));
    // Without the cat, which the stimulus does not name: 2 and 3 are in both, 4, 5, 8 and 9 in neither.
    let of_gt = BasicLOptions {
        categories: CategoriesFrom::Reference,
        ..BasicLOptions::default()
    };
    assert_eq!(ratio(&gt, &recon, &of_gt), Ok(0.6));
    // The opposite of an image agrees nowhere.
    let opposite = masks(10, &[("dog", 1.0, 4, 6), ("dog", 1.0, 8, 10)]);
    assert_eq!(ratio(&masks(10, &[("dog", 1.0, 0, 4), ("dog", 1.0, 6, 8)]), &opposite, &options), Ok(0.0));
    // Uncertain masks do not count.
    let unsure = masks(10, &[("dog", 1.0, 2, 4), ("cat", 0.2, 4, 6)]);
    assert_eq!(ratio(&gt, &unsure, &options), Ok(0.6));
}

#[test]
fn a_side_without_a_foreground_has_no_ratio_and_sizes_must_agree() {
    let options = BasicLOptions::default();
    let (dog, sky) = (masks(10, &[("dog", 1.0, 0, 4)]), masks(10, &[("sky", 1.0, 0, 10)]));
    let ratio = |gt: &Masks, recon: &Masks| mask_matching_ratio(gt, recon, &options).unwrap();
    assert_eq!(ratio(&dog, &sky), Err(Undefined::NoCategories(Side::Recon)));
    assert_eq!(ratio(&sky, &dog), Err(Undefined::NoCategories(Side::Gt)));
    assert_eq!(ratio(&sky, &sky), Err(Undefined::NoCategories(Side::Gt)));
    let large = masks(20, &[("dog", 1.0, 0, 8)]);
    let refused = mask_matching_ratio(&dog, &large, &options);
    assert!(matches!(refused, Err(MetricError::Data(_))));
    let nearest = BasicLOptions {
        resize: MaskResize::Nearest,
        ..options
    };
    assert_eq!(mask_matching_ratio(&dog, &large, &nearest).unwrap(), Ok(1.0));
}
