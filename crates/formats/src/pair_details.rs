//! `details.jsonl` and `details.parquet`: what each pair of a run matched, missed and invented.

use crate::columns_parquet::{self, Column, ColumnTable};
use crate::parser_words::of_json;
use crate::{FormatError, Problem, atomic_file, json};
use neurogauge_core::option_words::option;
use neurogauge_core::parallel;
use neurogauge_core::{DetailEntry, Dimension, PairDetails};
use std::path::Path;

/// Writes one line of JSON for each pair: its `stem`, and for each metric an object of levels, each with the lists
/// `matched`, `missed` and `invented`. An entry of a list has `reference` (of the stimulus), `reconstruction`, `how`
/// (`exact`, `synonym`, `embedding`), `similarity` (a cosine, or the overlap of masks), `threshold`,
/// `reference_dimension` and `reconstruction_dimension` (of [`Dimension`]), if they apply.
///
/// | metric | levels | entries |
/// |---|---|---|
/// | `object_f1` (also recall and precision) | `categories` | categories, with the highest score threshold at which it holds |
/// | `object_f1_vlm` | `categories` | names as they are compared |
/// | `basic_h` | `objects`, `attributes`, `relations` | phrases, with how and how similar, and their dimensions |
/// | `basic_l` | `salient`, `binary`, `semantic`, `instance`, `part` | names of masks, with their IoU |
/// | `n_way_accuracy` | `classes` | the stimulus's classes and the reconstruction's most probable one |
///
/// Lists are in a fixed order and numbers are the shortest decimals that read back to the same bits, so equal details
/// give equal bytes.
///
/// ```
/// use neurogauge_core::{DetailEntry, LevelDetails, PairDetails};
/// use neurogauge_formats::pair_details;
/// let details = LevelDetails { missed: vec![DetailEntry::of(Some("dog"), None)], ..LevelDetails::default() };
/// let levels = [("categories".to_owned(), details)].into();
/// let pair = PairDetails { stem: "7".into(), metrics: [("object_f1".to_owned(), levels)].into() };
/// # let dir = tempfile::tempdir()?;
/// # let path = dir.path().join("details.jsonl");
/// pair_details::write(&path, std::slice::from_ref(&pair))?;
/// let line = r#"{"stem":"7","object_f1":{"categories":{"matched":[],"missed":[{"reference":"dog"}],"invented":[]}}}"#;
/// assert_eq!(std::fs::read_to_string(&path)?.trim_end(), line);
/// assert_eq!(pair_details::read(&path)?, [pair]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn write(path: &Path, pairs: &[PairDetails]) -> Result<(), FormatError> {
    let line = |pair: &PairDetails| {
        let line = serde_json::to_vec(pair).map_err(|error| Problem::Io("encoding", error.into()).at(path));
        line.map(|line| [line.as_slice(), b"\n"].concat())
    };
    atomic_file::write(path, &parallel::try_map_each(pairs, line)?.concat())
}

/// Reads a file that [`write()`] wrote.
///
/// # Errors
/// The file is missing; a line is invalid, with its number.
pub fn read(path: &Path) -> Result<Vec<PairDetails>, FormatError> {
    let bytes = json::read_bytes(path, "the details of a run (details.jsonl)")?;
    let lines = bytes.split(|&byte| byte == b'\n').enumerate().filter(|(_, line)| !line.is_empty());
    let pair = |(index, line): (usize, &[u8])| {
        serde_json::from_slice(line).map_err(|error| {
            Problem::invalid(
                format!("line {}", index + 1),
                format!("{}; score again with {} to make a new one", of_json(&error), option("overwrite", "")),
            )
            .at(path)
        })
    };
    lines.map(pair).collect()
}

/// Writes the details as a long table, with a row for each entry: `stem`, `metric`, `level`, `kind` (`matched`,
/// `missed`, `invented`), `reference`, `reconstruction`, `how`, `similarity`, `threshold`, `reference_dimension`,
/// `reconstruction_dimension`.
pub fn write_table(path: &Path, pairs: &[PairDetails]) -> Result<(), FormatError> {
    columns_parquet::write_groups(path, "details", pairs.chunks(PAIRS_PER_GROUP).map(columns))
}

/// Number of pairs whose rows are in memory at once.
const PAIRS_PER_GROUP: usize = 128;

fn columns(pairs: &[PairDetails]) -> Vec<(String, Column)> {
    let rows = pairs.iter().flat_map(|pair| {
        let levels = pair.metrics.iter();
        let levels =
            levels.flat_map(|(metric, levels)| levels.iter().map(move |(level, details)| (metric, level, details)));
        levels.flat_map(move |(metric, level, details)| {
            details.rows().map(move |(kind, entry)| ([&pair.stem, metric, level], kind, entry))
        })
    });
    let name = |place: usize| move |row: &Row<'_>| row.0[place].clone();
    let table = ColumnTable::of(rows)
        .text("stem", name(0))
        .text("metric", name(1))
        .text("level", name(2))
        .text("kind", |row| row.1.to_owned())
        .some_text("reference", |row| row.2.reference.clone())
        .some_text("reconstruction", |row| row.2.reconstruction.clone())
        .some_text("how", |row| Some(row.2.how?.id().to_owned()))
        .number("similarity", |row| row.2.similarity)
        .number("threshold", |row| row.2.threshold)
        .some_text("reference_dimension", |row| name_of(row.2.reference_dimension))
        .some_text("reconstruction_dimension", |row| name_of(row.2.reconstruction_dimension));
    table.into_columns()
}

fn name_of(dimension: Option<Dimension>) -> Option<String> {
    Some(dimension?.id().to_owned())
}

/// Stem, metric and level; the list; the entry.
type Row<'a> = ([&'a String; 3], &'static str, &'a DetailEntry);
