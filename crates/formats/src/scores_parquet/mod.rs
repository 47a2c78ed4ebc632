//! `scores.parquet`: one row per metric and pair.

mod page_sizes;
mod read;
mod recorded_range;
mod wide;
mod write;

pub use read::read;
pub(crate) use read::{Scores, read_any};
pub use write::write;

/// Columns in the order of the file.
const COLUMNS: [&str; 4] = ["pair", "metric", "value", "undefined"];
