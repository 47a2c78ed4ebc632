//! Systems side by side, on the pairs that all of them have a value for.

use crate::columns::check_systems;
use crate::resample::{mean_at, resample};
use crate::summation::sum;
use crate::{BootstrapOptions, StatsError};
use neurogauge_core::{Direction, Estimate, Outcome, Undefined};
use serde::{Deserialize, Serialize};

/// What [`compare_systems`] found.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Comparison {
    /// Which way is better.
    pub direction: Direction,
    /// Number of pairs in which every system has a value in every column.
    pub n_shared: usize,
    /// Number of pairs left out because some system has no value there.
    pub n_dropped: usize,
    /// Where each system stands, in the order given.
    pub systems: Vec<Standing>,
    /// Every two systems: (0, 1), (0, 2), ..., (1, 2), ...
    pub differences: Vec<Difference>,
}

/// One system among the others.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Standing {
    /// Its estimate over the shared pairs.
    pub estimate: Estimate,
    /// 1 for the best; equal systems share the mean of their ranks. `None` without shared pairs.
    pub rank: Option<f64>,
    /// Best and worst rank that the interval admits; `None` below two shared pairs.
    pub rank_interval: Option<(f64, f64)>,
}

/// The estimate of one system minus that of another.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Difference {
    /// Position of the system subtracted from.
    pub minuend: usize,
    /// Position of the system subtracted.
    pub subtrahend: usize,
    /// Minuend minus subtrahend, over the shared pairs.
    pub value: Outcome,
    /// Percentile interval; `None` below two shared pairs.
    pub interval: Option<(f64, f64)>,
    /// Two-sided bootstrap p value; `None` below two shared pairs.
    pub p_value: Option<f64>,
}

/// Compares systems by a paired bootstrap over the pairs that all of them have a value for.
///
/// - Shapes: `systems` holds, for each system, the same number of columns of `n_pairs` outcomes, in
///   the same order of pairs. The estimate of a system is the mean of its columns' means, as in
///   [`estimate`](crate::estimate()).
/// - Each resample draws shared pairs with replacement and scores every system on the same draws,
///   so what makes a pair hard for all of them cancels out of the differences.
/// - Ranks: 1 is the best in `direction`; systems of equal estimate share the mean of the ranks they
///   take up. The rank interval holds the share `level` of the resampled ranks, its ends rounded
///   outwards to ranks that occurred. It shows how far the order depends on the choice of pairs;
///   where systems are truly equal it is no confidence set of exact coverage.
/// - p value: for the difference d, p = min(1, 2·min(1 + #{d* ≤ 0}, 1 + #{d* ≥ 0}) / (B + 1)) over
///   the B resampled differences d*. Adding one keeps it above zero: B resamples cannot show less
///   than 2/(B + 1). It belongs to the percentile interval (small where the interval leaves out 0)
///   and is not corrected for the number of differences.
/// - Undefined: `NoPairs` where no pair is shared; intervals and p values are `None` below two.
/// - Errors: [`StatsError::NoSystems`], [`StatsError::NoColumns`], [`StatsError::ColumnCount`],
///   [`StatsError::ColumnLength`], [`StatsError::NonFiniteOutcome`],
///   [`StatsError::InvalidOption`], [`StatsError::TooManyPairs`].
/// - Reference: NumPy on the same draws, to 1e-12.
///
/// ```
/// use neurogauge_core::Direction;
/// use neurogauge_stats::{BootstrapOptions, compare_systems};
/// let weak = [Ok(0.1), Ok(0.5), Ok(0.3)];
/// let strong = [Ok(0.2), Ok(0.6), Ok(0.4)];
/// let systems = [vec![&weak[..]], vec![&strong[..]]];
/// let comparison =
///     compare_systems(&systems, Direction::Higher, &BootstrapOptions::default()).unwrap();
/// assert_eq!(comparison.systems[1].rank, Some(1.0));
/// assert!((comparison.differences[0].value.clone().unwrap() + 0.1).abs() < 1e-15);
/// // Better by 0.1 in every pair, hence in every resample: the smallest p of 2000 resamples.
/// assert_eq!(comparison.differences[0].p_value, Some(2.0 / 2001.0));
/// ```
pub fn compare_systems(
    systems: &[Vec<&[Outcome]>],
    direction: Direction,
    options: &BootstrapOptions,
) -> Result<Comparison, StatsError> {
    options.check()?;
    let n_pairs = check_systems(systems)?;
    let shared: Vec<usize> = (0..n_pairs)
        .filter(|&pair| systems.iter().flatten().all(|column| column[pair].is_ok()))
        .collect();
    let n_shared = shared.len();
    let systems: Vec<Vec<Vec<f64>>> = systems
        .iter()
        .map(|columns| columns.iter().map(|c| values_at(c, &shared)).collect())
        .collect();

    let estimates: Option<Vec<f64>> = (n_shared > 0).then(|| {
        let mean = |values: &[f64]| sum(values) / n_shared as f64;
        systems.iter().map(|s| mean_of_means(s, mean)).collect()
    });
    let replicates: Vec<Vec<f64>> = if n_shared < 2 {
        Vec::new()
    } else {
        resample(n_shared, options, |drawn| {
            let mean = |values: &[f64]| mean_at(values, drawn);
            systems.iter().map(|s| mean_of_means(s, mean)).collect()
        })?
    };
    let n_systems = systems.len();
    Ok(Comparison {
        direction,
        n_shared,
        n_dropped: n_pairs - n_shared,
        systems: standings(
            n_systems,
            n_shared,
            &estimates,
            &replicates,
            direction,
            options,
        ),
        differences: differences(n_systems, &estimates, &replicates, options),
    })
}

fn standings(
    n_systems: usize,
    n_shared: usize,
    estimates: &Option<Vec<f64>>,
    replicates: &[Vec<f64>],
    direction: Direction,
    options: &BootstrapOptions,
) -> Vec<Standing> {
    let ranks = estimates.as_ref().map(|values| ranks(values, direction));
    let replicate_ranks: Vec<Vec<f64>> = replicates
        .iter()
        .map(|values| self::ranks(values, direction))
        .collect();
    (0..n_systems)
        .map(|s| Standing {
            estimate: Estimate {
                value: estimates.as_ref().map(|v| v[s]).ok_or(Undefined::NoPairs),
                interval: options.percentile_interval(replicates.iter().map(|v| v[s]).collect()),
                n: n_shared,
                n_undefined: 0,
            },
            rank: ranks.as_ref().map(|ranks| ranks[s]),
            rank_interval: rank_interval(replicate_ranks.iter().map(|v| v[s]).collect(), options),
        })
        .collect()
}

fn differences(
    n_systems: usize,
    estimates: &Option<Vec<f64>>,
    replicates: &[Vec<f64>],
    options: &BootstrapOptions,
) -> Vec<Difference> {
    let pairs = (0..n_systems).flat_map(|a| (a + 1..n_systems).map(move |b| (a, b)));
    pairs
        .map(|(a, b)| {
            let difference = |values: &Vec<f64>| values[a] - values[b];
            let resampled: Vec<f64> = replicates.iter().map(difference).collect();
            Difference {
                minuend: a,
                subtrahend: b,
                value: estimates.as_ref().map(difference).ok_or(Undefined::NoPairs),
                p_value: two_sided_p(&resampled),
                interval: options.percentile_interval(resampled),
            }
        })
        .collect()
}

/// Rank of each value, 1 for the best; equal values share the mean of their ranks.
fn ranks(values: &[f64], direction: Direction) -> Vec<f64> {
    let rank = |&value: &f64| {
        let better = values.iter().filter(|&&v| direction.better(v, value));
        let equal = values.iter().filter(|&&v| v == value);
        better.count() as f64 + (equal.count() as f64 + 1.0) / 2.0
    };
    values.iter().map(rank).collect()
}

/// Percentile interval whose ends are ranks that occurred: between two of them lies no rank.
fn rank_interval(mut ranks: Vec<f64>, options: &BootstrapOptions) -> Option<(f64, f64)> {
    ranks.sort_unstable_by(f64::total_cmp);
    let last = ranks.len().checked_sub(1)?;
    let (low, high) = options.tails();
    let below = (last as f64 * low).floor() as usize;
    let above = (last as f64 * high).ceil() as usize;
    Some((ranks[below], ranks[above.min(last)]))
}

/// Twice the smaller share of differences on one side of zero, never 0; `None` of none.
pub(crate) fn two_sided_p(differences: &[f64]) -> Option<f64> {
    if differences.is_empty() {
        return None;
    }
    let at_most_zero = differences.iter().filter(|&&d| d <= 0.0).count();
    let at_least_zero = differences.iter().filter(|&&d| d >= 0.0).count();
    let smaller = at_most_zero.min(at_least_zero) as f64;
    Some((2.0 * (1.0 + smaller) / (1.0 + differences.len() as f64)).min(1.0))
}

fn mean_of_means(columns: &[Vec<f64>], mean: impl Fn(&[f64]) -> f64) -> f64 {
    columns.iter().map(|c| mean(c)).sum::<f64>() / columns.len() as f64
}

/// The values at positions that all have one.
fn values_at(column: &[Outcome], pairs: &[usize]) -> Vec<f64> {
    pairs
        .iter()
        .filter_map(|&pair| column[pair].as_ref().ok().copied())
        .collect()
}
