//! Least squares without negative weights, by hand.

use crate::support::*;

#[test]
fn a_column_that_would_count_against_is_left_out() {
    // Without the bound: 2 x0 − x1. With it: x0 alone, times 3/2.
    let found = nonnegative_least_squares(&[vec![1.0, 1.0], vec![0.0, 1.0]], &[2.0, 1.0]).unwrap();
    assert!((found[0] - 1.5).abs() < 1e-15 && found[1] == 0.0, "{found:?}");
}

#[test]
fn a_column_that_entered_leaves_again() {
    // y = x1 + x2, and x0 = 0.8 x1 + 0.7 x2 + a little: x0 is the nearest to y at first, and useless later.
    let columns = [vec![0.8, 0.7, 0.1], vec![1.0, 0.0, 0.0], vec![0.0, 1.0, 0.0]];
    let found = nonnegative_least_squares(&columns, &[1.0, 1.0, 0.0]).unwrap();
    for (found, expected) in found.iter().zip([0.0, 1.0, 1.0]) {
        assert!((found - expected).abs() < 1e-12, "{found}");
    }
}

#[test]
fn columns_that_depend_on_each_other_are_no_trouble() {
    let a = vec![1.0, 2.0, 3.0, 5.0];
    let b = vec![2.0, 1.0, 0.0, 1.0];
    let both: Vec<f64> = a.iter().zip(&b).map(|(a, b)| a + b).collect();
    let twice = a.iter().map(|v| 2.0 * v).collect();
    let columns = [a, twice, b, both.clone(), vec![0.0; 4]];
    let found = nonnegative_least_squares(&columns, &both).unwrap();
    let fit = |item: usize| -> f64 { (0..5).map(|j| found[j] * columns[j][item]).sum() };
    for (item, y) in both.iter().enumerate() {
        assert!((fit(item) - y).abs() < 1e-9);
    }
    assert!(found.iter().all(|&b| b >= 0.0) && found[4] == 0.0);
}

#[test]
fn nothing_that_helps_gives_nothing() {
    let found = nonnegative_least_squares(&[vec![-1.0, -2.0]], &[1.0, 2.0]).unwrap();
    assert_eq!(found, [0.0]);
    assert!(nonnegative_least_squares(&[], &[1.0]).unwrap().is_empty());
    assert_eq!(nonnegative_least_squares(&[vec![]], &[]).unwrap(), [0.0]);
    assert!(nonnegative_least_squares(&[vec![1.0]], &[1.0, 2.0]).is_err());
    assert!(nonnegative_least_squares(&[vec![f64::NAN]], &[1.0]).is_err());
}
