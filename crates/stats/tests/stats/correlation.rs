//! Correlation and quantiles, and their undefined cases.

use crate::support::*;

fn undefined(x: &[f64], y: &[f64]) -> Undefined {
    pearson(x, y).unwrap().unwrap_err()
}

#[test]
fn samples_without_a_correlation_say_why() {
    use Undefined::{Constant, Empty, NonFinite};
    let good = [1.0, 2.0, 4.0];
    assert_eq!(undefined(&[], &[]), Empty(Side::Gt));
    assert_eq!(undefined(&[1.0], &[2.0]), Constant(Side::Gt));
    assert_eq!(undefined(&[0.1; 3], &good), Constant(Side::Gt));
    assert_eq!(undefined(&good, &[0.0, -0.0, 0.0]), Constant(Side::Recon));
    assert_eq!(undefined(&[0.1; 3], &[0.1; 3]), Constant(Side::Gt));
    assert_eq!(undefined(&[1.0, f64::NAN, 2.0], &good), NonFinite(Side::Gt));
    assert_eq!(undefined(&good, &[1.0, f64::INFINITY, 2.0]), NonFinite(Side::Recon));
    assert_eq!(undefined(&[f64::NAN; 3], &[f64::NAN; 3]), NonFinite(Side::Gt));
    // NaN takes precedence over constant values.
    assert_eq!(undefined(&[1.0; 3], &[f64::NAN; 3]), NonFinite(Side::Recon));
    assert_eq!(correlation_distance(&[1.0; 2], &[1.0, 2.0]).unwrap(), Err(Constant(Side::Gt)));
}

#[test]
fn samples_of_different_length_are_an_error() {
    let error = pearson(&[1.0], &[1.0, 2.0]).unwrap_err().to_string();
    assert_eq!(error, "1 values are paired with 2; both samples must have as many");
}

#[test]
fn a_million_equal_values_are_constant_although_their_mean_rounds() {
    let x = vec![0.1; 1_000_000];
    let mut y = x.clone();
    assert_eq!(undefined(&x, &y), Undefined::Constant(Side::Gt));
    y[17] = 0.2;
    assert_eq!(undefined(&y, &x), Undefined::Constant(Side::Recon));
}

#[test]
fn spread_in_the_last_bits_only_still_correlates() {
    let ulp = f64::EPSILON;
    let x = [1.0, 1.0 + ulp, 1.0 + 2.0 * ulp];
    assert!((pearson(&x, &[1.0, 3.0, 2.0]).unwrap().unwrap() - 0.5).abs() < 1e-15);
}

#[test]
fn numbers_whose_squares_leave_the_range_of_f64_still_correlate() {
    let y = [1.0, 3.0, 2.0];
    for scale in [f64::MAX / 4.0, 1e200, 1e-200, 1e-310] {
        let r = pearson(&[scale, 2.0 * scale, 3.0 * scale], &y).unwrap().unwrap();
        assert!((r - 0.5).abs() < 1e-12, "{scale:e}: {r}");
    }
    let r = pearson(&[-f64::MAX, 0.0, f64::MAX], &y).unwrap().unwrap();
    assert!((r - 0.5).abs() < 1e-12, "{r}");
}

#[test]
fn correlation_keeps_within_its_range_and_ignores_scale_and_order() {
    let noise = Synthetic::new("noise", 1);
    let x: Vec<f64> = (0..999).map(|i| f64::from(noise.uniform(i))).collect();
    let y: Vec<f64> = (999..1998).map(|i| f64::from(noise.uniform(i))).collect();
    let r = pearson(&x, &y).unwrap().unwrap();
    let close = |other: f64| assert!((other - r).abs() < 1e-13, "{other} is not {r}");
    close(pearson(&y, &x).unwrap().unwrap());
    let scaled: Vec<f64> = x.iter().map(|v| 7.0 * v - 3.0).collect();
    close(pearson(&scaled, &y).unwrap().unwrap());
    let negative: Vec<f64> = x.iter().map(|v| -v).collect();
    close(-pearson(&negative, &y).unwrap().unwrap());
    let backwards = |v: &[f64]| v.iter().rev().copied().collect::<Vec<_>>();
    close(pearson(&backwards(&x), &backwards(&y)).unwrap().unwrap());

    assert!((pearson(&x, &x).unwrap().unwrap() - 1.0).abs() < 1e-15);
    assert!(correlation_distance(&x, &x).unwrap().unwrap() < 1e-15);
    assert!(correlation_distance(&x, &x).unwrap().unwrap() >= 0.0);
    assert!((pearson(&x, &negative).unwrap().unwrap() + 1.0).abs() < 1e-15);
}

#[test]
fn quantiles_refuse_what_has_none() {
    let error = |values: &[f64], q| quantile(values, q).unwrap_err().to_string();
    assert_eq!(error(&[], 0.5), "the sample is empty; a quantile needs at least one value");
    assert_eq!(error(&[1.0, f64::NAN], 0.5), "value 1 of the sample is NaN; every value must be finite");
    for q in [-0.1, 1.1, f64::NAN] {
        assert_eq!(error(&[1.0], q), format!("q is {q}; expected a number from 0 to 1"));
    }
}
