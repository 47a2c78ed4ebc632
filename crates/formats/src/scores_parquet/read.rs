//! Reads score tables from Parquet.

use super::{COLUMNS, page_sizes, recorded_range, wide};
use crate::budget::Budget;
use crate::delimited_text::DelimitedText;
use crate::parser_words::of_decoder;
use crate::positioned_file::PositionedFile;
use crate::regular_file;
use crate::{FormatError, IoResult, Problem};
use indexmap::IndexSet;
use neurogauge_core::{Outcome, ScoreTable, Undefined};
use parquet::basic::{Compression, Type};
use parquet::column::page::{Page, PageMetadata, PageReader};
use parquet::column::reader::{get_column_reader, get_typed_column_reader};
use parquet::data_type::{ByteArray, ByteArrayType, DataType, DoubleType};
use parquet::errors::ParquetError;
use parquet::file::reader::{FileReader, RowGroupReader};
use parquet::file::serialized_reader::SerializedFileReader;
use std::collections::HashMap;
use std::fs::File;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;

/// The most bytes of memory per byte of a file: names of pairs and metrics occur once in the file, but in memory in
/// every row.
pub(super) const PER_BYTE: u64 = 1000;

/// Reads the outcomes of a run.
///
/// Metrics and pairs are in the order of their first rows, so a table written by [`write`](super::write) keeps its
/// order; rows in any other order are accepted too. Reasons are read as [`Undefined::Recorded`], with the same text.
///
/// # Errors
/// The file is not a Parquet file; a column is missing or has the wrong type; a row has both a value and a reason, or
/// neither; a combination of pair and metric is duplicate or missing.
pub fn read(path: &Path) -> Result<ScoreTable, FormatError> {
    guarded(path, |file| read_rows(path, &opened(path, file)?))
}

/// The content of a Parquet file.
pub(crate) enum Scores {
    /// One row per metric and pair, as [`write`](super::write) writes it.
    OfRun(ScoreTable),
    /// One row per item and one column per metric.
    Wide(DelimitedText),
}

/// Reads the outcomes of a run, or a table with other columns.
pub(crate) fn read_any(path: &Path) -> Result<Scores, FormatError> {
    guarded(path, |file| {
        let reader = opened(path, file)?;
        match COLUMNS.iter().any(|name| position(&reader, name).is_none()) {
            true => wide::read(path, &reader).map(Scores::Wide),
            false => read_rows(path, &reader).map(Scores::OfRun),
        }
    })
}

/// Opens a file and calls `read` with it. The Parquet library panics on some damaged files, which must not end the
/// program.
fn guarded<T>(path: &Path, read: impl FnOnce(File) -> Result<T, FormatError>) -> Result<T, FormatError> {
    let file = regular_file::open(path).when_expecting("opening", path, "the scores of a run (scores.parquet)")?;
    catch_unwind(AssertUnwindSafe(|| read(file)))
        .unwrap_or_else(|_| Err(Problem::new("a damaged Parquet file; score again to make a new one").at(path)))
}

fn opened(path: &Path, file: File) -> Result<SerializedFileReader<File>, FormatError> {
    SerializedFileReader::new(file).map_err(|error| faulty(path, &error))
}

pub(super) fn faulty(path: &Path, error: &ParquetError) -> FormatError {
    let reason = error.to_string();
    Problem::new(match reason.contains("checksum") {
        true => "a page is not what its checksum says: the file is damaged; restore it, or make it again".to_owned(),
        false => format!("not a readable Parquet file: {}", of_decoder(reason)),
    })
    .at(path)
}

/// The position of a column.
fn position(reader: &SerializedFileReader<File>, name: &str) -> Option<usize> {
    let mut columns = reader.metadata().file_metadata().schema_descr().columns().iter();
    columns.position(|column| column.path().parts() == [name])
}

fn read_rows(path: &Path, reader: &SerializedFileReader<File>) -> Result<ScoreTable, FormatError> {
    let mut budget = Budget::of_file(path, PER_BYTE);
    let pages = PositionedFile::open(path)?;
    let [pair, metric, value, undefined] = column_positions(path, reader)?;

    let mut rows = Rows::new(path);
    for group in 0..reader.num_row_groups() {
        let group = reader.get_row_group(group);
        let group = group.map_err(|error| faulty(path, &error))?;
        let group = group.as_ref();
        check_pages(&pages, group, &[pair, metric, value, undefined])?;
        let pairs = read_column::<ByteArrayType>(path, group, pair, &mut budget)?;
        let metrics = read_column::<ByteArrayType>(path, group, metric, &mut budget)?;
        let values = read_column::<DoubleType>(path, group, value, &mut budget)?;
        let reasons = read_column::<ByteArrayType>(path, group, undefined, &mut budget)?;
        recorded_range::check(path, group, value, &values)?;
        let n_rows = pairs.len();
        if [metrics.len(), values.len(), reasons.len()] != [n_rows; 3] {
            let reason = "the columns have different numbers of rows".to_owned();
            return Err(faulty(path, &ParquetError::General(reason)));
        }
        for row in 0..n_rows {
            rows.add(&pairs[row], &metrics[row], values[row], &reasons[row])?;
        }
    }
    rows.into_table()
}

/// Fails if these columns have an unsupported compression, or if a page announces more bytes than it can have.
pub(super) fn check_pages(
    pages: &PositionedFile,
    group: &dyn RowGroupReader,
    columns: &[usize],
) -> Result<(), FormatError> {
    columns.iter().try_for_each(|&column| {
        let column = group.metadata().column(column);
        let compression = column.compression();
        if !matches!(compression, Compression::UNCOMPRESSED | Compression::SNAPPY) {
            let name = format!("{compression:?}");
            return Err(Problem::new(format_args!(
                "the column {:?} is compressed with {}; expected Snappy or no compression: write the file with \
                 compression=\"snappy\" (in pandas, pyarrow and Polars)",
                column.column_path().string(),
                name.split('(').next().unwrap_or_default()
            ))
            .at(pages.path()));
        }
        let (start, length) = column.byte_range();
        page_sizes::check(pages, start, start.saturating_add(length))
    })
}

fn column_positions(path: &Path, reader: &SerializedFileReader<File>) -> Result<[usize; 4], FormatError> {
    let schema = reader.metadata().file_metadata().schema_descr();
    let mut positions = [0; 4];
    for (place, name) in positions.iter_mut().zip(COLUMNS) {
        let (expected, words) = match name {
            "value" => (Type::DOUBLE, "double"),
            _ => (Type::BYTE_ARRAY, "text"),
        };
        let Some(found) = position(reader, name) else {
            let present: Vec<_> = schema.columns().iter().map(|column| column.path().string()).collect();
            return Err(
                Problem::new(format_args!("no column {name:?}, only {present:?}; expected {COLUMNS:?}")).at(path)
            );
        };
        let column = schema.column(found);
        if column.physical_type() != expected || column.max_rep_level() > 0 {
            return Err(Problem::dtype(format!("{} of column {name:?}", column.physical_type()), words).at(path));
        }
        *place = found;
    }
    Ok(positions)
}

/// All values of a column in a row group; `None` for null.
pub(super) fn read_column<T: DataType>(
    path: &Path,
    group: &dyn RowGroupReader,
    position: usize,
    budget: &mut Budget,
) -> Result<Vec<Option<T::T>>, FormatError> {
    /// The number of rows in the metadata is not used, since a damaged file may state any number.
    const ROWS_AT_ONCE: usize = 8192;
    let faulty = |error: ParquetError| faulty(path, &error);
    let column = group.metadata().column(position);
    let optional = column.column_descr().max_def_level() > 0;
    let unpacked = u64::try_from(column.uncompressed_size()).unwrap_or(u64::MAX);
    let place = format!("the column {:?}", column.column_path().string());
    budget.spend(unpacked).map_err(|exceeded| exceeded.of(path, &place))?;
    let pages = PlausiblePages(group.get_column_page_reader(position).map_err(faulty)?);
    let reader = get_column_reader(column.column_descr_ptr(), Box::new(pages));
    let mut reader = get_typed_column_reader::<T>(reader);
    let mut column = Vec::new();
    loop {
        let (mut values, mut levels) = (Vec::new(), Vec::new());
        let (n_rows, ..) = reader.read_records(ROWS_AT_ONCE, Some(&mut levels), None, &mut values).map_err(faulty)?;
        if n_rows == 0 {
            return Ok(column);
        }
        // A row of a few bits needs this much memory.
        let bytes = n_rows * size_of::<Option<T::T>>();
        budget.spend(bytes as u64).map_err(|exceeded| exceeded.of(path, &place))?;
        let mut values = values.into_iter();
        if optional {
            for level in levels {
                column.push(if level > 0 { values.next() } else { None });
            }
        } else {
            column.extend(values.map(Some));
        }
    }
}

/// The pages of a column. A page must not announce more values than its bytes can contain, because the library would
/// allocate memory for them.
struct PlausiblePages(Box<dyn PageReader>);

impl PageReader for PlausiblePages {
    fn get_next_page(&mut self) -> Result<Option<Page>, ParquetError> {
        let page = self.0.get_next_page()?;
        if let Some(Page::DictionaryPage { buf, num_values, .. }) = &page
            && *num_values as usize > buf.len()
        {
            return Err(ParquetError::General(format!("a dictionary of {num_values} values in {} bytes", buf.len())));
        }
        Ok(page)
    }

    fn peek_next_page(&mut self) -> Result<Option<PageMetadata>, ParquetError> {
        self.0.peek_next_page()
    }

    fn skip_next_page(&mut self) -> Result<(), ParquetError> {
        self.0.skip_next_page()
    }
}

impl Iterator for PlausiblePages {
    type Item = Result<Page, ParquetError>;

    fn next(&mut self) -> Option<Self::Item> {
        self.get_next_page().transpose()
    }
}

/// The rows so far, in order of first appearance of pairs and metrics.
struct Rows<'a> {
    path: &'a Path,
    n_rows: usize,
    pairs: IndexSet<String>,
    metrics: IndexSet<String>,
    outcomes: HashMap<(usize, usize), Outcome>,
}

impl<'a> Rows<'a> {
    fn new(path: &'a Path) -> Self {
        Rows {
            path,
            n_rows: 0,
            pairs: IndexSet::new(),
            metrics: IndexSet::new(),
            outcomes: HashMap::new(),
        }
    }

    fn add(
        &mut self,
        pair: &Option<ByteArray>,
        metric: &Option<ByteArray>,
        value: Option<f64>,
        reason: &Option<ByteArray>,
    ) -> Result<(), FormatError> {
        let (Some(pair), Some(metric)) = (self.text(pair)?, self.text(metric)?) else {
            return Err(self.invalid("no pair or no metric; expected the name of both"));
        };
        let outcome = match (value, self.text(reason)?) {
            (Some(value), None) if value.is_finite() => Ok(value),
            (None, Some(reason)) => Err(Undefined::Recorded(reason.to_owned())),
            (value, reason) => {
                let reason = format!(
                    "value {value:?}, undefined {reason:?}; expected a finite value or a reason \
                     why there is none"
                );
                return Err(self.invalid(&reason));
            }
        };
        let place = |names: &mut IndexSet<String>, name: &str| {
            names.get_index_of(name).unwrap_or_else(|| names.insert_full(name.to_owned()).0)
        };
        let (pair, metric) = (place(&mut self.pairs, pair), place(&mut self.metrics, metric));
        if self.outcomes.insert((metric, pair), outcome).is_some() {
            let (pair, metric) = (&self.pairs[pair], &self.metrics[metric]);
            let reason = format!("metric {metric:?} of pair {pair:?} occurs twice");
            return Err(self.invalid(&reason));
        }
        self.n_rows += 1;
        Ok(())
    }

    fn into_table(mut self) -> Result<ScoreTable, FormatError> {
        let mut columns = Vec::with_capacity(self.metrics.len());
        for (metric_index, metric) in self.metrics.iter().enumerate() {
            let mut outcomes = Vec::with_capacity(self.pairs.len());
            for (pair_index, pair) in self.pairs.iter().enumerate() {
                match self.outcomes.remove(&(metric_index, pair_index)) {
                    Some(outcome) => outcomes.push(outcome),
                    None => {
                        let reason = format!("no row for pair {pair:?}; expected one for each pair");
                        return Err(Problem::invalid(format!("metric {metric:?}"), reason).at(self.path));
                    }
                }
            }
            columns.push((metric.clone(), outcomes));
        }
        Ok(ScoreTable {
            pairs: self.pairs.into_iter().collect(),
            columns,
        })
    }

    fn text<'t>(&self, bytes: &'t Option<ByteArray>) -> Result<Option<&'t str>, FormatError> {
        bytes
            .as_ref()
            .map(|bytes| std::str::from_utf8(bytes.data()))
            .transpose()
            .map_err(|_| self.invalid("not UTF-8 text; write it as UTF-8"))
    }

    fn invalid(&self, reason: &str) -> FormatError {
        Problem::invalid(format!("row {}", self.n_rows), reason).at(self.path)
    }
}
