//! Averages of metrics against people: which combination agrees best, and what each part adds.
//!
//! SEED is the mean of three metrics, chosen by looking at all pairwise averages (section C.3) and at what the third
//! part adds (section C.2). [`combine_metrics`] does all of that for any set of metrics. Beside each value that was
//! chosen for being high, it gives the value on held-out items.

mod agreement;
mod composite_scores;
mod contributions;
mod cross_validation;
mod evaluate;
mod folds;
mod heatmap;
mod options;
pub(crate) mod scaling;
mod search;
pub(crate) mod subsets;
mod table;
mod weights;

pub use agreement::{COMBINED_STATISTICS, StatisticValue};
pub use composite_scores::composite_scores;
pub use contributions::{Composite, CompositeContributions, CompositeStatistic, PartContribution, PartStatistic};
pub use cross_validation::{CrossValidated, HeldOut};
pub use evaluate::{CombinationResult, combine_among, combine_metrics};
pub use folds::Folds;
pub use heatmap::{AverageOfTwo, PairwiseAverages, pairwise_averages};
pub use options::{CombinationOptions, Scaling};
pub use subsets::{BestSubset, EXHAUSTIVE_METRICS, SubsetSearch, best_subsets};
pub use table::{CompleteScores, ScoreTable};
pub use weights::{FittedWeights, MetricWeight, fit_weights};

crate::meta::figures!(HeldOut, StatisticValue; with intervals: CompositeStatistic, PartStatistic);
