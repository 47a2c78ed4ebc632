//! Tail probabilities and quantiles of the F, t and normal distributions.

use crate::incomplete_beta::{beta_kernel, beta_tails};
use std::f64::consts::{PI, SQRT_2};

/// The probability that an F variable of `df1` and `df2` degrees of freedom exceeds `f`.
pub fn f_exceeds(f: f64, df1: f64, df2: f64) -> f64 {
    if f <= 0.0 {
        return 1.0;
    }
    let (x, y) = beta_coordinates(f, df1, df2);
    beta_tails(df1 / 2.0, df2 / 2.0, x, y).1
}

/// The value that an F variable exceeds with `probability`, strictly between 0 and 1.
///
/// Newton's steps in ln F, kept within a shrinking bracket.
pub fn f_exceeded_with(probability: f64, df1: f64, df2: f64) -> f64 {
    let exceeds = |ln_f: f64| f_exceeds(ln_f.exp(), df1, df2);
    let (mut low, mut high) = (-1.0, 1.0);
    while exceeds(low) < probability && low > -700.0 {
        low *= 2.0;
    }
    while exceeds(high) > probability && high < 700.0 {
        high *= 2.0;
    }
    let mut ln_f = 0.0;
    for _ in 0..200 {
        let excess = exceeds(ln_f) - probability;
        if excess > 0.0 {
            low = ln_f;
        } else {
            high = ln_f;
        }
        let (x, y) = beta_coordinates(ln_f.exp(), df1, df2);
        // d(probability) / d(ln F) is minus the kernel.
        let newton = ln_f + excess / beta_kernel(df1 / 2.0, df2 / 2.0, x, y);
        let next = if newton > low && newton < high {
            newton
        } else {
            (low + high) / 2.0
        };
        let step = (next - ln_f).abs();
        ln_f = next;
        if step <= f64::EPSILON * ln_f.abs().max(1e-3) {
            break;
        }
    }
    ln_f.exp()
}

/// The value that a t variable of `df` degrees of freedom exceeds with `probability`, below a half.
pub(crate) fn t_exceeded_with(probability: f64, df: f64) -> f64 {
    f_exceeded_with(2.0 * probability, 1.0, df).sqrt()
}

/// The value that a beta(a, b) variable stays below with `probability`, strictly between 0 and 1.
pub(crate) fn beta_quantile(probability: f64, a: f64, b: f64) -> f64 {
    let f = f_exceeded_with(1.0 - probability, 2.0 * a, 2.0 * b);
    beta_coordinates(f, 2.0 * a, 2.0 * b).0
}

/// x = df1·f / (df1·f + df2), which is beta distributed, and 1 − x.
fn beta_coordinates(f: f64, df1: f64, df2: f64) -> (f64, f64) {
    let ratio = df1 * f / df2;
    if ratio.is_infinite() {
        return (1.0, 0.0);
    }
    (ratio / (1.0 + ratio), 1.0 / (1.0 + ratio))
}

/// The probability that a t variable of `df` degrees of freedom is further from 0 than `t`.
pub fn t_two_sided(t: f64, df: f64) -> f64 {
    f_exceeds(t * t, 1.0, df)
}

/// The probability that a t variable of `df` degrees of freedom is at least `t`: the p value of a one-sided test.
///
/// - Reference: `scipy.stats.t.sf(t, df)` 1.17.1, to 1e-12.
///
/// ```
/// assert!((neurogauge_stats::student_exceeds(2.0, 4.0) - 0.058058).abs() < 1e-6);
/// ```
pub fn student_exceeds(t: f64, df: f64) -> f64 {
    let beyond = t_two_sided(t, df) / 2.0;
    if t < 0.0 { 1.0 - beyond } else { beyond }
}

/// The smallest number of standard errors that the interval of a mean of `n` values extends to each side: Student's
/// quantile with n − 1 degrees of freedom, which tends to the normal one (1.96 at 95%) as n grows. Infinite below two
/// values.
///
/// - Reference: `scipy.stats.t.ppf((1 + level) / 2, n - 1)` 1.17.1, to 1e-9.
///
/// ```
/// let reach = neurogauge_stats::student_reach(6, 0.95);
/// assert!((reach - 2.5706).abs() < 1e-4);
/// ```
pub fn student_reach(n: usize, level: f64) -> f64 {
    student_reach_of(n.saturating_sub(1) as f64, level)
}

/// The counterpart of `t_reach` for `df` degrees of freedom, which need not be whole. Infinite for 0 or fewer.
///
/// - Reference: `scipy.stats.t.ppf((1 + level) / 2, df)` 1.17.1, to 1e-9.
///
/// ```
/// let reach = neurogauge_stats::student_reach_of(2.5, 0.95);
/// assert!((reach - 3.5746).abs() < 1e-4);
/// ```
pub fn student_reach_of(df: f64, level: f64) -> f64 {
    match df > 0.0 {
        true => t_exceeded_with((1.0 - level) / 2.0, df),
        false => f64::INFINITY,
    }
}

/// The probability that a standard normal variable is at most `z`.
pub fn normal_cdf(z: f64) -> f64 {
    0.5 * libm::erfc(-z / SQRT_2)
}

/// The value that a standard normal variable stays below with `probability`; infinite at 0 and 1.
pub fn normal_quantile(probability: f64) -> f64 {
    if probability > 0.5 {
        return -normal_quantile(1.0 - probability);
    }
    if probability <= 0.0 {
        return f64::NEG_INFINITY;
    }
    // Accurate to 5e-4 (Abramowitz and Stegun 26.2.23); then Halley's steps cube the error.
    let t = (-2.0 * probability.ln()).sqrt();
    let over = 2.515517 + t * (0.802853 + t * 0.010328);
    let under = 1.0 + t * (1.432788 + t * (0.189269 + t * 0.001308));
    let mut z = over / under - t;
    for _ in 0..3 {
        let density = (-z * z / 2.0).exp() / (2.0 * PI).sqrt();
        let error = (normal_cdf(z) - probability) / density;
        z -= error / (1.0 + z * error / 2.0);
    }
    z
}
