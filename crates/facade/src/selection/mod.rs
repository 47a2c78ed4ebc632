//! Selects the metrics of a run, and the inputs of each.

mod decide;
mod encoders;
mod needs;
mod seed_preprocessing;
mod select;

pub(crate) use decide::Decider;
pub(crate) use encoders::are_embedded;
pub(crate) use seed_preprocessing::OF_SEED;
pub use select::unknown_metric;
pub(crate) use select::{named, wanted};
