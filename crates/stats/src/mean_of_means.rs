//! A mean of column means: its value, its standard error, and both of a resample.

use crate::bca::bca_interval;
use crate::bootstrap::MeanInterval;
use crate::distributions::t_exceeded_with;
use crate::quantile::quantile_of_sorted;
use crate::resample::{resample, sum_at};
use crate::summation::sum;
use crate::wilson::wilson_interval;
use crate::{BootstrapOptions, StatsError};
use neurogauge_core::Outcome;

/// With fewer pairs resamples are too few to learn the distribution of t from.
const FEWEST_RESAMPLED: usize = 6;

/// A standard error this small beside the largest deviation is rounding.
const NO_SPREAD: f64 = 1e-12;

/// The columns behind an estimate.
pub(crate) struct MeanOfMeans {
    columns: Vec<Column>,
    n_pairs: usize,
    /// Zeros and ones among differences are no share: there could have been a −1.
    may_be_share: bool,
}

/// A mean, and its standard error.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Studied {
    mean: f64,
    standard_error: f64,
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
        let all: Vec<u32> = (0..self.n_pairs as u32).collect();
        let found = self.studied_at(&all).filter(|_| self.n_complete() >= 2);
        let Some(found) = found else {
            return Ok(None);
        };
        match options.interval {
            MeanInterval::Percentile => Ok(options.percentile_interval(self.replicates(options)?)),
            MeanInterval::Bca => {
                let replicates = self.replicates(options)?;
                let jackknife: Vec<f64> = (0..self.n_pairs)
                    .filter_map(|pair| {
                        mean_of_means(self.columns.iter().map(|column| column.mean_without(pair)))
                    })
                    .collect();
                bca_interval(found.mean, &replicates, &jackknife, options.level)
            }
            MeanInterval::Studentized => match self.ones() {
                Some((ones, n)) => wilson_interval(ones, n, options.level).map(Some),
                None => self.studentized(found, options).map(Some),
            },
        }
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

    fn replicates(&self, options: &BootstrapOptions) -> Result<Vec<f64>, StatsError> {
        let replicates = resample(self.n_pairs, options, |drawn| {
            mean_of_means(self.columns.iter().map(|column| column.mean_at(drawn)))
        })?;
        Ok(replicates.into_iter().flatten().collect())
    }

    fn studentized(
        &self,
        found: Studied,
        options: &BootstrapOptions,
    ) -> Result<(f64, f64), StatsError> {
        let n = self.n_complete();
        let student = t_exceeded_with((1.0 - options.level) / 2.0, n as f64 - 1.0);
        let mut distances: Vec<f64> = Vec::new();
        if n >= FEWEST_RESAMPLED {
            let resampled = resample(self.n_pairs, options, |drawn| {
                let of_resample = self.studied_at(drawn)?;
                Some((of_resample.mean - found.mean).abs() / of_resample.standard_error)
            })?;
            distances.extend(resampled.into_iter().flatten());
            distances.sort_unstable_by(f64::total_cmp);
        }
        let factor = match distances.is_empty() {
            true => student,
            false => student.max(quantile_of_sorted(&distances, options.level)),
        };
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

    /// The mean of all pairs but one.
    fn mean_without(&self, pair: usize) -> Option<f64> {
        let n = self.n() - self.weights.get(pair).copied().unwrap_or(1.0);
        (n > 0.0).then(|| (sum(&self.values) - self.values[pair]) / n)
    }

    /// Of a pair's value from the mean; 0 for a pair without a value.
    fn deviation(&self, pair: usize, mean: f64) -> f64 {
        match self.weights.get(pair) {
            Some(&weight) => weight * (self.values[pair] - mean),
            None => self.values[pair] - mean,
        }
    }
}
