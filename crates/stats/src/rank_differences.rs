//! The difference between a metric's and people's rank of each item.

use crate::error::check_lengths;
use crate::{StatsError, average_ranks};
use serde::Serialize;

/// The ranks of one item by a metric and by people.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct RankDifference {
    /// The metric's rank; 1 is best, equal scores share the mean of their ranks.
    pub metric_rank: f64,
    /// The rank by human score; 1 is best, equal scores share the mean of their ranks.
    pub human_rank: f64,
    /// (human rank − metric rank) / (n − 1): positive if the metric ranks the item higher than people do.
    pub difference: f64,
}

/// For each item, the ranks by a metric and by people (SEED, Sec. 5.3), and their difference as a share of the ranking.
///
/// - Shapes: `metric` and `human` have a score for each of the same items, higher is better, `None` if missing. Items
///   with both are ranked among themselves; the others give `None`.
/// - Range: ranks 1 (best) to n; the difference -1 (people's favourite is the metric's last) to 1,
///   with 0 if both agree.
/// - Conventions: `worst-cases`.
/// - Undefined: fewer than two items with both scores give `None` throughout.
/// - Errors: samples of different lengths, a value that is not finite.
/// - Reference: `scipy.stats.rankdata` 1.17.1 (`method="average"`), exact.
///
/// ```
/// use neurogauge_stats::rank_differences;
/// let metric = [Some(0.9), Some(0.5), Some(0.5), None];
/// let human = [Some(1.0), Some(3.0), Some(5.0), Some(4.0)];
/// let found = rank_differences(&metric, &human).unwrap();
/// let first = found[0].unwrap();
/// // The metric's best is people's third and last.
/// assert_eq!((first.metric_rank, first.human_rank, first.difference), (1.0, 3.0, 1.0));
/// assert_eq!(found[2].unwrap().difference, -0.75);
/// assert_eq!(found[3], None);
/// ```
pub fn rank_differences(
    metric: &[Option<f64>],
    human: &[Option<f64>],
) -> Result<Vec<Option<RankDifference>>, StatsError> {
    check_lengths(metric.len(), human.len())?;
    let mut found = vec![None; metric.len()];
    let both = metric.iter().zip(human).enumerate();
    // Ranks start at the smallest value, but rank 1 must be the best.
    let (items, (metric, human)): (Vec<usize>, (Vec<f64>, Vec<f64>)) =
        both.filter_map(|(item, (m, h))| Some((item, (-(*m)?, -(*h)?)))).unzip();
    if items.len() < 2 {
        return Ok(found);
    }
    let ranks = average_ranks(&metric)?.into_iter().zip(average_ranks(&human)?);
    let last = (items.len() - 1) as f64;
    for (item, (metric_rank, human_rank)) in items.into_iter().zip(ranks) {
        found[item] = Some(RankDifference {
            metric_rank,
            human_rank,
            difference: (human_rank - metric_rank) / last,
        });
    }
    Ok(found)
}
