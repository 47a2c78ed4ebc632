//! Writes tables of named columns to Parquet.

use crate::checksummed_pages::ChecksummedPages;
use crate::{FormatError, Problem, atomic_file};
use bytes::Bytes;
use parquet::basic::Compression;
use parquet::column::writer::{ColumnCloseResult, get_column_writer, get_typed_column_writer};
use parquet::data_type::{ByteArray, ByteArrayType, DataType, DoubleType, Int64Type};
use parquet::errors::ParquetError;
use parquet::file::properties::{EnabledStatistics, WriterProperties, WriterPropertiesPtr, WriterVersion};
use parquet::file::writer::SerializedFileWriter;
use parquet::schema::parser::parse_message_type;
use parquet::schema::types::ColumnDescPtr;
use std::path::Path;
use std::sync::Arc;

/// One column of a table.
#[derive(Debug, Clone, PartialEq)]
pub enum Column {
    /// Text in every row.
    Text(Vec<String>),
    /// Text, possibly missing.
    SomeText(Vec<Option<String>>),
    Whole(Vec<i64>),
    /// Numbers, possibly missing.
    Number(Vec<Option<f64>>),
}

impl Column {
    fn len(&self) -> usize {
        match self {
            Column::Text(values) => values.len(),
            Column::SomeText(values) => values.len(),
            Column::Whole(values) => values.len(),
            Column::Number(values) => values.len(),
        }
    }

    fn declaration(&self) -> &'static str {
        match self {
            Column::Text(_) => "REQUIRED BYTE_ARRAY {} (UTF8)",
            Column::SomeText(_) => "OPTIONAL BYTE_ARRAY {} (UTF8)",
            Column::Whole(_) => "REQUIRED INT64 {}",
            Column::Number(_) => "OPTIONAL DOUBLE {}",
        }
    }
}

/// A table under construction: its rows, and the columns so far.
///
/// ```
/// use neurogauge_formats::columns_parquet::{Column, ColumnTable};
/// let table = ColumnTable::of([("resnet50", 0.75), ("vgg16", f64::NAN)])
///     .text("source", |row| row.0.to_owned())
///     .number("coverage", |row| Some(row.1).filter(|value| value.is_finite()));
/// assert_eq!(table.columns()[1].1, Column::Number(vec![Some(0.75), None]));
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct ColumnTable<T> {
    rows: Vec<T>,
    columns: Vec<(String, Column)>,
}

impl<T> ColumnTable<T> {
    /// A table of these rows, still without columns.
    pub fn of(rows: impl IntoIterator<Item = T>) -> Self {
        ColumnTable {
            rows: rows.into_iter().collect(),
            columns: Vec::new(),
        }
    }

    fn column<V>(mut self, name: &str, of: impl Fn(&T) -> V, wrap: fn(Vec<V>) -> Column) -> Self {
        let values = self.rows.iter().map(of).collect();
        self.columns.push((name.to_owned(), wrap(values)));
        self
    }

    /// Adds a column of text.
    pub fn text(self, name: &str, of: impl Fn(&T) -> String) -> Self {
        self.column(name, of, Column::Text)
    }

    /// Adds a column of text that may be missing.
    pub fn some_text(self, name: &str, of: impl Fn(&T) -> Option<String>) -> Self {
        self.column(name, of, Column::SomeText)
    }

    /// Adds a column of whole numbers.
    pub fn whole(self, name: &str, of: impl Fn(&T) -> usize) -> Self {
        self.column(name, |row| of(row) as i64, Column::Whole)
    }

    /// Adds a column of numbers that may be missing.
    pub fn number(self, name: &str, of: impl Fn(&T) -> Option<f64>) -> Self {
        self.column(name, of, Column::Number)
    }

    /// The columns so far.
    pub fn columns(&self) -> &[(String, Column)] {
        &self.columns
    }

    /// Takes the columns.
    pub fn into_columns(self) -> Vec<(String, Column)> {
        self.columns
    }
}

/// Writes columns of equal length, with Snappy compression and a checksum for each page; equal tables give equal bytes.
/// Names consist of letters, digits and `_`.
///
/// # Errors
/// The length of a column differs from the first; a number is NaN or infinite (omit it instead); errors of the system.
///
/// ```
/// use neurogauge_formats::columns_parquet::{Column, write};
/// # let dir = tempfile::tempdir()?;
/// # let path = dir.path().join("profiles.parquet");
/// let source = Column::Text(vec!["resnet50".into(), "resnet50".into()]);
/// let coverage = Column::Number(vec![Some(0.75), None]);
/// write(&path, "profiles", &[("source", source), ("coverage", coverage)])?;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn write<N: AsRef<str>>(path: &Path, table: &str, columns: &[(N, Column)]) -> Result<(), FormatError> {
    write_groups(path, table, [columns])
}

/// Writes a table in parts, all with the same columns as the first; only one part is in memory at a time. Without
/// parts, nothing is written.
///
/// # Errors
/// Errors of [`write()`]; a part has other columns.
pub fn write_groups<N: AsRef<str>, G: AsRef<[(N, Column)]>>(
    path: &Path,
    table: &str,
    groups: impl IntoIterator<Item = G>,
) -> Result<(), FormatError> {
    let failed = |error: ParquetError| Problem::Io("encoding", std::io::Error::other(error)).at(path);
    let mut groups = groups.into_iter();
    let Some(first) = groups.next() else {
        return Ok(());
    };
    check(path, first.as_ref())?;
    let mut file = begin(table, first.as_ref()).map_err(failed)?;
    write_group(&mut file, first.as_ref()).map_err(failed)?;
    drop(first);
    for group in groups {
        check(path, group.as_ref())?;
        write_group(&mut file, group.as_ref()).map_err(failed)?;
    }
    atomic_file::write(path, &file.into_inner().map_err(failed)?)
}

/// Checks that all columns have as many values as the first, and that every number is finite.
fn check<N: AsRef<str>>(path: &Path, columns: &[(N, Column)]) -> Result<(), FormatError> {
    let n_rows = columns.first().map_or(0, |(_, column)| column.len());
    for (name, column) in columns {
        let place = || format!("column {}", name.as_ref());
        if column.len() != n_rows {
            return Err(Problem::invalid(place(), format!("{} values for {n_rows} rows", column.len())).at(path));
        }
        if let Column::Number(values) = column
            && let Some(value) = values.iter().flatten().find(|value| !value.is_finite())
        {
            return Err(Problem::non_finite(place(), *value).at(path));
        }
    }
    Ok(())
}

type File = SerializedFileWriter<Vec<u8>>;

fn begin<N: AsRef<str>>(table: &str, columns: &[(N, Column)]) -> Result<File, ParquetError> {
    let properties = WriterProperties::builder()
        .set_created_by("neurogauge".to_owned())
        .set_writer_version(WriterVersion::PARQUET_1_0)
        .set_compression(Compression::SNAPPY)
        .set_statistics_enabled(EnabledStatistics::Chunk)
        .build();
    let fields: String = columns
        .iter()
        .map(|(name, column)| column.declaration().replace("{}", name.as_ref()) + ";\n")
        .collect();
    let schema = parse_message_type(&format!("message {table} {{\n{fields}}}"))?;
    SerializedFileWriter::new(Vec::new(), Arc::new(schema), Arc::new(properties))
}

fn write_group<N>(file: &mut File, columns: &[(N, Column)]) -> Result<(), ParquetError> {
    if columns.first().is_none_or(|(_, column)| column.len() == 0) {
        return Ok(());
    }
    let places = file.schema_descr().columns().to_vec();
    let properties = file.properties().clone();
    let mut rows = file.next_row_group()?;
    for (place, (_, column)) in columns.iter().enumerate() {
        let Some(place) = places.get(place) else {
            return Err(ParquetError::General("the schema lacks a column".to_owned()));
        };
        let (bytes, written) = written(place, &properties, column)?;
        rows.append_column(&Bytes::from(bytes), written)?;
    }
    rows.close()?;
    Ok(())
}

type Pages = (Vec<u8>, ColumnCloseResult);

fn written(place: &ColumnDescPtr, properties: &WriterPropertiesPtr, column: &Column) -> Result<Pages, ParquetError> {
    let text = |value: &String| ByteArray::from(value.as_str());
    let at = (place, properties);
    match column {
        Column::Text(values) => {
            let values: Vec<ByteArray> = values.iter().map(text).collect();
            pages::<ByteArrayType>(at, &values, None)
        }
        Column::SomeText(values) => {
            let present: Vec<ByteArray> = values.iter().flatten().map(text).collect();
            pages::<ByteArrayType>(at, &present, Some(&levels(values)))
        }
        Column::Whole(values) => pages::<Int64Type>(at, values, None),
        Column::Number(values) => {
            let present: Vec<f64> = values.iter().flatten().copied().collect();
            pages::<DoubleType>(at, &present, Some(&levels(values)))
        }
    }
}

/// For each value, 1 if it exists, otherwise 0.
fn levels<T>(values: &[Option<T>]) -> Vec<i16> {
    values.iter().map(|value| i16::from(value.is_some())).collect()
}

fn pages<T: DataType>(
    (place, properties): (&ColumnDescPtr, &WriterPropertiesPtr),
    values: &[T::T],
    present: Option<&[i16]>,
) -> Result<Pages, ParquetError> {
    let mut bytes = Vec::new();
    let pages = Box::new(ChecksummedPages(&mut bytes));
    let writer = get_column_writer(place.clone(), properties.clone(), pages);
    let mut column = get_typed_column_writer::<T>(writer);
    column.write_batch(values, present, None)?;
    let written = column.close()?;
    Ok((bytes, written))
}

#[cfg(test)]
mod tests {
    use super::*;
    use parquet::file::reader::{FileReader, SerializedFileReader};
    use parquet::record::RowAccessor;

    fn part(names: &[&str]) -> Vec<(&'static str, Column)> {
        let names = names.iter().map(|name| (*name).to_owned());
        vec![("name", Column::Text(names.collect()))]
    }

    #[test]
    fn parts_follow_one_another() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("table.parquet");
        write_groups(&path, "names", [part(&["a", "b"]), part(&["c"])]).unwrap();
        let file = SerializedFileReader::new(std::fs::File::open(&path).unwrap()).unwrap();
        assert_eq!(file.num_row_groups(), 2);
        let rows = file.get_row_iter(None).unwrap();
        let names: Vec<String> = rows.map(|row| row.unwrap().get_string(0).unwrap().clone()).collect();
        assert_eq!(names, ["a", "b", "c"]);
    }

    #[test]
    fn a_part_of_another_shape_writes_nothing() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("table.parquet");
        let mut wider = part(&["c"]);
        wider.push(("more", Column::Whole(vec![1])));
        let error = write_groups(&path, "names", [part(&["a"]), wider]).unwrap_err();
        assert!(error.to_string().contains("the schema lacks a column"), "{error}");
        assert!(!path.exists());
        write_groups::<&str, Vec<(&str, Column)>>(&path, "names", []).unwrap();
        assert!(!path.exists());
    }
}
