//! Values without an order have no order statistics, but a reason.

use crate::support::*;

const NAN: f64 = f64::NAN;

/// The reasons that every statistic of two samples must give.
const CASES: [(&[f64], &[f64], Undefined); 6] = [
    (&[], &[], Undefined::Empty(Side::Gt)),
    (&[1.0], &[1.0], Undefined::NoPairs),
    (&[1.0, NAN], &[1.0, 2.0], Undefined::NonFinite(Side::Gt)),
    (&[1.0, 2.0], &[1.0, f64::INFINITY], Undefined::NonFinite(Side::Recon)),
    (&[3.0, 3.0, 3.0], &[1.0, 2.0, 3.0], Undefined::Constant(Side::Gt)),
    (&[1.0, 2.0, 3.0], &[3.0, 3.0, 3.0], Undefined::Constant(Side::Recon)),
];

#[test]
fn every_statistic_names_the_reason() {
    for (x, y, reason) in CASES {
        let reason = Err(reason);
        assert_eq!(kendall_tau_b(x, y).unwrap(), reason);
        assert_eq!(kendall_tau_c(x, y).unwrap(), reason);
        assert_eq!(spearman(x, y).unwrap(), reason);
        assert_eq!(pairwise_accuracy(x, y, 0.0).unwrap(), reason);
        let calibrated = TieCalibration::new(x).unwrap().and_then(|calibration| calibration.best(y).unwrap());
        assert_eq!(calibrated.map(|c| c.accuracy), reason);
    }
}

#[test]
fn a_threshold_that_ties_everything_is_right_where_people_tie() {
    let accuracy = pairwise_accuracy(&[1.0, 2.0, 3.0], &[1.0, 2.0, 2.0], 2.0).unwrap();
    assert_eq!(accuracy, Ok(1.0 / 3.0));
}

#[test]
fn calibration_may_well_tie_everything() {
    let best = TieCalibration::new(&[1.0, 2.0, 3.0]).unwrap().unwrap().best(&[2.0, 2.0, 1.0]).unwrap().unwrap();
    // With threshold 0, none of three pairs has the same order; with ties, the pair that people tie is right.
    assert_eq!((best.accuracy, best.epsilon), (1.0 / 3.0, 1.0));
}

#[test]
fn what_cannot_be_paired_is_an_error() {
    assert!(kendall_tau_b(&[1.0], &[1.0, 2.0]).is_err());
    assert!(kendall_tau_c(&[1.0], &[1.0, 2.0]).is_err());
    for epsilon in [-1.0, NAN] {
        assert!(pairwise_accuracy(&[1.0, 2.0], &[1.0, 2.0], epsilon).is_err());
    }
    let calibration = TieCalibration::new(&[1.0, 2.0]).unwrap().unwrap();
    assert!(calibration.best(&[1.0]).is_err());
}

#[test]
fn order_statistics_see_order_only() {
    let x: Vec<f64> = (0..97).map(|i| f64::from(i * 37 % 97 % 23)).collect();
    let y: Vec<f64> = (0..97).map(|i| f64::from(i * 53 % 97 % 11)).collect();
    let counts = KendallCounts::of(&x, &y).unwrap().unwrap();
    let swapped = KendallCounts::of(&y, &x).unwrap().unwrap();
    assert_eq!(
        (swapped.concordant, swapped.discordant, swapped.ties_x, swapped.ties_y),
        (counts.concordant, counts.discordant, counts.ties_y, counts.ties_x)
    );
    let negated: Vec<f64> = x.iter().map(|v| -v).collect();
    let mirrored = KendallCounts::of(&negated, &y).unwrap().unwrap();
    assert_eq!(
        (mirrored.concordant, mirrored.discordant, mirrored.ties_both),
        (counts.discordant, counts.concordant, counts.ties_both)
    );
    let cubed: Vec<f64> = x.iter().map(|v| (v / 7.0).powi(3)).collect();
    assert_eq!(KendallCounts::of(&cubed, &y).unwrap(), Ok(counts));
    assert_eq!(counts.pairs(), 97 * 96 / 2);
}
