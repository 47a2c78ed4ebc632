//! Means over pairs, with bootstrap intervals.

use crate::columns::check_columns;
use crate::mean_of_means::MeanOfMeans;
use crate::{BootstrapOptions, MeanInterval, StatsError, wilson_interval};
use neurogauge_core::{Estimate, Outcome, Undefined};

/// The mean of the column means, each over the pairs that have a value in it, with a bootstrap interval over pairs.
///
/// One column gives a plain mean. SEED has three, and is the mean of the means of its parts.
///
/// - Shapes: `columns` holds one or more columns of `n_pairs` outcomes, all in the same order of
///   pairs.
/// - Interval: pairs are drawn with replacement, jointly over the columns, as many as there are. [`MeanInterval`]
///   describes the interval from the resamples. Resample `r` draws from stream `r` of the seed, so two metrics over
///   equally many pairs see the same resamples.
/// - Standard errors (studentised) come from the pairs' contributions ψ_i = mean over columns of w_i·(v_i − m)·n/Σw,
///   where w_i is 1 for a pair with a value and 0 for one without, and m the column's mean: se² = Σψ²·k / (n²·(k − 1)),
///   where k is the smallest number of values in a column. For one column that is s²/k. Below six pairs with values
///   there are too few different resamples, and Student's quantile with n − 1 degrees of freedom is used instead.
/// - Pairs without a value stay in the pool: whether a pair has a value is a property of that pair like any other, so
///   the number of values varies from resample to resample as it would from experiment to experiment. A resample in
///   which a column has no value at all has no estimate and is left out of the quantiles; with two values in a column
///   that is at most 13.5 % (e⁻²) of the resamples, and with ten less than 0.005 %. A resample without spread is left
///   out too, because t* has no value there.
/// - `n` counts the pairs that have a value in every column, `n_undefined` all others.
/// - Undefined: `NoPairs` if a column has no value. The interval is `None` if `n` is below 2 or all values are equal:
///   the spread is unknown. With several columns, a mean of means can come from pairs that are never complete; then
///   there is a value, `n` is 0 and there is no interval.
/// - Errors: no column, columns of different lengths, a value that is not finite, an option out of its range, more than
///   2³² pairs.
/// - Reference: NumPy on the same draws, to 1e-12.
///
/// ```
/// use neurogauge_core::{Side, Undefined};
/// use neurogauge_stats::{BootstrapOptions, estimate};
/// let scores = [Ok(0.2), Ok(0.4), Err(Undefined::Constant(Side::Recon)), Ok(0.9)];
/// let estimate = estimate(&[&scores], &BootstrapOptions::default()).unwrap();
/// assert_eq!(estimate.value, Ok(0.5));
/// assert_eq!((estimate.n, estimate.n_undefined), (3, 1));
/// // Three values say little: Student's quantile with two degrees of freedom, times the standard error.
/// let (low, high) = estimate.interval.unwrap();
/// assert!((low + 0.3957).abs() < 1e-4 && (high - 1.3957).abs() < 1e-4);
/// ```
pub fn estimate(columns: &[&[Outcome]], options: &BootstrapOptions) -> Result<Estimate, StatsError> {
    options.check()?;
    let Some(first) = columns.first() else {
        return Err(StatsError::no_columns());
    };
    let n_pairs = first.len();
    check_columns(0, columns, n_pairs)?;
    let mean = MeanOfMeans::of(columns);
    let n = mean.n_complete();
    Ok(Estimate {
        value: mean.value().ok_or(Undefined::NoPairs),
        interval: mean.interval(options)?,
        n,
        n_undefined: n_pairs - n,
    })
}

/// The skewness of the pairs' contributions to a mean of column means, if it is so strong that the interval of
/// [`estimate()`] misses more often than its level allows: [`strong_skewness`](crate::strong_skewness). `None` also for
/// a share, whose interval is Wilson's.
///
/// - Shapes and errors: as [`estimate()`], except that columns are not checked again.
///
/// ```
/// use neurogauge_stats::skewness_of_mean;
/// let mut column = vec![Ok(0.1), Ok(0.2), Ok(0.15), Ok(0.12), Ok(0.11), Ok(0.2), Ok(0.1)];
/// assert_eq!(skewness_of_mean(&[&column]), None);
/// column.push(Ok(3.0));
/// assert!(skewness_of_mean(&[&column]).unwrap() > 2.2);
/// ```
pub fn skewness_of_mean(columns: &[&[Outcome]]) -> Option<f64> {
    MeanOfMeans::of(columns).strong_skewness()
}

/// [`estimate()`] of one metric whose values are in `range`: the interval is clipped to the range, and a metric between
/// 0 and 1 has an interval even if every pair scores 0, or every pair scores 1.
///
/// Such a sample has no spread from which to compute an interval. But if all values are within 0 to 1, a mean below p
/// needs a share of at least 1 − p of pairs that do not score 1, whatever their values; so the interval of a share,
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
