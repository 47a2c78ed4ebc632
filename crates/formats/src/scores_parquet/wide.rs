//! Tables with one row per item, such as saved data frames.

use super::read::{PER_BYTE, check_pages, faulty, read_column};
use super::recorded_range;
use crate::budget::Budget;
use crate::delimited_text::DelimitedText;
use crate::positioned_file::PositionedFile;
use crate::{FormatError, Problem};
use half::f16;
use parquet::basic::{ConvertedType, LogicalType, Type};
use parquet::data_type::{
    BoolType, ByteArray, ByteArrayType, DataType, DoubleType, FixedLenByteArray, FixedLenByteArrayType, FloatType,
    Int32Type, Int64Type,
};
use parquet::errors::ParquetError;
use parquet::file::reader::{FileReader, RowGroupReader};
use parquet::file::serialized_reader::SerializedFileReader;
use parquet::schema::types::ColumnDescriptor;
use std::fs::File;
use std::path::Path;

/// pandas' name for the columns of an index without a name, which are row numbers or the items.
const INDEX: &str = "__index_level_";
const FIRST_INDEX: &str = "__index_level_0__";

/// How the cells of a column are read.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Kind {
    /// Text, numbers or booleans, as stored.
    Plain,
    /// Unsigned whole numbers.
    Unsigned,
    /// Floats of 16 bits.
    Half,
    /// Whole numbers, to be divided by this power of ten.
    Decimal(i32),
}

impl Kind {
    /// The kind; `None` for columns that are left out: nested ones, dates and times, and bytes that are neither text
    /// nor numbers.
    fn of(column: &ColumnDescriptor) -> Option<Kind> {
        if column.path().parts().len() != 1 {
            return None;
        }
        let stored = column.physical_type();
        // The library derives the older kind of type from the newer, except for 16-bit floats and nanoseconds.
        match (column.logical_type_ref(), column.converted_type()) {
            (Some(LogicalType::Timestamp(_) | LogicalType::Time(_)), _) => None,
            (Some(LogicalType::Float16), _) => Some(Kind::Half),
            (
                _,
                ConvertedType::DATE
                | ConvertedType::TIME_MILLIS
                | ConvertedType::TIME_MICROS
                | ConvertedType::TIMESTAMP_MILLIS
                | ConvertedType::TIMESTAMP_MICROS
                | ConvertedType::INTERVAL,
            ) => None,
            (_, ConvertedType::DECIMAL) => Some(Kind::Decimal(column.type_scale())),
            (_, ConvertedType::UINT_8 | ConvertedType::UINT_16 | ConvertedType::UINT_32 | ConvertedType::UINT_64) => {
                Some(Kind::Unsigned)
            }
            _ if matches!(stored, Type::INT96 | Type::FIXED_LEN_BYTE_ARRAY) => None,
            _ => Some(Kind::Plain),
        }
    }
}

/// The columns of text, numbers and booleans as cells; a missing value is an empty cell. The "line" of a row is its
/// number in the file, from 1. Nested columns and times are left out. An index of text comes first, without a name, as
/// in text tables; an index of row numbers is left out.
pub(super) fn read(path: &Path, reader: &SerializedFileReader<File>) -> Result<DelimitedText, FormatError> {
    let mut budget = Budget::of_file(path, PER_BYTE);
    let pages = PositionedFile::open(path)?;
    let schema = reader.metadata().file_metadata().schema_descr();
    let columns = schema.columns().iter().enumerate();
    let mut columns: Vec<(usize, Kind)> = columns
        .filter_map(|(place, column)| Some((place, Kind::of(column)?)))
        .filter(|&(place, kind)| {
            let column = schema.column(place);
            let is_text = column.physical_type() == Type::BYTE_ARRAY && kind == Kind::Plain;
            !column.name().starts_with(INDEX) || column.name() == FIRST_INDEX && is_text
        })
        .collect();
    columns.sort_by_key(|&(place, _)| schema.column(place).name() != FIRST_INDEX);
    let places: Vec<usize> = columns.iter().map(|&(place, _)| place).collect();
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
        let columns = columns.iter().map(|&column| cells(path, group, column, &mut budget));
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
    let header = places.iter().map(|&place| match schema.column(place).name() {
        FIRST_INDEX => String::new(),
        name => name.to_owned(),
    });
    let table = DelimitedText::of_cells(path, header.collect(), lines);
    table.refuse_repeated_columns()?;
    Ok(table)
}

/// A column of a row group as text that reads back as the same number.
fn cells(
    path: &Path,
    group: &dyn RowGroupReader,
    (place, kind): (usize, Kind),
    budget: &mut Budget,
) -> Result<Vec<String>, FormatError> {
    fn texts<T: DataType>(
        found: Vec<Option<T::T>>,
        text: impl Fn(T::T) -> Result<String, FormatError>,
    ) -> Result<Vec<String>, FormatError> {
        found.into_iter().map(|cell| cell.map_or(Ok(String::new()), &text)).collect()
    }
    let of_bytes = |bytes: ByteArray| {
        let text = std::str::from_utf8(bytes.data());
        text.map(str::to_owned)
            .map_err(|_| Problem::new("not UTF-8 text in a column; write it as UTF-8").at(path))
    };
    macro_rules! column {
        ($kind:ty, $text:expr) => {
            texts::<$kind>(read_column::<$kind>(path, group, place, budget)?, $text)
        };
    }
    let of_decimal = |unscaled: Option<i128>| match (unscaled, kind) {
        (Some(unscaled), Kind::Decimal(0)) => Ok(unscaled.to_string()),
        (Some(unscaled), Kind::Decimal(scale)) => Ok(format!("{unscaled}e-{scale}")),
        _ => {
            let found = format!(
                "a decimal of more than 38 digits in the column {:?}",
                group.metadata().column(place).column_path().string()
            );
            Err(Problem::content(found, "decimals of up to 38 digits, or floats").at(path))
        }
    };
    let of_half = |bytes: FixedLenByteArray| match bytes.data() {
        &[low, high] => Ok(f16::from_le_bytes([low, high]).to_f64().to_string()),
        other => {
            let reason = format!("a float of 16 bits in {} bytes", other.len());
            Err(faulty(path, &ParquetError::General(reason)))
        }
    };
    match (group.metadata().column(place).column_type(), kind) {
        (Type::BOOLEAN, _) => column!(BoolType, |value: bool| Ok(value.to_string())),
        (Type::INT32, Kind::Decimal(_)) => {
            column!(Int32Type, |value: i32| of_decimal(Some(value.into())))
        }
        (Type::INT64, Kind::Decimal(_)) => {
            column!(Int64Type, |value: i64| of_decimal(Some(value.into())))
        }
        (Type::BYTE_ARRAY, Kind::Decimal(_)) => {
            column!(ByteArrayType, |bytes: ByteArray| of_decimal(big_endian(bytes.data())))
        }
        (Type::FIXED_LEN_BYTE_ARRAY, Kind::Decimal(_)) => {
            column!(FixedLenByteArrayType, |bytes: FixedLenByteArray| { of_decimal(big_endian(bytes.data())) })
        }
        (Type::INT32, Kind::Unsigned) => {
            column!(Int32Type, |value: i32| Ok(value.cast_unsigned().to_string()))
        }
        (Type::INT64, Kind::Unsigned) => {
            column!(Int64Type, |value: i64| Ok(value.cast_unsigned().to_string()))
        }
        (Type::INT32, _) => column!(Int32Type, |value: i32| Ok(value.to_string())),
        (Type::INT64, _) => column!(Int64Type, |value: i64| Ok(value.to_string())),
        (Type::FLOAT, _) => column!(FloatType, |value: f32| Ok(f64::from(value).to_string())),
        (Type::DOUBLE, _) => {
            let values = read_column::<DoubleType>(path, group, place, budget)?;
            recorded_range::check(path, group, place, &values)?;
            texts::<DoubleType>(values, |value: f64| Ok(value.to_string()))
        }
        (Type::FIXED_LEN_BYTE_ARRAY, _) => column!(FixedLenByteArrayType, of_half),
        _ => column!(ByteArrayType, of_bytes),
    }
}

/// A whole number in two's complement, highest byte first; `None` without bytes and for more than 128 bits.
fn big_endian(bytes: &[u8]) -> Option<i128> {
    let sign = if *bytes.first()? < 0x80 { 0 } else { 0xff };
    let (high, low) = bytes.split_at(bytes.len().saturating_sub(16));
    let mut number = [sign; 16];
    number[16 - low.len()..].copy_from_slice(low);
    let number = i128::from_be_bytes(number);
    let is_whole = high.iter().all(|&byte| byte == sign) && (number < 0) == (sign != 0);
    is_whole.then_some(number)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn whole_numbers_of_any_width_up_to_128_bits_are_read() {
        for (bytes, expected) in [
            (&[5][..], Some(5)),
            (&[0xff], Some(-1)),
            (&[0xff, 0x7f], Some(-129)),
            (&[0, 0xff], Some(255)),
            (&[0; 40], Some(0)),
            (&[0xff; 40], Some(-1)),
            (&[], None),
        ] {
            assert_eq!(big_endian(bytes), expected, "{bytes:?}");
        }
        let largest = i128::MAX.to_be_bytes();
        assert_eq!(big_endian(&largest), Some(i128::MAX));
        assert_eq!(big_endian(&[&[0], &largest[..]].concat()), Some(i128::MAX));
        assert_eq!(big_endian(&[&[1], &largest[..]].concat()), None);
        assert_eq!(big_endian(&[&[0], &[0xff; 16][..]].concat()), None);
    }
}
