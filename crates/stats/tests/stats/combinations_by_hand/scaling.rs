//! Scores on a common scale.

use crate::support::*;
use neurogauge_stats::internals::Scaled;

fn total(columns: &[Vec<f64>], scaling: Scaling) -> Vec<f64> {
    let parts: Vec<usize> = (0..columns.len()).collect();
    Scaled::own(columns, scaling).sum(&parts).unwrap()
}

#[test]
fn sums_by_hand() {
    let columns = [vec![1.0, 3.0, 3.0, 1.0], vec![10.0, 20.0, 40.0, 30.0]];
    assert_eq!(total(&columns, Scaling::Raw), [11.0, 23.0, 43.0, 31.0]);
    // The lower items plus half of the equal ones: 1, 3, 3, 1 and ½, 1½, 3½, 2½.
    assert_eq!(total(&columns, Scaling::Rank), [1.5, 4.5, 6.5, 3.5]);
    // Mean 2, deviation 1; mean 25, deviation √125.
    let z = total(&columns, Scaling::ZScore);
    assert!((z[0] - (-1.0 - 15.0 / 125_f64.sqrt())).abs() < 1e-15);
}

#[test]
fn new_items_stand_on_the_scale_of_the_training_items() {
    let (train, new) = ([vec![0.0, 2.0, 2.0, 4.0]], [vec![2.0, 100.0, -1.0]]);
    let ranks = Scaled::by(&train, &new, Scaling::Rank).sum(&[0]).unwrap();
    assert_eq!(ranks, [2.0, 4.0, 0.0]);
    let z = Scaled::by(&train, &new, Scaling::ZScore).sum(&[0]).unwrap();
    assert_eq!(z, [0.0, 98.0 / 2_f64.sqrt(), -3.0 / 2_f64.sqrt()]);
}

#[test]
fn what_does_not_vary_has_ranks_but_no_z_scores() {
    let flat = [vec![0.1, 0.1, 0.1]];
    assert_eq!(Scaled::own(&flat, Scaling::ZScore).sum(&[0]), Err(Undefined::ConstantMetric));
    assert_eq!(total(&flat, Scaling::Rank), [1.5; 3]);
}
