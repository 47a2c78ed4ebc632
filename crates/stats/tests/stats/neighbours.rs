//! Neighbours in the order of items.

use crate::support::*;

/// The share of 60 sets of 100 items that are found alike at p < 0.001, if items share a part of their variance in
/// runs of `alike`.
fn found(alike: usize, shared: f64, n_columns: u64) -> f64 {
    let is_found = |set: &u64| {
        let noise = Synthetic::new("neighbours", *set);
        // The sum of two uniform numbers is nearly normal.
        let draw = |place: u64| f64::from(noise.uniform(2 * place) + noise.uniform(2 * place + 1)) - 1.0;
        let value = |column: u64, item: u64| {
            let run = draw(1_000_000 + 1000 * column + item / alike as u64);
            Some(shared.sqrt() * run + (1.0 - shared).sqrt() * draw(1000 * column + item))
        };
        let column = |column: u64| (0..100).map(|item| value(column, item)).collect();
        let columns: Vec<_> = (0..n_columns).map(column).collect();
        neighbours(&columns, Seed(*set)).unwrap().p_value < 0.001
    };
    (0..60_u64).filter(is_found).count() as f64 / 60.0
}

#[test]
fn independent_items_are_not_alike_and_those_of_a_scene_are() {
    assert_eq!(found(1, 0.0, 1) + found(1, 0.0, 8), 0.0);
    assert!(found(5, 0.5, 1) > 0.6 && found(20, 0.5, 1) > 0.6);
    assert!(found(5, 0.3, 8) == 1.0 && found(20, 0.3, 8) == 1.0);
}

#[test]
fn nothing_is_said_of_few_or_equal_items() {
    let of = |values: Vec<Option<f64>>| neighbours(&[values], Seed(1));
    assert_eq!(of((0..19).map(|item| Some(f64::from(item))).collect()), None);
    assert_eq!(of(vec![Some(0.5); 40]), None);
    assert_eq!(of(vec![None; 40]), None);
    assert_eq!(neighbours(&[], Seed(1)), None);
}
