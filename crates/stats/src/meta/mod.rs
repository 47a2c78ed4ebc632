//! Meta-evaluation: does a metric agree with people?
//!
//! [`evaluate_metrics`] takes a survey and the scores of metrics for its items, and returns the agreement of the raters
//! with each other and of each metric with them, with intervals, chance levels and the differences between metrics.

mod agreement;
mod ceiling;
mod chance;
mod choices;
mod differences;
mod evaluate;
mod figure;
mod grouping;
pub(crate) mod human;
mod interval;
mod item_scores;
mod metric_statistics;
mod options;
mod result;
mod stimuli;
mod studentized;
pub(crate) mod units;
mod within_groups;

pub use agreement::{Ceiling, GroupedCeilings, OneRater, RaterAgreement, RaterLeftOut, rater_agreement};
pub use choices::{ChoiceAgreement, ChoiceDifference, ChoiceShare, agreement_with_choices};
pub(crate) use evaluate::oriented;
pub use evaluate::{evaluate_metrics, evaluate_metrics_within};
pub(crate) use figure::figures;
pub use figure::{Figure, figure_of};
pub use grouping::Grouping;
pub(crate) use human::HumanScores;
pub use human::human_scores;
pub use interval::IntervalNote;
pub(crate) use interval::{Inference, Pair, of_estimate};
pub(crate) use item_scores::{Prepared, in_words_of_surveys};
pub(crate) use metric_statistics::{MetricStatistics, Subject};
pub use options::{HumanScore, IntervalMethod, MetaOptions, Resampled, Statistic};
pub use result::{
    Chance, GroupedAgreement, GroupedDifferences, GroupedEstimate, MetaResult, MetricAgreement, MetricColumn,
    MetricDifference, StatisticDifference, StatisticEstimate, WilliamsResult,
};
pub(crate) use units::Units;
