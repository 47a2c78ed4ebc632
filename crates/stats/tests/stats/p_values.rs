//! P values by definition and by hand.

use crate::support::*;
use rand::RngExt;

fn columns(n: usize, n_columns: usize, seed: u64) -> Vec<Vec<f64>> {
    let mut rng = Seed(seed).stream(0);
    let shared: Vec<f64> = (0..n).map(|_| rng.random::<f64>() - 0.5).collect();
    let column = |_| shared.iter().map(|d| d + 2.0 * (rng.random::<f64>() - 0.5)).collect();
    (0..n_columns).map(column).collect()
}

fn t(column: &[f64]) -> f64 {
    let n = column.len() as f64;
    let mean = column.iter().sum::<f64>() / n;
    let variance = column.iter().map(|d| (d - mean).powi(2)).sum::<f64>() / (n - 1.0);
    mean / (variance / n).sqrt()
}

/// The p values by definition, computed sign by sign.
#[test]
fn p_values_are_those_of_the_largest_t_over_all_signs() {
    let own = columns(8, 3, 5);
    let found = max_t_test(&own, &BootstrapOptions::default()).unwrap().unwrap();
    for (column, p) in own.iter().zip(&found.p_values) {
        let mut n_far = 0;
        for signs in 0..1_u32 << 8 {
            let flipped = own.iter().map(|column| {
                let signed = column.iter().enumerate();
                signed.map(|(i, d)| if signs >> i & 1 == 1 { -d } else { *d }).collect::<Vec<_>>()
            });
            let largest = flipped.map(|column| t(&column).abs()).fold(0.0, f64::max);
            n_far += usize::from(largest >= t(column).abs() - 1e-9);
        }
        assert_eq!(*p, n_far as f64 / 256.0);
    }
}

#[test]
fn a_mean_is_rejected_exactly_beyond_the_reach() {
    for (n, seed) in [(7, 1), (12, 2), (15, 3), (16, 4), (40, 5)] {
        for shift in [0.0, 0.3, 0.6, 0.9] {
            let mut own = columns(n, 4, seed);
            own[0].iter_mut().for_each(|d| *d += shift);
            let found = max_t_test(&own, &BootstrapOptions::default()).unwrap().unwrap();
            for (column, p) in own.iter().zip(&found.p_values) {
                let beyond = found.reach.is_some_and(|reach| t(column).abs() > reach);
                assert_eq!(beyond, *p <= 0.05, "{n} {shift} {p}");
            }
        }
    }
}

#[test]
fn too_few_rows_reject_nothing() {
    let found = max_t_test(&[vec![1.0; 5]], &BootstrapOptions::default()).unwrap().unwrap();
    assert_eq!((found.p_values, found.reach), (vec![2.0 / 32.0], None));
    assert_eq!(max_t_test(&[vec![1.0]], &BootstrapOptions::default()).unwrap(), None);
    let zeros = max_t_test(&[vec![0.0; 20]], &BootstrapOptions::default()).unwrap().unwrap();
    assert_eq!(zeros.p_values, [1.0]);
}

#[test]
fn nothing_to_correct() {
    assert_eq!(holm(&[]).unwrap(), [0.0; 0]);
    assert_eq!(holm(&[0.03]).unwrap(), [0.03]);
    assert_eq!(holm(&[0.9, 0.8]).unwrap(), [1.0, 1.0]);
}

#[test]
fn what_is_no_probability_is_refused() {
    for p in [f64::NAN, -0.1, 1.1] {
        assert!(holm(&[0.5, p]).is_err());
    }
}

#[test]
fn swapping_the_metrics_swaps_the_sign() {
    let there = williams_test(0.7, 0.5, 0.4, 50).unwrap().unwrap();
    let back = williams_test(0.5, 0.7, 0.4, 50).unwrap().unwrap();
    assert_eq!((there.t, there.p_value), (-back.t, back.p_value));
    let equal = williams_test(0.5, 0.5, 0.4, 50).unwrap().unwrap();
    assert_eq!((equal.t, equal.p_value), (0.0, 1.0));
}

#[test]
fn too_few_items_and_equal_metrics_have_no_test() {
    assert_eq!(williams_test(0.5, 0.4, 0.1, 3).unwrap(), Err(Undefined::NoPairs));
    assert_eq!(williams_test(0.5, 0.5, 1.0, 9).unwrap(), Err(Undefined::Identical));
    assert!(williams_test(f64::NAN, 0.5, 0.1, 9).is_err());
    assert!(williams_test(0.5, 1.5, 0.1, 9).is_err());
}
