//! The interval of a share.

use crate::distributions::normal_quantile;
use crate::{BootstrapOptions, MeanInterval, StatsError, estimate};
use neurogauge_core::{Estimate, Outcome};

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
/// - Errors: [`StatsError::InvalidOption`] for no trial, or more successes than trials.
/// - Reference: `scipy.stats.binomtest(ones, n).proportion_ci(level, method="wilson")` 1.17.1, to 1e-12.
///
/// ```
/// use neurogauge_stats::wilson_interval;
/// let (low, high) = wilson_interval(9, 10, 0.95).unwrap();
/// assert!((low - 0.5958).abs() < 1e-4 && (high - 0.9821).abs() < 1e-4);
/// ```
pub fn wilson_interval(ones: usize, n: usize, level: f64) -> Result<(f64, f64), StatsError> {
    if n == 0 || ones > n {
        return Err(StatsError::InvalidOption {
            option: "number of ones",
            found: format!("{ones} of {n}"),
            expected: "at least one trial, and no more ones than trials",
        });
    }
    let z = normal_quantile((1.0 + level) / 2.0);
    Ok(score_interval(ones as f64 / n as f64, n as f64, z))
}

/// Wilson's interval of a share of `n` trials that need not be a whole number, `z` standard errors to each side.
pub(crate) fn score_interval(share: f64, n: f64, z: f64) -> (f64, f64) {
    let scale = 1.0 + z * z / n;
    let centre = (share + z * z / (2.0 * n)) / scale;
    let reach = z * (share * (1.0 - share) / n + z * z / (4.0 * n * n)).sqrt() / scale;
    ((centre - reach).max(0.0), (centre + reach).min(1.0))
}

/// [`estimate()`] of one metric whose values are in `range`: the interval is clipped to the range, and a metric between
/// 0 and 1 has an interval even if every pair scores 0, or every pair scores 1.
///
/// Such a sample has no spread to compute an interval from. But if all values are within 0 to 1, a mean below p needs
/// at least a share 1 − p of pairs that do not score 1, regardless of their values; so the interval of a share,
/// [`wilson_interval`], is valid for any such metric.
///
/// - Shapes: as [`estimate()`].
/// - Range: `range`.
/// - Undefined: as [`estimate()`]; such an interval needs at least two pairs, one column and
///   [`MeanInterval::Studentized`].
/// - Errors: as [`estimate()`].
/// - Reference: `scipy.stats.binomtest(10, 10).proportion_ci(method="wilson")`.
///
/// ```
/// use neurogauge_stats::estimate_within;
/// let found = estimate_within(&[&vec![Ok(1.0); 10]], (0.0, 1.0), &Default::default()).unwrap();
/// assert_eq!(found.value, Ok(1.0));
/// assert!((found.interval.unwrap().0 - 0.7225).abs() < 1e-4);
/// ```
pub fn estimate_within(
    columns: &[&[Outcome]],
    range: (f64, f64),
    options: &BootstrapOptions,
) -> Result<Estimate, StatsError> {
    let found = estimate(columns, options)?;
    match columns.len() {
        1 => bounded(found, range, options),
        _ => Ok(found.within(range)),
    }
}

/// The estimate of a column of values, with an interval as in [`estimate_within`].
///
/// - Errors: only those of [`wilson_interval`], which cannot occur.
pub fn bounded(found: Estimate, range: (f64, f64), options: &BootstrapOptions) -> Result<Estimate, StatsError> {
    let found = found.within(range);
    let is_share = range == (0.0, 1.0) && options.interval == MeanInterval::Studentized;
    let ones = match found.value {
        Ok(1.0) => found.n,
        Ok(0.0) => 0,
        _ => return Ok(found),
    };
    if !is_share || found.interval.is_some() || found.n < 2 {
        return Ok(found);
    }
    Ok(Estimate {
        interval: Some(wilson_interval(ones, found.n, options.level)?),
        ..found
    })
}
