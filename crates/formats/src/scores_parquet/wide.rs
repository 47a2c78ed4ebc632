//! Tables with a row per item, as data frames are saved.

use super::read::{PER_BYTE, check_pages, faulty, read_column};
use super::recorded_range;
use crate::FormatError;
use crate::budget::Budget;
use crate::delimited_text::DelimitedText;
use crate::positioned_file::PositionedFile;
use parquet::basic::Type;
use parquet::data_type::{
    BoolType, ByteArray, ByteArrayType, DataType, DoubleType, FloatType, Int32Type, Int64Type,
};
use parquet::errors::ParquetError;
use parquet::file::reader::{FileReader, RowGroupReader};
use parquet::file::serialized_reader::SerializedFileReader;
use std::fs::File;
use std::path::Path;

/// How pandas calls the numbers of rows.
const ROW_NUMBERS: &str = "__index_level_";

/// The columns of text, numbers and truth values as cells; a missing value is an empty cell. The "line" of a row is its number in the
/// file, from 1. Nested columns, and those of times, are left out.
pub(super) fn read(
    path: &Path,
    reader: &SerializedFileReader<File>,
) -> Result<DelimitedText, FormatError> {
    let mut budget = Budget::of_file(path, PER_BYTE);
    let pages = PositionedFile::open(path)?;
    let schema = reader.metadata().file_metadata().schema_descr();
    let is_cells = |place: &usize| {
        let column = schema.column(*place);
        let is_known = !matches!(
            column.physical_type(),
            Type::INT96 | Type::FIXED_LEN_BYTE_ARRAY
        );
        is_known && column.path().parts().len() == 1 && !column.name().starts_with(ROW_NUMBERS)
    };
    let places: Vec<usize> = (0..schema.num_columns()).filter(is_cells).collect();
    if places.is_empty() {
        let reason = "no column of text or numbers; expected one of items and one for each metric";
        return Err(faulty(path, &ParquetError::General(reason.to_owned())));
    }
    let mut lines: Vec<(usize, Vec<String>)> = Vec::new();
    for group in 0..reader.num_row_groups() {
        let group = reader.get_row_group(group);
        let group = group.map_err(|error| faulty(path, &error))?;
        let group = group.as_ref();
        check_pages(&pages, group, &places)?;
        let columns = places
            .iter()
            .map(|&place| cells(path, group, place, &mut budget));
        let columns: Vec<Vec<String>> = columns.collect::<Result<_, _>>()?;
        let n_rows = columns[0].len();
        if columns.iter().any(|column| column.len() != n_rows) {
            let reason = "the columns have different numbers of rows".to_owned();
            return Err(faulty(path, &ParquetError::General(reason)));
        }
        let mut columns: Vec<_> = columns.into_iter().map(Vec::into_iter).collect();
        lines.extend((0..n_rows).map(|row| {
            let cells = columns.iter_mut().filter_map(Iterator::next).collect();
            (1 + row, cells)
        }));
    }
    for (row, line) in lines.iter_mut().enumerate() {
        line.0 = 1 + row;
    }
    let header = places
        .iter()
        .map(|&place| schema.column(place).name().to_owned());
    let table = DelimitedText::of_cells(path, header.collect(), lines);
    table.refuse_repeated_columns()?;
    Ok(table)
}

/// A column of a row group as text, which reads back as the same number.
fn cells(
    path: &Path,
    group: &dyn RowGroupReader,
    place: usize,
    budget: &mut Budget,
) -> Result<Vec<String>, FormatError> {
    fn texts<T: DataType>(
        found: Vec<Option<T::T>>,
        text: impl Fn(T::T) -> Result<String, FormatError>,
    ) -> Result<Vec<String>, FormatError> {
        let cells = found.into_iter();
        cells
            .map(|cell| cell.map_or(Ok(String::new()), &text))
            .collect()
    }
    let of_bytes = |bytes: ByteArray| {
        let text = std::str::from_utf8(bytes.data());
        let reason = |error| ParquetError::General(format!("not UTF-8 text: {error}"));
        text.map(str::to_owned)
            .map_err(|error| faulty(path, &reason(error)))
    };
    macro_rules! column {
        ($kind:ty, $text:expr) => {
            texts::<$kind>(read_column::<$kind>(path, group, place, budget)?, $text)
        };
    }
    match group.metadata().column(place).column_type() {
        Type::BOOLEAN => column!(BoolType, |value: bool| Ok(value.to_string())),
        Type::INT32 => column!(Int32Type, |value: i32| Ok(value.to_string())),
        Type::INT64 => column!(Int64Type, |value: i64| Ok(value.to_string())),
        Type::FLOAT => column!(FloatType, |value: f32| Ok(f64::from(value).to_string())),
        Type::DOUBLE => {
            let values = read_column::<DoubleType>(path, group, place, budget)?;
            recorded_range::check(path, group, place, &values)?;
            texts::<DoubleType>(values, |value: f64| Ok(value.to_string()))
        }
        _ => column!(ByteArrayType, of_bytes),
    }
}
