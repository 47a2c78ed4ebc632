//! Means over pairs, with bootstrap intervals.

use crate::StatsError;
use crate::columns::check_columns;
use crate::distributions::t_exceeded_with;
use crate::mean_of_means::MeanOfMeans;
use crate::quantile::quantile_of_sorted;

use neurogauge_core::{Estimate, Outcome, Seed, Undefined};
use serde::ser::SerializeStruct;
use serde::{Deserialize, Serialize, Serializer};
use std::str::FromStr;

/// How the interval of a mean is computed from its resamples (convention `interval`).
///
/// For how often each covers the true mean, by distribution and number of pairs, see
/// `docs/pages/project/calibration.md`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum MeanInterval {
    /// The mean plus and minus q standard errors, where q is the `level` quantile of |t*|, and t* is the distance of a
    /// resample's mean from the mean in the resample's own standard errors (Hall, 1988); but q is at least Student's
    /// quantile with n − 1 degrees of freedom, because resamples of few distinct values often have no spread and then
    /// give no information. A column of zeros and ones, whose mean is a share, has
    /// [`wilson_interval`](crate::wilson_interval) instead.
    #[default]
    Studentized,
    /// [`bca_interval`](crate::bca_interval), with the jackknife over pairs. Too narrow below about thirty pairs.
    Bca,
    /// Between two percentiles of the resamples' means. Too narrow below about thirty pairs. The only method up to
    /// version 0.1.
    Percentile,
}

impl MeanInterval {
    /// All methods, the default first.
    pub const ALL: [MeanInterval; 3] = [MeanInterval::Studentized, MeanInterval::Bca, MeanInterval::Percentile];

    /// Its name in options and records.
    pub fn id(self) -> &'static str {
        match self {
            MeanInterval::Studentized => "studentized",
            MeanInterval::Bca => "bca",
            MeanInterval::Percentile => "percentile",
        }
    }

    /// Its name in sentences.
    pub fn label(self) -> &'static str {
        match self {
            MeanInterval::Studentized => "studentised bootstrap",
            MeanInterval::Bca => "BCa bootstrap",
            MeanInterval::Percentile => "percentile bootstrap",
        }
    }
}

impl FromStr for MeanInterval {
    type Err = StatsError;

    fn from_str(id: &str) -> Result<Self, StatsError> {
        let found = MeanInterval::ALL.into_iter().find(|way| way.id() == id);
        found.ok_or_else(|| StatsError::InvalidOption {
            option: "interval",
            found: id.to_owned(),
            expected: "studentized, bca or percentile",
        })
    }
}

/// The most resamples: more would run for days and fill the memory.
pub const MAX_RESAMPLES: usize = 10_000_000;

/// How intervals are computed.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct BootstrapOptions {
    pub resamples: usize,
    /// The nominal coverage of the interval.
    pub level: f64,
    pub seed: Seed,
    /// The method for intervals of means.
    pub interval: MeanInterval,
}

impl Default for BootstrapOptions {
    fn default() -> Self {
        BootstrapOptions {
            resamples: 2000,
            level: 0.95,
            seed: Seed::default(),
            interval: MeanInterval::default(),
        }
    }
}

impl BootstrapOptions {
    /// An error that names the first option out of range, if any.
    pub fn check(&self) -> Result<(), StatsError> {
        if !(1..=MAX_RESAMPLES).contains(&self.resamples) {
            return Err(StatsError::InvalidOption {
                option: "resamples",
                found: self.resamples.to_string(),
                expected: "a whole number from 1 to 10000000",
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

    /// Serialises the options without the method for intervals of means.
    pub(crate) fn without_interval<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        let mut fields = to.serialize_struct("BootstrapOptions", 3)?;
        fields.serialize_field("resamples", &self.resamples)?;
        fields.serialize_field("level", &self.level)?;
        fields.serialize_field("seed", &self.seed)?;
        fields.end()
    }

    /// The two tail probabilities that bound the interval.
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
        Some((quantile_of_sorted(&replicates, low), quantile_of_sorted(&replicates, high)))
    }
}

/// The mean of the column means, each over the pairs that have a value in it, with a bootstrap interval over pairs.
///
/// One column gives a plain mean. SEED has three, and is the mean of the means of its parts.
///
/// - Shapes: `columns` holds one or more columns of `n_pairs` outcomes, all in the same order of
///   pairs.
/// - Interval: pairs are drawn with replacement, jointly over the columns, as many as there are. [`MeanInterval`]
///   describes the interval from the resamples. Resample `r` draws from stream `r` of the seed, so two metrics over
///   equally many pairs see the same resamples.
/// - Standard errors (studentised): of the pairs' contributions ψ_i = mean over columns of w_i·(v_i − m)·n/Σw, where
///   w_i is 1 for a pair with a value and 0 for one without, and m the column's mean: se² = Σψ²·k / (n²·(k − 1)), where
///   k is the smallest number of values in a column. For one column that is s²/k. Below six pairs with values there are
///   too few different resamples, and Student's quantile with n − 1 degrees of freedom is used instead.
/// - Pairs without a value stay in the pool: whether a pair has a value is a property of that pair
///   like any other, so the number of values varies from resample to resample as it would from
///   experiment to experiment. A resample in which a column has no value at all has no estimate and
///   is left out of the quantiles; with two values in a column that is at most 13.5 % (e⁻²) of the
///   resamples, and with ten less than 0.005 %. So is one without spread, where t* has no value.
/// - `n` counts the pairs that have a value in every column, `n_undefined` all others.
/// - Undefined: `NoPairs` if a column has no value. The interval is `None` if `n` is below 2 or all values are equal:
///   the spread is unknown. With several columns, a mean of means can come from pairs that are never complete; then
///   there is a value, `n` is 0 and there is no interval.
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
/// // Three values say little: Student's quantile with two degrees of freedom, times the standard error.
/// let (low, high) = estimate.interval.unwrap();
/// assert!((low + 0.3957).abs() < 1e-4 && (high - 1.3957).abs() < 1e-4);
/// ```
pub fn estimate(columns: &[&[Outcome]], options: &BootstrapOptions) -> Result<Estimate, StatsError> {
    options.check()?;
    let Some(first) = columns.first() else {
        return Err(StatsError::NoColumns);
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

/// The same for `df` degrees of freedom, which need not be whole. Infinite for 0 or fewer.
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
