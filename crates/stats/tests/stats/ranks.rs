//! Ranks, and orders of pairs.

use crate::support::*;
use neurogauge_stats::ranks::dense_ranks;

#[test]
fn zero_has_no_sign() {
    assert_eq!(average_ranks(&[0.0, -0.0, 1.0]).unwrap(), [1.5, 1.5, 3.0]);
    assert_eq!(dense_ranks(&[0.0, -0.0, 1.0]), (vec![0, 0, 1], 2));
}

#[test]
fn a_monotonic_map_changes_nothing() {
    let x = [3.0, 1.0, 4.0, 1.0, 5.0, 9.0, 2.0, 6.0];
    let y = [2.0, 7.0, 1.0, 8.0, 2.0, 8.0, 1.0, 8.0];
    // `powi` may give different results for the same value, and does so under Miri.
    let cubed: Vec<f64> = y.iter().map(|v: &f64| v * v * v).collect();
    assert_eq!(spearman(&x, &y), spearman(&x, &cubed));
}

#[test]
fn what_has_no_order_has_no_correlation() {
    let undefined = |x: &[f64], y: &[f64]| spearman(x, y).unwrap().unwrap_err();
    assert_eq!(undefined(&[], &[]), Undefined::Empty(Side::Gt));
    assert_eq!(undefined(&[1.0], &[1.0]), Undefined::NoPairs);
    assert_eq!(undefined(&[1.0, 2.0], &[f64::NAN, 1.0]), Undefined::NonFinite(Side::Recon));
    assert_eq!(undefined(&[1.0, 1.0], &[1.0, 2.0]), Undefined::Constant(Side::Gt));
    assert!(spearman(&[1.0], &[1.0, 2.0]).is_err());
    assert!(average_ranks(&[1.0, f64::INFINITY]).is_err());
}

#[test]
fn each_items_pairs_are_those_it_is_in() {
    let x = [0.5, 0.1, 0.9, 0.5, 0.3, 0.55];
    let y = [3.0, 1.0, 3.0, 2.0, 2.0, 1.0];
    for epsilon in [0.0, 0.1, 0.4, 2.0] {
        let found = KendallCounts::of_each_item(&x, &y, epsilon);
        for (item, found) in found.iter().enumerate() {
            let with = |items: &[f64]| KendallCounts::with_epsilon(items, &y, epsilon);
            let all = with(&x).unwrap().unwrap();
            let but =
                |v: &[f64]| -> Vec<f64> { v.iter().enumerate().filter(|(i, _)| *i != item).map(|(_, v)| *v).collect() };
            let without = KendallCounts::with_epsilon(&but(&x), &but(&y), epsilon).unwrap().unwrap();
            assert_eq!(found.concordant, all.concordant - without.concordant);
            assert_eq!(found.discordant, all.discordant - without.discordant);
            assert_eq!(found.ties_x, all.ties_x - without.ties_x);
            assert_eq!(found.ties_y, all.ties_y - without.ties_y);
            assert_eq!(found.ties_both, all.ties_both - without.ties_both);
        }
    }
}

#[test]
fn one_item_has_no_rank() {
    let found = rank_differences(&[Some(1.0), None], &[Some(1.0), Some(2.0)]).unwrap();
    assert_eq!(found, [None, None]);
    assert!(rank_differences(&[Some(1.0)], &[]).is_err());
    let infinite = [Some(f64::INFINITY), Some(1.0)];
    assert!(rank_differences(&infinite, &infinite).is_err());
}

#[test]
fn differences_add_up_to_nothing_and_change_sign_with_the_metric() {
    let metric = [3.0, 1.0, 4.0, 1.0, 5.0, 9.0].map(Some);
    let human = [2.0, 7.0, 1.0, 8.0, 2.0, 8.0].map(Some);
    let one = rank_differences(&metric, &human).unwrap();
    let other = rank_differences(&human, &metric).unwrap();
    let total: f64 = one.iter().flatten().map(|d| d.difference).sum();
    assert!(total.abs() < 1e-12);
    for (a, b) in one.iter().flatten().zip(other.iter().flatten()) {
        assert_eq!(a.difference, -b.difference);
    }
}
