//! Ranks, and Spearman's correlation.

use crate::error::check_finite;
use crate::paired::check_paired;
use crate::{StatsError, pearson};
use neurogauge_core::{Direction, Outcome};

/// The rank of each value, 1 for the smallest; equal values share the mean of their ranks.
///
/// - Shapes: `n` values in, `n` ranks out, in the same order.
/// - Range: 1 to `n`; the ranks add up to n(n + 1)/2 regardless of ties.
/// - Errors: a value that is not finite.
/// - Reference: `scipy.stats.rankdata` 1.17.1 (`method="average"`), exact: ranks are multiples of ½.
///
/// ```
/// use neurogauge_stats::average_ranks;
/// assert_eq!(average_ranks(&[0.3, 0.1, 0.3, 0.9]).unwrap(), [2.5, 1.0, 2.5, 4.0]);
/// ```
pub fn average_ranks(values: &[f64]) -> Result<Vec<f64>, StatsError> {
    check_finite(values)?;
    let order = ascending(values);
    let mut ranks = vec![0.0; values.len()];
    let mut start = 0;
    for tied in order.chunk_by(|&a, &b| values[a] == values[b]) {
        // The mean of start + 1, ..., start + len.
        let rank = start as f64 + (tied.len() as f64 + 1.0) / 2.0;
        for &position in tied {
            ranks[position] = rank;
        }
        start += tied.len();
    }
    Ok(ranks)
}

/// Spearman's correlation: Pearson's correlation of the average ranks.
///
/// - Shapes: `x` and `y` have `n` values each.
/// - Range: -1 to 1; higher is more alike; chance level 0.
/// - Undefined: no values (`Empty`), a NaN or an infinity (`NonFinite`), a single item (`NoPairs`),
///   all values equal (`Constant`); the first sample is side `Gt`, the second `Recon`.
/// - Errors: samples of different lengths.
/// - Reference: `scipy.stats.spearmanr` 1.17.1 to 1e-12 (it adds in another order).
///
/// ```
/// use neurogauge_stats::spearman;
/// // Monotonic, though far from a line.
/// let rho = spearman(&[1.0, 2.0, 3.0], &[1.0, 10.0, 1000.0]).unwrap().unwrap();
/// assert!((rho - 1.0).abs() < 1e-15);
/// ```
pub fn spearman<T: Copy + Into<f64>>(x: &[T], y: &[T]) -> Result<Outcome, StatsError> {
    match check_paired(x, y)? {
        Ok((x, y)) => pearson(&average_ranks(&x)?, &average_ranks(&y)?),
        Err(reason) => Ok(Err(reason)),
    }
}

/// Positions in ascending order of the (finite) values; equal values keep their order.
pub(crate) fn ascending(values: &[f64]) -> Vec<usize> {
    let mut order: Vec<usize> = (0..values.len()).collect();
    order.sort_unstable_by(|&a, &b| values[a].total_cmp(&values[b]).then(a.cmp(&b)));
    order
}

/// For each (finite) value, the number of distinct smaller values, and in total the number of distinct values.
pub fn dense_ranks(values: &[f64]) -> (Vec<u32>, usize) {
    let mut sorted = values.to_vec();
    sorted.sort_unstable_by(f64::total_cmp);
    // 0.0 and -0.0 are equal, and adjacent in this order.
    sorted.dedup_by(|a, b| a == b);
    let ranks = values.iter().map(|value| sorted.partition_point(|smaller| smaller < value) as u32).collect();
    (ranks, sorted.len())
}

/// Means that differ by less than this share of the largest value are equal: the same values in another order have sums
/// that differ in their last bits.
pub(crate) const TIE: f64 = 1e-12;

/// Rank of each value, 1 for the best; neighbours that differ by at most `tie` share the mean of their ranks. NaN is
/// neither better nor worse than anything and comes before the first.
pub(crate) fn ranks(values: &[f64], tie: f64, direction: Direction) -> Vec<f64> {
    let mut ranks = vec![0.5; values.len()];
    let mut order: Vec<usize> = (0..values.len()).filter(|&i| !values[i].is_nan()).collect();
    order.sort_unstable_by(|&a, &b| {
        let ascending = values[a].total_cmp(&values[b]);
        match direction {
            Direction::Higher => ascending.reverse(),
            Direction::Lower => ascending,
        }
    });
    let mut before = 0;
    for equal in order.chunk_by(|&a, &b| (values[a] - values[b]).abs() <= tie) {
        for &place in equal {
            ranks[place] = before as f64 + (equal.len() as f64 + 1.0) / 2.0;
        }
        before += equal.len();
    }
    ranks
}
