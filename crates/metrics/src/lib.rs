//! The metrics, one file each, and the registry that everything else reads; losses for training.

pub mod categories;
pub mod decoding;
mod error;
pub mod losses;
mod options;
mod registry;

pub use categories::Taxonomy;
pub use error::MetricError;
pub use options::{Options, PixelOptions};
pub use registry::{Compute, LISTS, METRICS, Metric, Others, SystemColumns, find, list};
