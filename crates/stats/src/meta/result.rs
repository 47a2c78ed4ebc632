//! The result of a meta-evaluation.

use super::agreement::RaterAgreement;
use super::{IntervalNote, MetaOptions, Statistic};
use neurogauge_core::{Direction, Outcome, Undefined};
use serde::Serialize;

/// A metric's scores for the items of a survey.
#[derive(Debug, Clone, PartialEq)]
pub struct MetricColumn {
    pub name: String,
    pub direction: Direction,
    /// One score for each item of the survey, in its order; `None` if missing. A NaN or an infinity counts as missing.
    pub scores: Vec<Option<f64>>,
}

/// The result of [`evaluate_metrics`](super::evaluate_metrics).
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct MetaResult {
    pub options: MetaOptions,
    pub n_items: usize,
    /// The number of stimuli, if some have several items, which are drawn together; `None` if items are independent.
    pub n_stimuli: Option<usize>,
    pub n_raters: usize,
    pub n_missing_ratings: usize,
    /// Number of raters whose ratings are all equal, so that they have no z-scores (0 if human scores are means).
    pub n_raters_left_out: usize,
    /// How well the raters agree with each other.
    pub agreement: RaterAgreement,
    /// How well each metric agrees with people, in the order given.
    pub metrics: Vec<MetricAgreement>,
    /// Every two metrics, the earlier minus the later.
    pub differences: Vec<MetricDifference>,
}

/// How well one metric agrees with people.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct MetricAgreement {
    pub name: String,
    /// Whether higher or lower is better; if lower is, scores are negated first.
    pub direction: Direction,
    /// Items with a score and a rating.
    pub n_items: usize,
    /// Rated items without a score.
    pub n_without_score: usize,
    /// The metric ties two items if their scores differ by no more than this.
    pub epsilon: Option<f64>,
    /// One estimate for each of [`Statistic::ALL`].
    pub statistics: Vec<StatisticEstimate>,
    pub grouped: Vec<GroupedAgreement>,
}

/// How well one metric agrees with people within groups of items.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct GroupedAgreement {
    pub grouping: String,
    /// Groups with an item that has a score and a rating.
    pub n_groups: usize,
    /// The best tie threshold for all groups together.
    pub epsilon: Option<f64>,
    pub statistics: Vec<GroupedEstimate>,
}

/// The mean of a statistic over groups.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct GroupedEstimate {
    /// The mean over the groups in which the statistic has a value.
    #[serde(flatten)]
    pub estimate: StatisticEstimate,
    /// Number of groups in which it is undefined.
    pub n_groups_left_out: usize,
}

/// One statistic of one metric.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct StatisticEstimate {
    pub statistic: Statistic,
    #[serde(flatten, with = "neurogauge_core::recorded")]
    pub value: Outcome,
    /// Its interval, by [`MetaOptions::method`].
    pub interval: Option<(f64, f64)>,
    pub interval_note: Option<IntervalNote>,
    /// Number of resamples in which it is undefined; the interval uses the others.
    pub n_undefined_resamples: usize,
    /// The value that a metric without information would reach.
    pub chance: Chance,
}

/// A statistic over permutations of the human scores; `None` if it has no value.
#[derive(Debug, Clone, Copy, PartialEq, Default, Serialize)]
pub struct Chance {
    pub mean: Option<f64>,
    /// Their 95th percentile.
    pub percentile_95: Option<f64>,
}

/// One metric compared with another, over the items for which both have scores.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct MetricDifference {
    pub minuend: String,
    pub subtrahend: String,
    /// Rated items with both scores.
    pub n_items: usize,
    pub statistics: Vec<StatisticDifference>,
    pub grouped: Vec<GroupedDifferences>,
    /// Test of the difference of the Pearson correlations.
    #[serde(with = "neurogauge_core::recorded")]
    pub williams: Result<WilliamsResult, Undefined>,
}

/// The differences of two metrics' means over groups.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct GroupedDifferences {
    pub grouping: String,
    pub statistics: Vec<StatisticDifference>,
}

/// The difference of one statistic between two metrics.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct StatisticDifference {
    pub statistic: Statistic,
    /// Positive if the minuend agrees better.
    #[serde(flatten, with = "neurogauge_core::recorded")]
    pub value: Outcome,
    /// Its interval, by [`MetaOptions::method`]; both metrics see the same resamples.
    pub interval: Option<(f64, f64)>,
    pub interval_note: Option<IntervalNote>,
    /// Number of resamples in which either metric has no value.
    pub n_undefined_resamples: usize,
    /// Two-sided p value of no difference. Studentized: one minus the level of the interval that ends
    /// at zero. Of resamples: twice the share on the rarer side of zero, counting one more resample there so that it is
    /// never 0.
    pub p_value: Option<f64>,
    /// The p value after Holm's correction over all pairs of metrics.
    pub p_holm: Option<f64>,
}

/// [`williams_test`](crate::williams_test), corrected for all pairs of metrics.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct WilliamsResult {
    /// Positive if the minuend correlates more highly.
    pub t: f64,
    pub df: f64,
    pub p_value: f64,
    pub p_holm: f64,
}
