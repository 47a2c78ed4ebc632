//! Folds, and how many subsets are searched.

use crate::support::*;
use neurogauge_stats::internals::{binomial, largest_size};

#[test]
fn every_item_is_held_out_once() {
    let folds = Folds::seeded(23, 5, Seed(1)).unwrap();
    let mut all: Vec<usize> = (0..5).flat_map(|fold| folds.held_out(fold)).collect();
    all.sort_unstable();
    assert_eq!(all, (0..23).collect::<Vec<_>>());
    for fold in 0..5 {
        assert_eq!(folds.held_out(fold).len() + folds.training(fold).len(), 23);
    }
    assert_ne!(folds, Folds::seeded(23, 5, Seed(2)).unwrap());
}

#[test]
fn folds_too_small_to_measure_in_are_named() {
    let folds = Folds::seeded(9, 5, Seed(1)).unwrap();
    assert_eq!(folds.check(9), Ok(Err(Undefined::TooFewItemsPerFold)));
    assert_eq!(Folds::seeded(10, 5, Seed(1)).unwrap().check(10), Ok(Ok(())));
    assert!(folds.check(10).is_err());
    assert!(Folds::seeded(9, 1, Seed(1)).is_err() && Folds::seeded(0, 0, Seed(1)).is_err());
    assert!(Folds::new(vec![0, 2], 2).is_err());
}

#[test]
fn sizes_end_where_there_are_too_many_subsets() {
    assert_eq!((binomial(5, 2), binomial(15, 7), binomial(4, 4)), (10, 6435, 1));
    let largest = [0, 1, 15, 16, 20, 50, 300, 100_000].map(largest_size);
    assert_eq!(largest, [0, 1, 15, 7, 5, 3, 1, 1]);
}
