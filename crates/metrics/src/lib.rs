//! The metrics, one file each, and the registry that everything else reads.

pub mod categories;
pub mod decoding;
mod error;

pub use error::MetricError;
