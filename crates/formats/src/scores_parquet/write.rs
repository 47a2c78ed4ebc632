//! Score table to Parquet.

use crate::{FormatError, atomic_file};
use neurogauge_core::ScoreTable;
use parquet::basic::Compression;
use parquet::data_type::{ByteArray, ByteArrayType, DataType, DoubleType};
use parquet::errors::ParquetError;
use parquet::file::properties::{EnabledStatistics, WriterProperties, WriterVersion};
use parquet::file::writer::{SerializedFileWriter, SerializedRowGroupWriter};
use parquet::schema::parser::parse_message_type;
use std::collections::HashSet;
use std::path::Path;
use std::sync::Arc;

const SCHEMA: &str = "message scores {
    REQUIRED BYTE_ARRAY pair (UTF8);
    REQUIRED BYTE_ARRAY metric (UTF8);
    OPTIONAL DOUBLE value;
    OPTIONAL BYTE_ARRAY undefined (UTF8);
}";

/// Writes the outcomes of a run, metric by metric in the order of the table.
///
/// Columns: `pair` and `metric` (text), `value` (double, null where there is none), `undefined`
/// (the reason as text, null where there is a value); Snappy; the same table gives the same bytes.
/// A table without metrics becomes a file without rows, which forgets its pairs.
///
/// # Errors
/// A column of another length than the pairs, a pair or metric that stands twice, a value
/// that is NaN or infinite (that is an undefined outcome and needs a reason).
///
/// ```
/// use neurogauge_core::{ScoreTable, Side, Undefined};
/// use neurogauge_formats::scores_parquet;
/// # let dir = tempfile::tempdir()?;
/// # let path = dir.path().join("scores.parquet");
/// let mut table = ScoreTable::new(vec!["0".to_owned(), "1".to_owned()]);
/// let outcomes = vec![Ok(0.25), Err(Undefined::Constant(Side::Gt))];
/// table.columns.push(("pixcorr".to_owned(), outcomes));
/// scores_parquet::write(&path, &table)?;
/// let again = scores_parquet::read(&path)?;
/// assert_eq!(again.column("pixcorr").unwrap()[0], Ok(0.25));
/// let reason = again.column("pixcorr").unwrap()[1].clone().unwrap_err();
/// assert_eq!(reason, Undefined::Recorded("constant stimulus".to_owned()));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn write(path: &Path, table: &ScoreTable) -> Result<(), FormatError> {
    refuse_faulty(path, table)?;
    let bytes = to_bytes(table).map_err(|error| FormatError::Malformed {
        path: path.to_owned(),
        reason: error.to_string(),
    })?;
    atomic_file::write(path, &bytes)
}

fn refuse_faulty(path: &Path, table: &ScoreTable) -> Result<(), FormatError> {
    let invalid = |place: String, reason: String| {
        Err(FormatError::Invalid {
            path: path.to_owned(),
            place,
            reason,
        })
    };
    let mut pairs = HashSet::new();
    if let Some(pair) = table.pairs.iter().find(|pair| !pairs.insert(*pair)) {
        return invalid(format!("pair {pair:?}"), "stands twice".to_owned());
    }
    let mut metrics = HashSet::new();
    for (metric, outcomes) in &table.columns {
        let place = format!("metric {metric:?}");
        if !metrics.insert(metric) {
            return invalid(place, "stands twice".to_owned());
        }
        if outcomes.len() != table.pairs.len() {
            let (found, expected) = (outcomes.len(), table.pairs.len());
            return invalid(place, format!("{found} outcomes for {expected} pairs"));
        }
        for (pair, outcome) in table.pairs.iter().zip(outcomes) {
            if let Ok(value) = outcome
                && !value.is_finite()
            {
                return Err(FormatError::NonFinite {
                    path: path.to_owned(),
                    place: format!("{place} of pair {pair:?}"),
                    value: *value,
                });
            }
        }
    }
    Ok(())
}

fn to_bytes(table: &ScoreTable) -> Result<Vec<u8>, ParquetError> {
    let properties = WriterProperties::builder()
        .set_created_by("neurogauge".to_owned())
        .set_writer_version(WriterVersion::PARQUET_1_0)
        .set_compression(Compression::SNAPPY)
        .set_statistics_enabled(EnabledStatistics::Chunk)
        .build();
    let schema = Arc::new(parse_message_type(SCHEMA)?);
    let mut file = SerializedFileWriter::new(Vec::new(), schema, Arc::new(properties))?;

    let n_rows = table.pairs.len() * table.columns.len();
    let mut pair = Vec::with_capacity(n_rows);
    let mut metric = Vec::with_capacity(n_rows);
    let (mut value, mut value_levels) = (Vec::new(), Vec::with_capacity(n_rows));
    let (mut undefined, mut undefined_levels) = (Vec::new(), Vec::with_capacity(n_rows));
    for (id, outcomes) in &table.columns {
        let id = ByteArray::from(id.as_str());
        for (stem, outcome) in table.pairs.iter().zip(outcomes) {
            pair.push(ByteArray::from(stem.as_str()));
            metric.push(id.clone());
            value_levels.push(i16::from(outcome.is_ok()));
            undefined_levels.push(i16::from(outcome.is_err()));
            match outcome {
                Ok(number) => value.push(*number),
                Err(reason) => undefined.push(ByteArray::from(reason.to_string().as_str())),
            }
        }
    }
    if n_rows > 0 {
        let mut rows = file.next_row_group()?;
        write_column::<ByteArrayType>(&mut rows, &pair, None)?;
        write_column::<ByteArrayType>(&mut rows, &metric, None)?;
        write_column::<DoubleType>(&mut rows, &value, Some(&value_levels))?;
        write_column::<ByteArrayType>(&mut rows, &undefined, Some(&undefined_levels))?;
        rows.close()?;
    }
    file.into_inner()
}

fn write_column<T: DataType>(
    rows: &mut SerializedRowGroupWriter<'_, Vec<u8>>,
    values: &[T::T],
    present: Option<&[i16]>,
) -> Result<(), ParquetError> {
    let Some(mut column) = rows.next_column()? else {
        return Err(ParquetError::General(
            "the schema lacks a column".to_owned(),
        ));
    };
    column.typed::<T>().write_batch(values, present, None)?;
    column.close()
}
