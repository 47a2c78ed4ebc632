//! The range of a column that a file records in addition to its values.

use crate::{FormatError, Problem};
use parquet::file::reader::RowGroupReader;
use parquet::file::statistics::Statistics;
use std::path::Path;

/// Fails if a number is outside the range that the file records for its column: one of them is damaged. Pages of
/// Parquet files usually have no checksum, so a changed number within the range is not detected.
pub(super) fn check(
    path: &Path,
    group: &dyn RowGroupReader,
    position: usize,
    values: &[Option<f64>],
) -> Result<(), FormatError> {
    let column = group.metadata().column(position);
    let Some(Statistics::Double(range)) = column.statistics() else {
        return Ok(());
    };
    let (Some(&least), Some(&greatest)) = (range.min_opt(), range.max_opt()) else {
        return Ok(());
    };
    match values.iter().flatten().find(|value: &&f64| **value < least || **value > greatest) {
        None => Ok(()),
        Some(value) => Err(Problem::new(format!(
            "the column {:?} has the number {value}, and by the file's own record its numbers are from {least} to {greatest}: the file is \
             damaged",
            column.column_path().string()
        ))
        .at(path)),
    }
}
