//! Parquet tables of others, with a column of items and one for each metric, as pandas and polars write them.

use super::read::{budget, faulty, opened, read_column};
use super::{COLUMNS, page_sizes};
use crate::FormatError;
use crate::budget::Budget;
use crate::positioned_file::PositionedFile;
use parquet::basic::Type;
use parquet::data_type::{
    BoolType, ByteArrayType, DataType, DoubleType, FloatType, Int32Type, Int64Type,
};
use parquet::file::reader::{FileReader, RowGroupReader};
use parquet::file::serialized_reader::SerializedFileReader;
use std::fs::File;
use std::path::Path;

/// Columns of pandas that number the rows.
const ROW_NUMBERS: &str = "__index_level_";

/// Does the file lack the columns of a run's scores, so that it is a table of a column for each metric?
///
/// # Errors
/// As [`read()`](super::read()).
pub(crate) fn is_wide(path: &Path) -> Result<bool, FormatError> {
    opened(path, |_, reader| {
        let names = names(reader);
        // A table of others may call its items pairs.
        Ok(!COLUMNS[1..]
            .iter()
            .any(|&column| names.iter().any(|name| name == column)))
    })
}

/// The names of the columns, and the cells of each row as text; empty where a value is missing. Numbers are written so that they are read
/// back exactly.
///
/// # Errors
/// As [`read()`](super::read()); [`FormatError::Dtype`] for a column that is neither text nor numbers.
pub(crate) fn read(path: &Path) -> Result<(Vec<String>, Vec<Vec<String>>), FormatError> {
    opened(path, read_rows)
}

fn names(reader: &SerializedFileReader<File>) -> Vec<String> {
    let schema = reader.metadata().file_metadata().schema_descr();
    let columns = schema.columns().iter();
    columns.map(|column| column.path().string()).collect()
}

fn read_rows(
    path: &Path,
    reader: &SerializedFileReader<File>,
) -> Result<(Vec<String>, Vec<Vec<String>>), FormatError> {
    let names = names(reader);
    let kept: Vec<usize> = (0..names.len())
        .filter(|&column| !names[column].starts_with(ROW_NUMBERS))
        .collect();
    let mut budget = budget(path);
    let pages = PositionedFile::open(path)?;
    let mut rows = Vec::new();
    for group in 0..reader.num_row_groups() {
        let group = reader
            .get_row_group(group)
            .map_err(|error| faulty(path, &error))?;
        let group = group.as_ref();
        let mut columns = Vec::new();
        for &column in &kept {
            let (start, length) = group.metadata().column(column).byte_range();
            page_sizes::check(&pages, start, start.saturating_add(length))?;
            columns.push(cells(path, group, column, &mut budget)?);
        }
        let n_rows = columns.first().map_or(0, Vec::len);
        if columns.iter().any(|cells| cells.len() != n_rows) {
            return Err(FormatError::Malformed {
                path: path.to_owned(),
                reason: "the columns have different numbers of rows".to_owned(),
            });
        }
        let mut columns: Vec<_> = columns.into_iter().map(Vec::into_iter).collect();
        let row = |_| columns.iter_mut().filter_map(Iterator::next).collect();
        rows.extend((0..n_rows).map(row));
    }
    let names = kept.into_iter().map(|column| names[column].clone());
    Ok((names.collect(), rows))
}

/// The cells of a column of a row group.
fn cells(
    path: &Path,
    group: &dyn RowGroupReader,
    position: usize,
    budget: &mut Budget,
) -> Result<Vec<String>, FormatError> {
    let column = group.metadata().column(position);
    let place = column.column_path().string();
    let descriptor = column.column_descr();
    if descriptor.max_rep_level() > 0 {
        return Err(FormatError::Dtype {
            path: path.to_owned(),
            found: format!("lists of column {place:?}"),
            expected: "text or a number in each row".to_owned(),
        });
    }
    let mut of = Cells {
        path,
        group,
        position,
        budget,
    };
    match descriptor.physical_type() {
        Type::BYTE_ARRAY => of.read::<ByteArrayType>(|bytes| {
            let text = bytes.as_utf8().ok();
            text.map_or_else(|| "\u{fffd}".to_owned(), str::to_owned)
        }),
        Type::DOUBLE => of.read::<DoubleType>(|value| value.to_string()),
        Type::FLOAT => of.read::<FloatType>(|value| f64::from(*value).to_string()),
        Type::INT64 => of.read::<Int64Type>(|value| value.to_string()),
        Type::INT32 => of.read::<Int32Type>(|value| value.to_string()),
        Type::BOOLEAN => of.read::<BoolType>(|value| u8::from(*value).to_string()),
        other => Err(FormatError::Dtype {
            path: path.to_owned(),
            found: format!("{other} of column {place:?}"),
            expected: "text or numbers".to_owned(),
        }),
    }
}

/// A column of a row group.
struct Cells<'a> {
    path: &'a Path,
    group: &'a dyn RowGroupReader,
    position: usize,
    budget: &'a mut Budget,
}

impl Cells<'_> {
    fn read<T: DataType>(&mut self, text: fn(&T::T) -> String) -> Result<Vec<String>, FormatError> {
        let values = read_column::<T>(self.path, self.group, self.position, self.budget)?;
        let cells = values
            .iter()
            .map(|value| value.as_ref().map(text).unwrap_or_default());
        Ok(cells.collect())
    }
}
