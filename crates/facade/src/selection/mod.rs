//! Selects the metrics of a run, and the inputs of each.

mod encoders;
mod feature_source;
mod needs;
mod seed_preprocessing;
mod select;
mod selected;
mod source;

pub(crate) use encoders::Encoders;
pub(crate) use feature_source::Perceivable;
pub use needs::ways_to;
pub(crate) use needs::{files_of, given_captions};
pub(crate) use seed_preprocessing::OF_SEED;
pub use select::unknown_metric;
pub(crate) use select::{named, select, wanted};
pub(crate) use selected::{MetricSource, Selected, Selection};
pub(crate) use source::recorded;
