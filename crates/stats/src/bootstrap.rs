//! Means over pairs, with bootstrap intervals.

use crate::StatsError;
use crate::columns::check_columns;
use crate::quantile::quantile_of_sorted;
use crate::resample::{resample, sum_at};
use crate::summation::sum;

use neurogauge_core::{Estimate, Outcome, Seed, Undefined};
use serde::{Deserialize, Serialize};

/// How intervals are made.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct BootstrapOptions {
    /// Number of resamples.
    pub resamples: usize,
    /// Share of the resamples that lies within the interval.
    pub level: f64,
    /// Seed of the draws.
    pub seed: Seed,
}

impl Default for BootstrapOptions {
    fn default() -> Self {
        BootstrapOptions {
            resamples: 2000,
            level: 0.95,
            seed: Seed::default(),
        }
    }
}

impl BootstrapOptions {
    /// An error that names the option which is out of range, if one is.
    pub fn check(&self) -> Result<(), StatsError> {
        if self.resamples == 0 {
            return Err(StatsError::InvalidOption {
                option: "resamples",
                found: self.resamples.to_string(),
                expected: "at least 1",
            });
        }
        if !(self.level > 0.0 && self.level < 1.0) {
            return Err(StatsError::InvalidOption {
                option: "level",
                found: self.level.to_string(),
                expected: "a number between 0 and 1, exclusive",
            });
        }
        Ok(())
    }

    /// The two probabilities between which the interval lies.
    pub(crate) fn tails(&self) -> (f64, f64) {
        let tail = (1.0 - self.level) / 2.0;
        (tail, 1.0 - tail)
    }

    /// Percentile interval of replicates; `None` if there are none.
    pub(crate) fn percentile_interval(&self, mut replicates: Vec<f64>) -> Option<(f64, f64)> {
        if replicates.is_empty() {
            return None;
        }
        replicates.sort_unstable_by(f64::total_cmp);
        let (low, high) = self.tails();
        Some((
            quantile_of_sorted(&replicates, low),
            quantile_of_sorted(&replicates, high),
        ))
    }
}

/// The mean of the column means, each over the pairs that have a value in it, with a percentile
/// bootstrap interval over pairs.
///
/// One column gives a plain mean. SEED has three, and is the mean of the means of its parts.
///
/// - Shapes: `columns` holds one or more columns of `n_pairs` outcomes, all in the same order of
///   pairs.
/// - Interval: pairs are drawn with replacement, jointly over the columns, as many as there are;
///   the ends are the (1 − level)/2 and (1 + level)/2 quantiles of the estimates of the resamples
///   (linear interpolation). Resample `r` draws from stream `r` of the seed, so two metrics over as
///   many pairs see the same resamples.
/// - Pairs without a value stay in the pool: whether a pair has a value is a property of that pair
///   like any other, so the number of values varies from resample to resample as it would from
///   experiment to experiment. A resample in which a column has no value at all has no estimate and
///   is left out of the quantiles; with two values in a column that is at most 13.5 % (e⁻²) of the
///   resamples, and with ten less than 0.005 %.
/// - `n` counts the pairs that have a value in every column, `n_undefined` all others.
/// - Undefined: `NoPairs` where a column has no value. The interval is `None` where `n` is below 2:
///   nothing can be said about spread. With several columns a mean of means can rest on pairs that
///   are never complete; then there is a value, `n` is 0 and there is no interval.
/// - Errors: [`StatsError::NoColumns`], [`StatsError::ColumnLength`],
///   [`StatsError::NonFiniteOutcome`], [`StatsError::InvalidOption`], [`StatsError::TooManyPairs`].
/// - Reference: NumPy on the same draws, to 1e-12.
///
/// ```
/// use neurogauge_core::{Side, Undefined};
/// use neurogauge_stats::{BootstrapOptions, estimate};
/// let scores = [Ok(0.2), Ok(0.4), Err(Undefined::Constant(Side::Recon)), Ok(0.9)];
/// let estimate = estimate(&[&scores], &BootstrapOptions::default()).unwrap();
/// assert_eq!(estimate.value, Ok(0.5));
/// assert_eq!((estimate.n, estimate.n_undefined), (3, 1));
/// let (low, high) = estimate.interval.unwrap();
/// assert!(0.2 <= low && low < 0.5 && 0.5 < high && high <= 0.9);
/// ```
pub fn estimate(
    columns: &[&[Outcome]],
    options: &BootstrapOptions,
) -> Result<Estimate, StatsError> {
    options.check()?;
    let Some(first) = columns.first() else {
        return Err(StatsError::NoColumns);
    };
    let n_pairs = first.len();
    check_columns(0, columns, n_pairs)?;
    let n = (0..n_pairs)
        .filter(|&pair| columns.iter().all(|column| column[pair].is_ok()))
        .count();
    let columns: Vec<Column> = columns.iter().map(|column| Column::of(column)).collect();
    let value = mean_of_means(columns.iter().map(Column::mean)).ok_or(Undefined::NoPairs);
    let interval = if n < 2 {
        None
    } else {
        let replicates = resample(n_pairs, options, |drawn| {
            mean_of_means(columns.iter().map(|column| column.mean_at(drawn)))
        })?;
        options.percentile_interval(replicates.into_iter().flatten().collect())
    };
    Ok(Estimate {
        value,
        interval,
        n,
        n_undefined: n_pairs - n,
    })
}

/// `None` if one of the means is missing.
fn mean_of_means(means: impl ExactSizeIterator<Item = Option<f64>>) -> Option<f64> {
    let n = means.len() as f64;
    means.sum::<Option<f64>>().map(|total| total / n)
}

/// Outcomes laid out for summing: a pair without a value adds nothing and counts for nothing.
struct Column {
    values: Vec<f64>,
    /// 1 for a pair with a value, 0 for one without; empty if every pair has one.
    weights: Vec<f64>,
}

impl Column {
    fn of(outcomes: &[Outcome]) -> Self {
        let values = outcomes
            .iter()
            .map(|o| *o.as_ref().unwrap_or(&0.0))
            .collect();
        let weights = if outcomes.iter().all(Result::is_ok) {
            Vec::new()
        } else {
            outcomes.iter().map(|o| f64::from(o.is_ok())).collect()
        };
        Column { values, weights }
    }

    fn mean(&self) -> Option<f64> {
        let n = if self.weights.is_empty() {
            self.values.len() as f64
        } else {
            sum(&self.weights)
        };
        (n > 0.0).then(|| sum(&self.values) / n)
    }

    fn mean_at(&self, drawn: &[u32]) -> Option<f64> {
        let n = if self.weights.is_empty() {
            drawn.len() as f64
        } else {
            sum_at(&self.weights, drawn)
        };
        (n > 0.0).then(|| sum_at(&self.values, drawn) / n)
    }
}
