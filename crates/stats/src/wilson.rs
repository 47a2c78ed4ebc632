//! The interval of a share.

use crate::StatsError;
use crate::distributions::normal_quantile;

/// Wilson's score interval (1927) for the share of successes: the shares p that a normal test of the observed count
/// does not reject, (x/n + z²/2n ± z·√(x(n − x)/n³ + z²/4n²)) / (1 + z²/n), with z the normal quantile of (1 +
/// `level`)/2.
///
/// Counts are discrete, so no interval has exactly its nominal coverage for every share. This one has it on average
/// over shares (Brown, Cai and DasGupta, 2001), whereas the bootstrap and Student's t fail for shares near 0 and 1.
///
/// - Shapes: `ones` successes among `n` trials.
/// - Range: within 0 to 1.
/// - Undefined: nothing.
/// - Errors: no trial, or more successes than trials.
/// - Reference: `scipy.stats.binomtest(ones, n).proportion_ci(level, method="wilson")` 1.17.1, to 1e-12.
///
/// ```
/// use neurogauge_stats::wilson_interval;
/// let (low, high) = wilson_interval(9, 10, 0.95).unwrap();
/// assert!((low - 0.5958).abs() < 1e-4 && (high - 0.9821).abs() < 1e-4);
/// ```
pub fn wilson_interval(ones: usize, n: usize, level: f64) -> Result<(f64, f64), StatsError> {
    if n == 0 || ones > n {
        let expected = "at least one trial, and no more ones than trials";
        return Err(StatsError::option("number of ones", format!("{ones} of {n}"), expected));
    }
    Ok(score_interval(ones as f64 / n as f64, n as f64, normal_quantile((1.0 + level) / 2.0)))
}

/// Wilson's interval for a share of `n` trials, which need not be a whole number; `z` is the number of standard errors
/// to each side.
pub(crate) fn score_interval(share: f64, n: f64, z: f64) -> (f64, f64) {
    let scale = 1.0 + z * z / n;
    let centre = (share + z * z / (2.0 * n)) / scale;
    let reach = z * (share * (1.0 - share) / n + z * z / (4.0 * n * n)).sqrt() / scale;
    ((centre - reach).max(0.0), (centre + reach).min(1.0))
}
