//! Distributions of scores like those of metrics, with known means.

use crate::support::*;
use rand::Rng;

/// A distribution of scores.
pub(crate) struct Population {
    pub(crate) name: &'static str,
    pub(crate) mean: f64,
    pub(crate) draw: fn(&mut Draws) -> f64,
}

const fn population(name: &'static str, mean: f64, draw: fn(&mut Draws) -> f64) -> Population {
    Population { name, mean, draw }
}

/// Every shape of the distribution of pairs' scores, and some that are harder.
pub(crate) const POPULATIONS: [Population; 15] = [
    population("normal (correlations of features)", 0.4, |draws| 0.4 + 0.15 * draws.normal()),
    population("uniform", 0.5, Draws::uniform),
    population("beta(2, 5) (PixCorr, overlap of masks)", 2.0 / 7.0, |draws| draws.beta(2.0, 5.0)),
    population("beta(8, 2) (Cap-Sim)", 0.8, |draws| draws.beta(8.0, 2.0)),
    population("beta(6, 0.6) (two-way identification near its ceiling)", 10.0 / 11.0, |draws| draws.beta(6.0, 0.6)),
    population("beta(0.5, 0.5) (two peaks at the ends)", 0.5, |draws| draws.beta(0.5, 0.5)),
    population("gamma(2), skewed (distances)", 2.0, |draws| draws.gamma(2.0)),
    population("lognormal(0.5), skewed", 1.133_148_453_066_826, |draws| (0.5 * draws.normal()).exp()),
    population("exponential, strongly skewed", 1.0, |draws| -draws.uniform().ln()),
    population("Student's t with 3 degrees of freedom, heavy tails", 0.0, |draws| draws.student(3.0)),
    population("30% zeros, 15% ones, the rest beta(2, 2) (Object F1)", 0.425, |draws| match draws.uniform() {
        u if u < 0.3 => 0.0,
        u if u < 0.45 => 1.0,
        _ => draws.beta(2.0, 2.0),
    }),
    population("tenths, with ties: binomial(10, 0.4) / 10", 0.4, |draws| {
        (0..10).filter(|_| draws.uniform() < 0.4).count() as f64 / 10.0
    }),
    population("zeros and ones, half ones (SDM, retrieval)", 0.5, |draws| f64::from(draws.uniform() < 0.5)),
    population("zeros and ones, 80% ones", 0.8, |draws| f64::from(draws.uniform() < 0.8)),
    population("zeros and ones, 95% ones", 0.95, |draws| f64::from(draws.uniform() < 0.95)),
];

/// Too skewed for the interval of a mean with few pairs; their samples are marked (`strong-skewness`).
pub(crate) const STRONGLY_SKEWED: [Population; 4] = [
    population("lognormal(1)", 1.648_721_270_700_128_2, |draws| draws.normal().exp()),
    population("gamma(0.3)", 0.3, |draws| draws.gamma(0.3)),
    population("80% zeros, the rest beta(2, 2) (Object F1 of a poor decoder)", 0.1, |draws| match draws.uniform() {
        u if u < 0.8 => 0.0,
        _ => draws.beta(2.0, 2.0),
    }),
    population("normal, 5% of it ten standard deviations off (failed pairs)", 0.5, |draws| match draws.uniform() {
        u if u < 0.05 => 10.0 + draws.normal(),
        _ => draws.normal(),
    }),
];

/// Scores with a long tail that small samples often lack, so that these cannot be marked; tables of such metrics have a
/// note below 30 pairs (`strong-skewness`).
pub(crate) const SELDOM_SEEN: [Population; 3] = [
    population(
        "92% beta(2, 9), 8% beta(20, 3) (SSIM with a few near copies)",
        0.92 * 2.0 / 11.0 + 0.08 * 20.0 / 23.0,
        |draws| match draws.uniform() {
            u if u < 0.08 => draws.beta(20.0, 3.0),
            _ => draws.beta(2.0, 9.0),
        },
    ),
    population("lognormal(0.75) (SSIM)", 1.324_784_758_728_865_6, |draws| (0.75 * draws.normal()).exp()),
    population("1 - gamma(0.5) (Cap-Sim)", 0.5, |draws| 1.0 - draws.gamma(0.5)),
];

/// The options of one experiment.
pub(crate) fn options(resamples: usize, experiment: usize) -> BootstrapOptions {
    BootstrapOptions {
        resamples,
        seed: Seed(experiment as u64),
        ..BootstrapOptions::default()
    }
}

/// Random numbers of several distributions.
pub(crate) struct Draws(Box<dyn Rng>);

impl Draws {
    /// The random numbers of an experiment.
    pub(crate) fn of(seed: u64, experiment: usize) -> Draws {
        Draws(Box::new(Seed(seed).stream(experiment as u64)))
    }

    /// Between 0 and 1, excluding both.
    pub(crate) fn uniform(&mut self) -> f64 {
        ((self.0.next_u64() >> 11) as f64 + 0.5) / (1_u64 << 53) as f64
    }

    /// By the method of Box and Muller.
    pub(crate) fn normal(&mut self) -> f64 {
        let radius = (-2.0 * self.uniform().ln()).sqrt();
        radius * (std::f64::consts::TAU * self.uniform()).cos()
    }

    /// By the rejection method of Marsaglia and Tsang.
    pub(crate) fn gamma(&mut self, shape: f64) -> f64 {
        if shape < 1.0 {
            return self.gamma(shape + 1.0) * self.uniform().powf(1.0 / shape);
        }
        let d = shape - 1.0 / 3.0;
        loop {
            let x = self.normal();
            let v = (1.0 + x / (9.0 * d).sqrt()).powi(3);
            if v > 0.0 && self.uniform().ln() < 0.5 * x * x + d - d * v + d * v.ln() {
                return d * v;
            }
        }
    }

    pub(crate) fn beta(&mut self, a: f64, b: f64) -> f64 {
        let (x, y) = (self.gamma(a), self.gamma(b));
        x / (x + y)
    }

    /// Number of events of a process with rate 1 within this time.
    pub(crate) fn poisson(&mut self, mean: f64) -> usize {
        let mut left = mean + self.uniform().ln();
        let mut count = 0;
        while left > 0.0 {
            count += 1;
            left += self.uniform().ln();
        }
        count
    }

    pub(crate) fn student(&mut self, df: f64) -> f64 {
        let chi_squared = 2.0 * self.gamma(df / 2.0);
        self.normal() / (chi_squared / df).sqrt()
    }
}
