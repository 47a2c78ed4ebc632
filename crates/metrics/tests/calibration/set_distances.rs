//! The interval and the test of KID, of normal features whose true distance is known in closed form.

use super::populations::{Draws, options};
use super::rates::{Rate, Rates, holds, is_significant, rates, write_part};
use crate::support::*;
use neurogauge_metrics::decoding::set_distances::{SetProducts, kernel_inception_distance};

const N_FEATURES: usize = 16;

/// Stimuli are standard normal; reconstructions have this mean and standard deviation of each feature, and this
/// correlation with their own stimulus.
struct Decoder {
    name: &'static str,
    mean: f64,
    sd: f64,
    correlation: f64,
}

const fn decoder(name: &'static str, mean: f64, sd: f64, correlation: f64) -> Decoder {
    Decoder {
        name,
        mean,
        sd,
        correlation,
    }
}

const EQUAL: [Decoder; 2] = [
    decoder("equal sets, pairs unrelated", 0.0, 1.0, 0.0),
    decoder("equal sets, pairs correlated (0.7)", 0.0, 1.0, 0.7),
];
const DIFFERENT: [Decoder; 3] = [
    decoder("means apart (0.3)", 0.3, 1.0, 0.5),
    decoder("narrower and apart (0.3, SD 0.7)", 0.3, 0.7, 0.5),
    decoder("half as wide", 0.0, 0.5, 0.8),
];

impl Decoder {
    /// E k(x, y) of independent x and y with these means and standard deviations, for k(x, y) = (x·y / d + 1)³. Given y,
    /// x·y is normal with the mean m·y and the variance s²|y|², whose third moment is (m·y)³ + 3 (m·y) s²|y|².
    fn expected((m, s): (f64, f64), (n, t): (f64, f64)) -> f64 {
        let d = N_FEATURES as f64;
        let (across, of_m, of_n) = (d * m * n, d * m * m, d * n * n);
        let second = across.powi(2) + t * t * of_m + s * s * (of_n + d * t * t);
        let third = across.powi(3) + 3.0 * across * t * t * of_m + 3.0 * s * s * across * (of_n + t * t * (d + 2.0));
        1.0 + 3.0 * across / d + 3.0 * second / (d * d) + third / (d * d * d)
    }

    fn truth(&self) -> f64 {
        let (gt, recon) = ((0.0, 1.0), (self.mean, self.sd));
        Self::expected(gt, gt) + Self::expected(recon, recon) - 2.0 * Self::expected(gt, recon)
    }

    /// How often the interval holds the truth, and how often sets are called different.
    fn rates(&self, n: usize, n_experiments: usize) -> [Rate; 2] {
        rates(n_experiments, |experiment| {
            let draws = &mut Draws::of(41, experiment);
            let (mut gt, mut recon) = (Vec::new(), Vec::new());
            for _ in 0..n * N_FEATURES {
                let own = draws.normal();
                let other = (1.0 - self.correlation.powi(2)).sqrt() * draws.normal();
                gt.push(own);
                recon.push(self.mean + self.sd * (self.correlation * own + other));
            }
            let products = SetProducts::of(&gt, &recon, N_FEATURES).unwrap();
            let found = kernel_inception_distance(&products, Seed(experiment as u64)).unwrap();
            let estimate = found.estimate(&options(400, experiment)).unwrap();
            [holds(estimate.interval, self.truth()), is_significant(Some(found.p_value))]
        })
    }
}

#[test]
fn intervals_of_kid_hold_the_truth_and_equal_sets_are_rarely_different() {
    for decoder in &DIFFERENT {
        let [covered, different] = decoder.rates(30, 300);
        covered.assert_at_least(0.93, decoder.name);
        assert!(different.share() > 0.5, "{}: {different:?}", decoder.name);
    }
    for decoder in &EQUAL {
        let [covered, different] = decoder.rates(30, 300);
        covered.assert_at_least(0.95, decoder.name);
        different.assert_at_most(0.05, decoder.name);
    }
}

#[test]
#[ignore = "minutes; make calibration"]
fn table_of_sets() {
    const NS: [usize; 3] = [10, 30, 100];
    const N_EXPERIMENTS: [usize; 3] = [4_000, 3_000, 1_500];
    let mut covered = Rates::new("95% intervals of KID that hold the true distance, in %.", &NS);
    let mut size = Rates::new("Tests of equal sets by exchanges: how often p ≤ 0.05, in %.", &NS);
    for decoder in EQUAL.iter().chain(&DIFFERENT) {
        let found: Vec<[Rate; 2]> = NS.iter().zip(N_EXPERIMENTS).map(|(n, of)| decoder.rates(*n, of)).collect();
        let column = |place: usize| found.iter().map(|rates| rates[place]).collect::<Vec<Rate>>();
        covered.row(decoder.name, &column(0));
        if decoder.truth() == 0.0 {
            size.row(decoder.name, &column(1));
        }
    }
    write_part("sets", &(covered.text() + &size.text()));
}
