//! The studentised bootstrap test of the mean of paired differences, which need not be distributed symmetrically.

use crate::distributions::{t_exceeded_with, t_two_sided};
use crate::mean_of_means::{FEWEST_RESAMPLED, MeanOfMeans};
use crate::resample::resample;
use crate::{BootstrapOptions, StatsError, TestedMean};

/// The two-sided studentised bootstrap (bootstrap-t) test of a mean of zero, and the interval of the means that it does
/// not reject (Efron and Tibshirani, 1993, section 12.5; Hall, 1988).
///
/// With t = d̄ / se and, for R resamples with replacement, t*_r = (d̄_r − d̄) / se_r, p is the larger of min(1, 2 (1 +
/// min(#{t* ≥ t},
/// #{t* ≤ t})) / (R + 1)) and that of Student's t test, because resamples of few distinct values carry little information about the
/// tails. The interval is d̄ − se · max(k-th largest t*, q) to d̄ − se · min(k-th smallest t*, −q), where q is
/// Student's quantile and k is the smallest number of resamples with which p is above 1 − `level`.
///
/// The sign-flip test assumes that differences are symmetric about their mean. Dividing its sum by its standard error
/// would not help: flips do not change squares, so |t| = |d̄| / √((Σd²/n − d̄²) / (n − 1)) rises with |d̄| and has the
/// same p. This test does not assume symmetry: resamples are as skewed as the differences, so the interval is longer
/// towards the long tail.
///
/// - Shapes: `n` differences, one for each pair.
/// - Below six pairs, only Student's t test is used. Resamples without spread have no t* and are left out.
/// - Range of p: 2 / (R + 1) to 1.
/// - Undefined: `None` for fewer than two differences, and if all are equal and not 0 (if all are 0, p is 1, without an
///   interval). No interval if R < 2 / (1 − `level`).
/// - Conventions: `paired-test`.
/// - Errors: an option out of its range, more than 2³² pairs.
/// - Reference: NumPy on the same draws and `scipy.stats.t`, to 1e-9.
///
/// ```
/// use neurogauge_stats::{BootstrapOptions, studentized_test};
/// let found = studentized_test(&[0.1, 0.2, 0.1, 0.4], &BootstrapOptions::default()).unwrap().unwrap();
/// // t = 0.2 / 0.0707 with 3 degrees of freedom.
/// assert!((found.p_value - 0.0663).abs() < 1e-4);
/// assert!((found.interval.unwrap().0 + 0.0250).abs() < 1e-4);
/// ```
pub fn studentized_test(differences: &[f64], options: &BootstrapOptions) -> Result<Option<TestedMean>, StatsError> {
    options.check()?;
    let n = differences.len();
    let mean = MeanOfMeans::of_differences(differences.to_vec());
    let Some(found) = mean.found() else {
        let all_zero = n >= 2 && differences.iter().all(|&d| d == 0.0);
        return Ok(all_zero.then_some(TestedMean {
            p_value: 1.0,
            interval: None,
        }));
    };
    let (df, alpha) = (n as f64 - 1.0, 1.0 - options.level);
    let t = found.mean / found.standard_error;
    let mut p_value = t_two_sided(t, df);
    let student = t_exceeded_with(alpha / 2.0, df);
    let (mut least, mut most) = (-student, student);
    if n >= FEWEST_RESAMPLED {
        let mut ts: Vec<f64> = resample(n, options, |drawn| mean.t_at(found, drawn))?.into_iter().flatten().collect();
        ts.sort_unstable_by(f64::total_cmp);
        let p_of = |n_beyond: usize| 2.0 * (1.0 + n_beyond as f64) / (1.0 + ts.len() as f64);
        let n_above = ts.len() - ts.partition_point(|&own| own < t);
        let n_below = ts.partition_point(|&own| own <= t);
        p_value = p_value.max(p_of(n_above.min(n_below)).min(1.0));
        let Some(place) = (0..=ts.len()).find(|&n_beyond| p_of(n_beyond) > alpha).unwrap_or(0).checked_sub(1) else {
            return Ok(Some(TestedMean {
                p_value,
                interval: None,
            }));
        };
        least = least.min(ts[place]);
        most = most.max(ts[ts.len() - 1 - place]);
    }
    let end = |t: f64| found.mean - t * found.standard_error;
    let (low, high) = (end(most), end(least));
    // If p equals the level, rounding must not exclude a mean that is not rejected.
    let interval = match p_value > alpha {
        true => (low.min(0.0), high.max(0.0)),
        false => (low, high),
    };
    Ok(Some(TestedMean {
        p_value,
        interval: Some(interval),
    }))
}
