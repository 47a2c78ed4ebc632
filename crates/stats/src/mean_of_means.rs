//! A mean of column means: its value, its standard error, and both of a resample.

use crate::bca::{bca_shares, check_finite};
use crate::bootstrap::MeanInterval;
use crate::distributions::t_exceeded_with;
use crate::moments::strong_skewness;
use crate::replicates::{Held, Replicates};
use crate::resample::{resample, sum_at};
use crate::summation::sum;
use crate::wilson::wilson_interval;
use crate::{BootstrapOptions, StatsError};
use neurogauge_core::Outcome;

/// With fewer pairs resamples are too few to learn the distribution of t from.
pub(crate) const FEWEST_RESAMPLED: usize = 6;

/// A standard error this small beside the largest deviation is rounding.
pub(crate) const NO_SPREAD: f64 = 1e-12;

/// The columns behind an estimate.
pub(crate) struct MeanOfMeans {
    columns: Vec<Column>,
    n_pairs: usize,
    /// Zeros and ones among differences are no share: there could have been a −1.
    may_be_share: bool,
}

/// A mean, and its standard error.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Studied {
    pub(crate) mean: f64,
    pub(crate) standard_error: f64,
}

/// What an interval is made of, of every resample.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Statistic {
    /// The mean.
    Mean,
    /// How far the mean is from that of all pairs, in standard errors.
    Distance,
}

impl Statistic {
    /// That of an interval.
    pub(crate) fn of(interval: MeanInterval) -> Self {
        match interval {
            MeanInterval::Percentile | MeanInterval::Bca => Statistic::Mean,
            MeanInterval::Studentized => Statistic::Distance,
        }
    }
}

impl MeanOfMeans {
    /// Columns of equal lengths, without NaN.
    pub(crate) fn of(columns: &[&[Outcome]]) -> Self {
        MeanOfMeans {
            columns: columns.iter().map(|column| Column::of(column)).collect(),
            n_pairs: columns.first().map_or(0, |column| column.len()),
            may_be_share: columns.len() == 1,
        }
    }

    /// One column in which every pair has a value.
    pub(crate) fn of_values(values: Vec<f64>) -> Self {
        MeanOfMeans {
            n_pairs: values.len(),
            columns: vec![Column {
                values,
                weights: Vec::new(),
            }],
            may_be_share: true,
        }
    }

    /// One column of differences.
    pub(crate) fn of_differences(values: Vec<f64>) -> Self {
        MeanOfMeans {
            may_be_share: false,
            ..MeanOfMeans::of_values(values)
        }
    }

    /// `None` if a column has no value.
    pub(crate) fn value(&self) -> Option<f64> {
        mean_of_means(self.columns.iter().map(Column::mean))
    }

    /// `None` where fewer than two pairs have a value in every column, or the values have no spread.
    pub(crate) fn interval(
        &self,
        options: &BootstrapOptions,
    ) -> Result<Option<(f64, f64)>, StatsError> {
        match self.found() {
            Some(found) => self.interval_by(found, options, || {
                let statistic = Statistic::of(options.interval);
                let of_resamples = resample(self.n_pairs, options, |drawn| {
                    self.statistic_at(statistic, found, drawn)
                })?;
                let held: Vec<f64> = of_resamples.into_iter().flatten().collect();
                if options.interval == MeanInterval::Bca {
                    check_finite(&held)?;
                }
                Ok(Held::of(held))
            }),
            None => Ok(None),
        }
    }

    /// All pairs; `None` where there is no interval.
    pub(crate) fn found(&self) -> Option<Studied> {
        let all: Vec<u32> = (0..self.n_pairs as u32).collect();
        self.studied_at(&all).filter(|_| self.n_complete() >= 2)
    }

    /// The interval, from the statistic of every resample that has one; they are asked for where they are needed.
    pub(crate) fn interval_by<R: Replicates>(
        &self,
        found: Studied,
        options: &BootstrapOptions,
        replicates: impl FnOnce() -> Result<R, StatsError>,
    ) -> Result<Option<(f64, f64)>, StatsError> {
        match options.interval {
            MeanInterval::Percentile => {
                let (replicates, (low, high)) = (replicates()?, options.tails());
                let any = replicates.len() > 0;
                Ok(any.then(|| (replicates.quantile(low), replicates.quantile(high))))
            }
            MeanInterval::Bca => {
                let replicates = replicates()?;
                let jackknife = self.jackknife();
                let shares = bca_shares(found.mean, &replicates, &jackknife, options.level)?;
                Ok(shares.map(|(low, high)| (replicates.quantile(low), replicates.quantile(high))))
            }
            MeanInterval::Studentized => match self.ones() {
                Some((ones, n)) => wilson_interval(ones, n, options.level).map(Some),
                None => self.studentized(found, options, replicates).map(Some),
            },
        }
    }

    /// The mean of all pairs but one, for each that has one.
    fn jackknife(&self) -> Vec<f64> {
        let sums: Vec<f64> = self.columns.iter().map(|c| sum(&c.values)).collect();
        let counts: Vec<f64> = self.columns.iter().map(Column::n).collect();
        let without = |pair: usize| {
            let columns = self.columns.iter().zip(sums.iter().zip(&counts));
            mean_of_means(columns.map(|(column, (sum, n))| {
                let n = n - column.weights.get(pair).copied().unwrap_or(1.0);
                (n > 0.0).then(|| (sum - column.values[pair]) / n)
            }))
        };
        (0..self.n_pairs).filter_map(without).collect()
    }

    /// The values of the only column, if there is one and every pair has a value in it.
    pub(crate) fn only_column(&self) -> Option<&[f64]> {
        match self.columns.as_slice() {
            [column] if column.weights.is_empty() => Some(&column.values),
            _ => None,
        }
    }

    /// Of the drawn pairs; `None` where they have none.
    pub(crate) fn statistic_at(
        &self,
        statistic: Statistic,
        found: Studied,
        drawn: &[u32],
    ) -> Option<f64> {
        match statistic {
            Statistic::Mean => {
                mean_of_means(self.columns.iter().map(|column| column.mean_at(drawn)))
            }
            Statistic::Distance => Some(self.t_at(found, drawn)?.abs()),
        }
    }

    /// How far the mean of the drawn pairs is above that of all, in their own standard errors; `None` where they have none.
    pub(crate) fn t_at(&self, found: Studied, drawn: &[u32]) -> Option<f64> {
        let of_resample = self.studied_at(drawn)?;
        Some((of_resample.mean - found.mean) / of_resample.standard_error)
    }

    /// The skewness of what the pairs contribute, if it is so strong that an interval of the mean is doubtful; `None` for a share.
    pub(crate) fn strong_skewness(&self) -> Option<f64> {
        if self.ones().is_some() || self.found().is_none() {
            return None;
        }
        strong_skewness(&self.contributions().flatten().collect::<Vec<f64>>())
    }

    /// What each pair contributes to the mean, ψ of [`estimate`](crate::estimate()); `None` for a pair without any value. Every column has
    /// a value.
    pub(crate) fn contributions(&self) -> impl Iterator<Item = Option<f64>> {
        let scale = self.n_pairs as f64 / self.columns.len() as f64;
        let columns = self.columns.iter();
        let means: Vec<(f64, f64)> = columns
            .map(|column| (column.mean().unwrap_or_default(), scale / column.n()))
            .collect();
        (0..self.n_pairs).map(move |pair| {
            let has_any = self.columns.iter().any(|column| column.has(pair));
            let columns = self.columns.iter().zip(&means);
            let of_columns =
                columns.map(|(column, (mean, scale))| column.deviation(pair, *mean) * scale);
            has_any.then(|| of_columns.sum())
        })
    }

    /// How many values are 1, and of how many, if they are all 0 or 1.
    fn ones(&self) -> Option<(usize, usize)> {
        let column = self.columns.first().filter(|_| self.may_be_share)?;
        let values = || (0..self.n_pairs).filter(|&pair| column.has(pair));
        let is = |number: f64| move |pair: &usize| column.values[*pair] == number;
        let (ones, zeros) = (
            values().filter(is(1.0)).count(),
            values().filter(is(0.0)).count(),
        );
        let n = values().count();
        (ones + zeros == n).then_some((ones, n))
    }

    /// Pairs that have a value in every column.
    pub(crate) fn n_complete(&self) -> usize {
        let has_all = |pair: &usize| self.columns.iter().all(|column| column.has(*pair));
        (0..self.n_pairs).filter(has_all).count()
    }

    fn studentized<R: Replicates>(
        &self,
        found: Studied,
        options: &BootstrapOptions,
        distances: impl FnOnce() -> Result<R, StatsError>,
    ) -> Result<(f64, f64), StatsError> {
        let n = self.n_complete();
        let student = t_exceeded_with((1.0 - options.level) / 2.0, n as f64 - 1.0);
        let mut factor = student;
        if n >= FEWEST_RESAMPLED {
            let distances = distances()?;
            if distances.len() > 0 {
                factor = student.max(distances.quantile(options.level));
            }
        }
        let reach = factor * found.standard_error;
        Ok((found.mean - reach, found.mean + reach))
    }

    /// `None` where a column has fewer than two values, or nothing varies.
    fn studied_at(&self, drawn: &[u32]) -> Option<Studied> {
        let n = drawn.len() as f64;
        let means: Option<Vec<f64>> = (self.columns.iter())
            .map(|column| column.mean_at(drawn))
            .collect();
        let means = means?;
        let n_columns = means.len() as f64;
        let counts = self.columns.iter().map(|column| column.n_at(drawn));
        let fewest = counts.clone().fold(n, f64::min);
        if fewest < 2.0 {
            return None;
        }
        let scales: Vec<f64> = counts.map(|count| n / count / n_columns).collect();
        let (squares, largest) = match (self.columns.as_slice(), means.as_slice()) {
            // The scale of one whole column is 1, and this loop is most of the work of scoring many pairs.
            ([column], [mean]) if column.weights.is_empty() => {
                spread(drawn, |pair| column.values[pair] - mean)
            }
            _ => spread(drawn, |pair| {
                let of_columns = self.columns.iter().zip(&means).zip(&scales);
                of_columns
                    .map(|((column, mean), scale)| column.deviation(pair, *mean) * scale)
                    .sum()
            }),
        };
        let mean = means.iter().sum::<f64>() / n_columns;
        let standard_error = (squares * fewest / (n * n * (fewest - 1.0))).sqrt();
        (largest > NO_SPREAD * mean.abs() && standard_error > 0.0).then_some(Studied {
            mean,
            standard_error,
        })
    }
}

/// The sum of squares and the largest absolute value of what the drawn pairs contribute.
fn spread(drawn: &[u32], contribution: impl Fn(usize) -> f64) -> (f64, f64) {
    let start = (0.0, 0.0_f64);
    drawn.iter().fold(start, |(squares, largest), &pair| {
        let own = contribution(pair as usize);
        (squares + own * own, largest.max(own.abs()))
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

    fn has(&self, pair: usize) -> bool {
        self.weights.get(pair).is_none_or(|&weight| weight > 0.0)
    }

    fn n(&self) -> f64 {
        if self.weights.is_empty() {
            self.values.len() as f64
        } else {
            sum(&self.weights)
        }
    }

    fn n_at(&self, drawn: &[u32]) -> f64 {
        if self.weights.is_empty() {
            drawn.len() as f64
        } else {
            sum_at(&self.weights, drawn)
        }
    }

    fn mean(&self) -> Option<f64> {
        let n = self.n();
        (n > 0.0).then(|| sum(&self.values) / n)
    }

    fn mean_at(&self, drawn: &[u32]) -> Option<f64> {
        let n = self.n_at(drawn);
        (n > 0.0).then(|| sum_at(&self.values, drawn) / n)
    }

    /// Of a pair's value from the mean; 0 for a pair without a value.
    fn deviation(&self, pair: usize, mean: f64) -> f64 {
        match self.weights.get(pair) {
            Some(&weight) => weight * (self.values[pair] - mean),
            None => self.values[pair] - mean,
        }
    }
}
