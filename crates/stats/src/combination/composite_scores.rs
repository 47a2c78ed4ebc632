//! The scores of a composite, in the form of a metric's scores.

use super::scaling::Scaled;
use super::{Composite, Scaling, ScoreTable};
use crate::meta::{HumanScore, MetricColumn, human_scores};
use crate::{Ratings, StatsError};
use neurogauge_core::{Direction, Undefined};

/// The mean of a composite's parts for each item that people and all parts have a score for. It is compared with people
/// like any metric.
///
/// - Shapes: as in [`combine_metrics`](super::combine_metrics), which measures the same composite.
/// - Direction: higher is better. A part for which lower is better counts as 1 minus its score on the raw scale (so
///   that SEED's parts give SEED), and is negated on other scales.
/// - Conventions: `combination-scaling`.
/// - Undefined: a part that does not vary has no z-scores; a sum that overflows.
/// - Errors: samples of different lengths.
///
/// ```
/// use neurogauge_core::Direction::{Higher, Lower};
/// use neurogauge_stats::Ratings;
/// use neurogauge_stats::combination::{Composite, Scaling, composite_scores};
/// use neurogauge_stats::meta::{HumanScore, MetricColumn};
/// let ratings = Ratings::new(1, [1.0, 2.0, 3.0].map(Some).to_vec()).unwrap();
/// let metric = |name: &str, direction, scores: [Option<f64>; 3]| MetricColumn {
///     name: name.into(),
///     direction,
///     scores: scores.to_vec(),
/// };
/// let metrics = [
///     metric("similarity", Higher, [Some(0.5), Some(0.75), None]),
///     metric("distance", Lower, [Some(0.75), Some(0.25), Some(0.5)]),
/// ];
/// let both = Composite { name: "both".into(), parts: vec![0, 1] };
/// let found = composite_scores(&ratings, &metrics, &both, Scaling::Raw, HumanScore::Mean).unwrap().unwrap();
/// assert_eq!(found.scores, [Some((0.5 + 0.25) / 2.0), Some((0.75 + 0.75) / 2.0), None]);
/// ```
pub fn composite_scores(
    ratings: &Ratings,
    metrics: &[MetricColumn],
    composite: &Composite,
    scaling: Scaling,
    human_score: HumanScore,
) -> Result<Result<MetricColumn, Undefined>, StatsError> {
    let table = ScoreTable::new(metrics, human_scores(ratings, human_score))?;
    let complete = table.complete(&composite.parts);
    let all: Vec<usize> = (0..composite.parts.len()).collect();
    let total = match Scaled::own(&complete.columns, scaling).sum(&all) {
        Ok(total) if total.iter().all(|score| score.is_finite()) => total,
        Ok(_) => return Ok(Err(Undefined::Overflow)),
        Err(reason) => return Ok(Err(reason)),
    };
    let is_lower = |&&part: &&usize| metrics[part].direction == Direction::Lower;
    let n_ones = match scaling {
        Scaling::Raw => composite.parts.iter().filter(is_lower).count(),
        Scaling::ZScore | Scaling::Rank => 0,
    };
    let mut scores = vec![None; table.n_items()];
    for (&item, total) in complete.items.iter().zip(total) {
        scores[item as usize] = Some((total + n_ones as f64) / all.len() as f64);
    }
    Ok(Ok(MetricColumn {
        name: composite.name.clone(),
        direction: Direction::Higher,
        scores,
    }))
}
