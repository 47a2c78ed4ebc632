//! Scores of metrics by item, made by whatever program.

use crate::FormatError;
use std::path::Path;

/// Scores by metric and item; a score may be missing.
#[derive(Debug, Clone, PartialEq)]
pub struct MetricTable {
    /// Ids of the items, unique, natural order.
    pub items: Vec<String>,
    /// Name and scores (one per item, finite where present) of each metric, order of the file.
    pub metrics: Vec<(String, Vec<Option<f64>>)>,
}

/// Reads scores from a wide CSV file, an `.npz` file or the Parquet file of a run.
///
/// # Errors
/// A cell that is no number, arrays of unequal lengths or of more than one axis.
pub fn read(path: &Path) -> Result<MetricTable, FormatError> {
    Err(FormatError::NotFound {
        path: path.to_owned(),
        expected: "metric scores".to_owned(),
    })
}
