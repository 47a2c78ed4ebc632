//! SEED and its misses of details, by hand.

use crate::support::*;
use neurogauge_metrics::decoding::seed::{DetailMissOptions, detail_miss, seed};

#[test]
fn the_first_missing_part_is_named() {
    let missing = Err(Undefined::NoPairs);
    let named = |name: &str| Err(Undefined::MissingPart(name.into()));
    assert_eq!(seed(&missing, &missing, &Ok(1.0)), named("object_f1"));
    assert_eq!(seed(&Ok(1.0), &Ok(1.0), &missing), named("effnet"));
    let options = DetailMissOptions::default();
    assert_eq!(detail_miss(&Ok(1.0), &missing, &options), named("seed"));
}

#[test]
fn both_conditions_are_strict_and_both_are_needed() {
    let options = DetailMissOptions {
        f1_above: 0.5,
        gap_above: 0.25,
    };
    let miss = |f1, seed| detail_miss(&Ok(f1), &Ok(seed), &options);
    assert_eq!(miss(0.75, 0.5), Ok(0.0));
    assert_eq!(miss(0.75, 0.25), Ok(1.0));
    assert_eq!(miss(0.5, 0.0), Ok(0.0));
}

#[test]
fn identical_images_score_one() {
    assert_eq!(seed(&Ok(1.0), &Ok(1.0), &Ok(0.0)), Ok(1.0));
}
