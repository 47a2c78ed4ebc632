//! The scores behind the results, for each item.

use neurogauge::core::Direction;
use neurogauge::formats::class_labels::ClassLabels;
use neurogauge::stats::Ratings;
use neurogauge::stats::meta::{HumanScore, MetricColumn, human_scores};

/// Items in the order of the survey, with their human scores and metric scores.
#[derive(Debug, Clone, PartialEq)]
pub struct MetaItems {
    pub ids: Vec<String>,
    pub human: Vec<Option<f64>>,
    /// The unchanged scores of each metric.
    pub metrics: Vec<MetricColumn>,
    /// The classes of both images of an item, by its id; empty if no classes were given.
    pub classes: ClassLabels,
}

impl MetaItems {
    pub(super) fn new(ids: Vec<String>, ratings: &Ratings, score: HumanScore, metrics: Vec<MetricColumn>) -> Self {
        MetaItems {
            ids,
            human: human_scores(ratings, score),
            metrics,
            classes: ClassLabels::new(),
        }
    }
}

/// The finite scores of a metric, with the sign changed if lower is better.
pub fn oriented(column: &MetricColumn) -> Vec<Option<f64>> {
    let sign = match column.direction {
        Direction::Higher => 1.0,
        Direction::Lower => -1.0,
    };
    let finite = |score: &Option<f64>| score.filter(|s| s.is_finite()).map(|s| sign * s);
    column.scores.iter().map(finite).collect()
}
