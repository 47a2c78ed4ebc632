//! Williams' test of whether two metrics correlate equally well with the same human scores.

use crate::StatsError;
use crate::distributions::t_two_sided;
use neurogauge_core::Undefined;
use serde::{Deserialize, Serialize};

/// The result of [`williams_test`].
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Williams {
    /// Positive if the first metric correlates more highly.
    pub t: f64,
    /// Degrees of freedom, n − 3.
    pub df: f64,
    /// Two-sided p value; half of it is the one-sided p value in the direction of `t`.
    pub p_value: f64,
}

/// Williams' (1959) test of two dependent correlations that share a variable,
/// t = (r₁ − r₂)·√((n − 1)(1 + r₁₂)) / √(2K(n − 1)/(n − 3) + r̄²(1 − r₁₂)³),
/// with K = 1 − r₁² − r₂² − r₁₂² + 2·r₁·r₂·r₁₂ and r̄ = (r₁ + r₂)/2.
///
/// - Shapes: `r1` and `r2` are the Pearson correlations of two metrics with people, `r12` the correlation of the two
///   metrics, all over the same `n` items.
/// - If there is no difference, t has Student's distribution with n − 3 degrees of freedom.
/// - Undefined: fewer than four items (`NoPairs`); metrics so alike that t has no denominator
///   (`Identical`).
/// - Errors: a correlation that is NaN or outside -1 to 1.
/// - Reference: `WilliamsTest` of mt-metrics-eval (one-sided there), with SciPy 1.17.1, to 1e-12.
///
/// ```
/// use neurogauge_stats::williams_test;
/// let test = williams_test(0.6, 0.4, 0.3, 103).unwrap().unwrap();
/// assert_eq!(test.df, 100.0);
/// assert!((test.t - 2.1245281833).abs() < 1e-9);
/// assert!((test.p_value - 0.0360913).abs() < 1e-6);
/// ```
pub fn williams_test(r1: f64, r2: f64, r12: f64, n: usize) -> Result<Result<Williams, Undefined>, StatsError> {
    for (option, r) in [("r1", r1), ("r2", r2), ("r12", r12)] {
        if !(-1.0..=1.0).contains(&r) {
            return Err(StatsError::option(option, r, "a correlation, from -1 to 1"));
        }
    }
    if n < 4 {
        return Ok(Err(Undefined::NoPairs));
    }
    let df = n as f64 - 3.0;
    let free = n as f64 - 1.0;
    // Except for rounding, a determinant of correlations is not negative.
    let determinant = (1.0 - r1 * r1 - r2 * r2 - r12 * r12 + 2.0 * r1 * r12 * r2).max(0.0);
    let mean = (r1 + r2) / 2.0;
    let far = 1.0 - r12;
    let variance = 2.0 * free / df * determinant + mean * mean * (far * far * far);
    if variance <= 0.0 {
        return Ok(Err(Undefined::Identical));
    }
    let t = (r1 - r2) * (free * (1.0 + r12)).sqrt() / variance.sqrt();
    Ok(Ok(Williams {
        t,
        df,
        p_value: t_two_sided(t, df),
    }))
}
