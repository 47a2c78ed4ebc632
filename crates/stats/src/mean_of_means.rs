//! A mean of column means: its value and standard error, in the sample and in resamples.

use crate::bca::bca_shares;
use crate::bootstrap::MeanInterval;
use crate::distributions::t_exceeded_with;
use crate::error::check_finite;
use crate::moments::strong_skewness;
use crate::replicates::Replicates;
use crate::resample::{resample, sum_at};
use crate::side_by_side::{SideBySide, WIDTH};
use crate::summation::sum;
use crate::wilson::wilson_interval;
use crate::{BootstrapOptions, StatsError};
use neurogauge_core::Outcome;
use neurogauge_core::parallel;

/// With fewer pairs, there are too few different resamples to estimate the distribution of t.
pub(crate) const FEWEST_RESAMPLED: usize = 6;

/// A standard error this small relative to the largest deviation is rounding.
pub(crate) const NO_SPREAD: f64 = 1e-12;

/// The columns behind an estimate.
pub struct MeanOfMeans {
    columns: Vec<Column>,
    n_pairs: usize,
    /// False for differences: even if all are zeros and ones, they are no share, since −1 was possible.
    may_be_share: bool,
}

#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct MeanWithError {
    pub(crate) mean: f64,
    pub(crate) standard_error: f64,
}

/// The statistic of resamples that an interval is computed from.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Statistic {
    Mean,
    /// The distance of the mean from the mean of all pairs, in standard errors.
    Distance,
}

impl Statistic {
    fn of(interval: MeanInterval) -> Self {
        match interval {
            MeanInterval::Percentile | MeanInterval::Bca => Statistic::Mean,
            MeanInterval::Studentized => Statistic::Distance,
        }
    }
}

impl MeanOfMeans {
    /// Takes columns of equal lengths, without NaN.
    pub(crate) fn of(columns: &[&[Outcome]]) -> Self {
        MeanOfMeans {
            columns: columns.iter().map(|column| Column::of(column)).collect(),
            n_pairs: columns.first().map_or(0, |column| column.len()),
            may_be_share: columns.len() == 1,
        }
    }

    /// One column in which every pair has a value.
    pub fn of_values(values: Vec<f64>) -> Self {
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
    pub fn of_differences(values: Vec<f64>) -> Self {
        MeanOfMeans {
            may_be_share: false,
            ..MeanOfMeans::of_values(values)
        }
    }

    /// `None` if a column has no value.
    pub(crate) fn value(&self) -> Option<f64> {
        mean_of_means(self.columns.iter().map(Column::mean))
    }

    /// The interval; `None` if fewer than two pairs have a value in every column, or if the values have no spread.
    pub fn interval(&self, options: &BootstrapOptions) -> Result<Option<(f64, f64)>, StatsError> {
        Ok(intervals(&[self], options)?.pop().flatten())
    }

    /// Mean and standard error over all pairs; `None` if there is no interval.
    pub(crate) fn found(&self) -> Option<MeanWithError> {
        let all: Vec<u32> = (0..self.n_pairs as u32).collect();
        self.studied_at(&all).filter(|_| self.n_complete() >= 2)
    }

    /// Is the interval computed from resamples?
    fn is_resampled(&self, interval: MeanInterval) -> bool {
        let is_studentized = interval == MeanInterval::Studentized;
        !is_studentized || (self.ones().is_none() && self.n_complete() >= FEWEST_RESAMPLED)
    }

    /// The interval, from the statistic of every resample that has one. `replicates` is empty if the interval is not
    /// computed from resamples.
    fn interval_of(
        &self,
        found: MeanWithError,
        replicates: &Replicates,
        options: &BootstrapOptions,
    ) -> Result<Option<(f64, f64)>, StatsError> {
        let between = |(low, high)| (replicates.quantile(low), replicates.quantile(high));
        match options.interval {
            MeanInterval::Percentile => Ok((replicates.len() > 0).then(|| between(options.tails()))),
            MeanInterval::Bca => Ok(bca_shares(found.mean, replicates, &self.jackknife(), options.level)?.map(between)),
            MeanInterval::Studentized => match self.ones() {
                Some((ones, n)) => wilson_interval(ones, n, options.level).map(Some),
                None => Ok(Some(self.studentized(found, replicates, options.level))),
            },
        }
    }

    /// The means without each pair in turn, where defined.
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

    /// The statistic of the drawn pairs; `None` if they have none.
    fn statistic_at(&self, statistic: Statistic, found: MeanWithError, drawn: &[u32]) -> Option<f64> {
        match statistic {
            Statistic::Mean => mean_of_means(self.columns.iter().map(|column| column.mean_at(drawn))),
            Statistic::Distance => Some(self.t_at(found, drawn)?.abs()),
        }
    }

    /// The distance of the drawn pairs' mean above the mean of all pairs, in standard errors of the drawn pairs; `None`
    /// if undefined.
    pub(crate) fn t_at(&self, found: MeanWithError, drawn: &[u32]) -> Option<f64> {
        Some(found.t_of(self.studied_at(drawn)?))
    }

    /// The skewness of the pairs' contributions, if it is so strong that an interval of the mean is doubtful; `None`
    /// for a share.
    pub(crate) fn strong_skewness(&self) -> Option<f64> {
        if self.ones().is_some() || self.found().is_none() {
            return None;
        }
        strong_skewness(&self.contributions().flatten().collect::<Vec<f64>>())
    }

    /// The contribution of each pair to the mean, ψ of [`estimate`](crate::estimate()); `None` for a pair without any
    /// value. Every column has a value.
    pub(crate) fn contributions(&self) -> impl Iterator<Item = Option<f64>> {
        let scale = self.n_pairs as f64 / self.columns.len() as f64;
        let columns = self.columns.iter();
        let means: Vec<(f64, f64)> =
            columns.map(|column| (column.mean().unwrap_or_default(), scale / column.n())).collect();
        (0..self.n_pairs).map(move |pair| {
            let has_any = self.columns.iter().any(|column| column.has(pair));
            let columns = self.columns.iter().zip(&means);
            let of_columns = columns.map(|(column, (mean, scale))| column.deviation(pair, *mean) * scale);
            has_any.then(|| of_columns.sum())
        })
    }

    /// The number of ones and the number of values, if all values are 0 or 1.
    fn ones(&self) -> Option<(usize, usize)> {
        let column = self.columns.first().filter(|_| self.may_be_share)?;
        let values = || (0..self.n_pairs).filter(|&pair| column.has(pair));
        let is = |number: f64| move |pair: &usize| column.values[*pair] == number;
        let (ones, zeros) = (values().filter(is(1.0)).count(), values().filter(is(0.0)).count());
        let n = values().count();
        (ones + zeros == n).then_some((ones, n))
    }

    /// Pairs that have a value in every column.
    pub(crate) fn n_complete(&self) -> usize {
        (0..self.n_pairs).filter(|pair: &usize| self.columns.iter().all(|column| column.has(*pair))).count()
    }

    fn studentized(&self, found: MeanWithError, distances: &Replicates, level: f64) -> (f64, f64) {
        let degrees = self.n_complete() as f64 - 1.0;
        let mut factor = t_exceeded_with((1.0 - level) / 2.0, degrees);
        if distances.len() > 0 {
            factor = factor.max(distances.quantile(level));
        }
        let reach = factor * found.standard_error;
        (found.mean - reach, found.mean + reach)
    }

    /// Mean and standard error of the drawn pairs; `None` if a column has fewer than two values, or if nothing varies.
    fn studied_at(&self, drawn: &[u32]) -> Option<MeanWithError> {
        let n = drawn.len() as f64;
        let means = (self.columns.iter()).map(|column| column.mean_at(drawn)).collect::<Option<Vec<f64>>>()?;
        let n_columns = means.len() as f64;
        let counts = self.columns.iter().map(|column| column.n_at(drawn));
        let fewest = counts.clone().fold(n, f64::min);
        if fewest < 2.0 {
            return None;
        }
        let scales: Vec<f64> = counts.map(|count| n / count / n_columns).collect();
        let (squares, largest) = match (self.columns.as_slice(), means.as_slice()) {
            // The scale of a single whole column is 1, and this loop is most of the work of scoring many pairs.
            ([column], [mean]) if column.weights.is_empty() => spread(drawn, |pair| column.values[pair] - mean),
            _ => spread(drawn, |pair| {
                let of_columns = self.columns.iter().zip(&means).zip(&scales);
                of_columns.map(|((column, mean), scale)| column.deviation(pair, *mean) * scale).sum()
            }),
        };
        let mean = means.iter().sum::<f64>() / n_columns;
        MeanWithError::of(mean, (squares, largest), n, fewest)
    }

    /// The values, if there is only one column and every pair has a value in it.
    fn whole_column(&self) -> Option<&[f64]> {
        match self.columns.as_slice() {
            [column] if column.weights.is_empty() => Some(&column.values),
            _ => None,
        }
    }
}

impl MeanWithError {
    /// Mean and standard error from the sum of squares and the largest absolute value of the deviations of `n` drawn
    /// pairs. `fewest` is the smallest number of values in a column. `None` if nothing varies.
    fn of(mean: f64, (squares, largest): (f64, f64), n: f64, fewest: f64) -> Option<MeanWithError> {
        let standard_error = (squares * fewest / (n * n * (fewest - 1.0))).sqrt();
        (largest > NO_SPREAD * mean.abs() && standard_error > 0.0).then_some(MeanWithError { mean, standard_error })
    }

    /// How far the mean of drawn pairs is above the mean of all pairs, in standard errors of the drawn pairs.
    fn t_of(self, of_resample: MeanWithError) -> f64 {
        (of_resample.mean - self.mean) / of_resample.standard_error
    }
}

/// Means whose statistics are computed together in each resample.
enum Together<'a> {
    /// Means of one whole column each.
    Whole(SideBySide, Vec<MeanWithError>),
    Alone(&'a MeanOfMeans, MeanWithError),
}

impl<'a> Together<'a> {
    /// Groups the means that are resampled, with their positions.
    fn of(means: &[&'a MeanOfMeans], resampled: &[Option<MeanWithError>]) -> Vec<(Vec<usize>, Together<'a>)> {
        let places = (0..means.len()).filter(|&place| resampled[place].is_some());
        let (whole, others): (Vec<usize>, Vec<usize>) =
            places.partition(|&place| means[place].whole_column().is_some());
        let found = |place: usize| resampled[place];
        let mut all = Vec::new();
        for places in whole.chunks(WIDTH) {
            let columns = places.iter().filter_map(|&place| means[place].whole_column());
            let columns = SideBySide::of(&columns.collect::<Vec<_>>());
            let found = places.iter().filter_map(|&place| found(place)).collect();
            all.push((places.to_vec(), Together::Whole(columns, found)));
        }
        let alone = |place: usize| Some((vec![place], Together::Alone(means[place], found(place)?)));
        all.extend(others.into_iter().filter_map(alone));
        all
    }

    /// The statistic of the drawn pairs for each mean.
    fn at(&self, statistic: Statistic, drawn: &[u32]) -> Vec<Option<f64>> {
        match self {
            Together::Alone(mean, found) => vec![mean.statistic_at(statistic, *found, drawn)],
            Together::Whole(columns, found) => {
                let means = columns.means_at(drawn);
                let n = drawn.len() as f64;
                match statistic {
                    Statistic::Mean => means.iter().take(found.len()).copied().map(Some).collect(),
                    Statistic::Distance => {
                        let spreads = columns.spreads_at(drawn, &means);
                        let drawn = means.into_iter().zip(spreads);
                        let distance = |((mean, spread), found): ((f64, (f64, f64)), &MeanWithError)| {
                            Some(found.t_of(MeanWithError::of(mean, spread, n, n)?).abs())
                        };
                        drawn.zip(found).map(distance).collect()
                    }
                }
            }
        }
    }
}

/// The intervals of several means over the same pairs ([`MeanOfMeans::interval`]). They share the resamples, which are
/// drawn once.
pub fn intervals(means: &[&MeanOfMeans], options: &BootstrapOptions) -> Result<Vec<Option<(f64, f64)>>, StatsError> {
    let n_pairs = means.first().map_or(0, |mean| mean.n_pairs);
    let found: Vec<Option<MeanWithError>> = parallel::map_each(means, |mean| mean.found());
    let resampled: Vec<Option<MeanWithError>> =
        parallel::map(means.len(), |place| found[place].filter(|_| means[place].is_resampled(options.interval)));
    let statistic = Statistic::of(options.interval);
    let together = Together::of(means, &resampled);
    let of_resamples: Vec<Vec<Option<f64>>> = match together.is_empty() {
        false => resample(n_pairs, options, |drawn| {
            let mut values = vec![None; means.len()];
            for (places, means) in &together {
                for (&place, value) in places.iter().zip(means.at(statistic, drawn)) {
                    values[place] = value;
                }
            }
            values
        })?,
        true => Vec::new(),
    };
    let interval = |place: usize| {
        let Some(found) = found[place] else { return Ok(None) };
        let held: Vec<f64> = of_resamples.iter().filter_map(|values| values[place]).collect();
        if options.interval == MeanInterval::Bca {
            check_finite(&held)?;
        }
        means[place].interval_of(found, &Replicates::of(held), options)
    };
    parallel::try_map(found.len(), interval)
}

/// The sum of squares and the largest absolute value of the drawn pairs' contributions.
fn spread(drawn: &[u32], contribution: impl Fn(usize) -> f64) -> (f64, f64) {
    let start = (0.0, 0.0_f64);
    drawn.iter().fold(start, |(squares, largest), &pair| {
        let own = contribution(pair as usize);
        (squares + own * own, largest.max(own.abs()))
    })
}

/// The mean; `None` if one of the means is missing.
fn mean_of_means(means: impl ExactSizeIterator<Item = Option<f64>>) -> Option<f64> {
    let n = means.len() as f64;
    means.sum::<Option<f64>>().map(|total| total / n)
}

/// Outcomes laid out for summing: a pair without a value is 0 with weight 0.
struct Column {
    values: Vec<f64>,
    /// 1 for a pair with a value, 0 for one without; empty if every pair has one.
    weights: Vec<f64>,
}

impl Column {
    fn of(outcomes: &[Outcome]) -> Self {
        let values = outcomes.iter().map(|o| *o.as_ref().unwrap_or(&0.0)).collect();
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

    /// The deviation of a pair's value from the mean; 0 for a pair without a value.
    fn deviation(&self, pair: usize, mean: f64) -> f64 {
        match self.weights.get(pair) {
            Some(&weight) => weight * (self.values[pair] - mean),
            None => self.values[pair] - mean,
        }
    }
}
