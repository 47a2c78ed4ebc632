//! Tails and quantiles of distributions.

use crate::support::*;
use neurogauge_stats::internals::{beta_tails, f_exceeded_with, f_exceeds, normal_cdf, normal_quantile, t_two_sided};
use std::f64::consts::PI;

fn close(found: f64, expected: f64, tolerance: f64) {
    assert!((found / expected - 1.0).abs() <= tolerance, "{found:e} is not {expected:e}");
}

#[test]
fn two_and_two_degrees_of_freedom_have_a_closed_form() {
    for f in [0.01, 0.5, 1.0, 3.0, 1e6] {
        close(f_exceeds(f, 2.0, 2.0), 1.0 / (1.0 + f), 1e-14);
        close(f_exceeded_with(1.0 / (1.0 + f), 2.0, 2.0), f, 1e-13);
    }
    assert_eq!(f_exceeds(f64::INFINITY, 3.0, 5.0), 0.0);
    assert_eq!(f_exceeds(0.0, 3.0, 5.0), 1.0);
}

#[test]
fn quantiles_undo_probabilities() {
    for (df1, df2) in [(7.0, 24.0), (999.0, 20_979.0), (20_979.0, 999.0), (1.0, 1.0)] {
        for probability in [0.999, 0.5, 0.025, 1e-6] {
            close(f_exceeds(f_exceeded_with(probability, df1, df2), df1, df2), probability, 1e-12);
        }
    }
    for probability in [1e-300, 1e-9, 0.025, 0.5, 0.975] {
        close(normal_cdf(normal_quantile(probability)), probability, 1e-12);
    }
}

#[test]
fn tails_and_quantiles_are_those_of_scipy() {
    let goldens = read("meta_statistics.json");
    for case in list(&goldens["f"]) {
        let at = |name: &str| number(&case[name]);
        close(f_exceeds(at("f"), at("df1"), at("df2")), at("p"), 1e-11);
        close(f_exceeded_with(0.025, at("df1"), at("df2")), at("q"), 1e-13);
    }
}

#[test]
fn one_degree_of_freedom_is_cauchy() {
    for t in [0.1_f64, 1.0, 12.0] {
        close(t_two_sided(t, 1.0), 1.0 - 2.0 / PI * t.atan(), 1e-13);
    }
}

#[test]
fn simple_cases_have_closed_forms() {
    for x in [0.001_f64, 0.2, 0.5, 0.9] {
        let y = 1.0 - x;
        let close = |(below, above): (f64, f64), expected: f64| {
            assert!((below / expected - 1.0).abs() < 1e-14, "{below} {expected}");
            assert!((below + above - 1.0).abs() < 1e-15);
        };
        close(beta_tails(1.0, 1.0, x, y), x);
        close(beta_tails(3.0, 1.0, x, y), x.powi(3));
        close(beta_tails(0.5, 0.5, x, y), 2.0 / PI * x.sqrt().asin());
    }
}

#[test]
fn halves_of_a_symmetric_distribution_are_equal() {
    for a in [0.5, 7.0, 1e3, 1e6] {
        let (below, above) = beta_tails(a, a, 0.5, 0.5);
        assert!((below - 0.5).abs() < 1e-13, "{a}: {below}");
        assert!((above - 0.5).abs() < 1e-13, "{a}: {above}");
    }
}
