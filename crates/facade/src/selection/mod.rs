//! Selects the metrics of a run, and the inputs of each.

mod decide;
mod needs;
mod seed_preprocessing;
mod select;
mod selected;

pub(crate) use decide::{Decider, are_embedded, recorded};
use needs::needs;
pub use needs::ways_to;
pub(crate) use needs::{files_of, given_captions};
pub(crate) use seed_preprocessing::OF_SEED;
pub use select::unknown_metric;
pub(crate) use select::{named, wanted};
pub(crate) use selected::{MetricSource, Selected, Selection};
