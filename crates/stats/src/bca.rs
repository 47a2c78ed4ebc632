//! Bootstrap intervals corrected for bias and skewness.

use crate::StatsError;
use crate::distributions::{normal_cdf, normal_quantile};
use crate::error::{check_finite, check_level};
use crate::replicates::Replicates;
use crate::summation::sum;

/// The bias-corrected and accelerated (BCa) interval of Efron (1987) for an estimate.
///
/// A percentile interval between other percentiles, α = Φ(z₀ + (z₀ ± z)/(1 − a(z₀ ± z))): z₀ is the
/// normal quantile of the share of replicates below the estimate (half of those equal to it
/// included), and a = ΣU³ / (6·(ΣU²)^1.5) the skewness of the jackknife deviations
/// U_i = (n − 1)(θ̄ − θ_i).
///
/// - Shapes: the `estimate`, its bootstrap `replicates`, and its `jackknife` values: the estimate
///   with each of the `n` units left out once (raters, if raters were resampled).
/// - Returns `None` if the correction is undefined: no replicates, all replicates on one side of the estimate, or equal
///   jackknife values.
/// - Errors: a `level` outside 0 to 1, a replicate or jackknife value that is not finite.
/// - Reference: `scipy.stats.bootstrap` 1.17.1 (`method="BCa"`) on the same replicates, to 1e-12.
///
/// ```
/// use neurogauge_stats::bca_interval;
/// // Symmetric in every way: nothing is corrected, and the percentiles are 25 and 75.
/// let replicates: Vec<f64> = (0..=100).map(f64::from).collect();
/// let (low, high) = bca_interval(50.0, &replicates, &[49.0, 50.0, 51.0], 0.5).unwrap().unwrap();
/// assert!((low - 25.0).abs() < 1e-9 && (high - 75.0).abs() < 1e-9);
/// ```
pub fn bca_interval(
    estimate: f64,
    replicates: &[f64],
    jackknife: &[f64],
    level: f64,
) -> Result<Option<(f64, f64)>, StatsError> {
    check_finite(replicates)?;
    let replicates = Replicates::of(replicates.to_vec());
    let shares = bca_shares(estimate, &replicates, jackknife, level)?;
    Ok(shares.map(|(low, high)| (replicates.quantile(low), replicates.quantile(high))))
}

/// The quantiles of the replicates at which the interval ends. Errors are those of [`bca_interval`], except that
/// replicates are known to be finite.
pub(crate) fn bca_shares(
    estimate: f64,
    replicates: &Replicates,
    jackknife: &[f64],
    level: f64,
) -> Result<Option<(f64, f64)>, StatsError> {
    check_level(level)?;
    check_finite(&[estimate])?;
    check_finite(jackknife)?;
    let Some(acceleration) = acceleration(jackknife) else {
        return Ok(None);
    };
    let (below, up_to) = replicates.n_below_and_up_to(estimate);
    let bias = normal_quantile((below + up_to) as f64 / (2 * replicates.len()) as f64);
    if !bias.is_finite() {
        return Ok(None);
    }
    let z = normal_quantile((1.0 - level) / 2.0);
    let end = |z: f64| {
        let shifted = bias + z;
        normal_cdf(bias + shifted / (1.0 - acceleration * shifted))
    };
    Ok(Some((end(z), end(-z))))
}

fn acceleration(jackknife: &[f64]) -> Option<f64> {
    let first = jackknife.first()?;
    if jackknife.iter().all(|value| value == first) {
        return None;
    }
    let mean = sum(jackknife) / jackknife.len() as f64;
    let power = |exponent: i32| {
        let powers: Vec<f64> = jackknife.iter().map(|value| (mean - value).powi(exponent)).collect();
        sum(&powers)
    };
    // The factor n − 1 of the deviations cancels.
    let acceleration = power(3) / (6.0 * power(2).powf(1.5));
    acceleration.is_finite().then_some(acceleration)
}
