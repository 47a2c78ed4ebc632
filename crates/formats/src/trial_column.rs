//! One entry for each trial or voxel: from a text list, a column of a table, or an array of whole numbers.

use crate::delimited_text::{self, DelimitedText, Number, number};
use crate::member::split_member;
use crate::stem_listing::has_ending;
use crate::{FormatError, Problem, whole_numbers};
use std::path::Path;

/// The expected content in messages.
const TABLE: &str = "a table with one line for each trial or voxel";

/// Does the file have a table's extension (`.csv`, `.tsv`)?
pub fn is_table(path: &Path) -> bool {
    has_ending(path, &["csv", "tsv"])
}

/// The entries as text: the column of a table (`trials.csv:stimulus`; a table with a single column needs no name), the
/// lines of a `.txt`, or the numbers of an array.
///
/// # Errors
/// Errors of the formats; an unnamed or missing column; an empty entry, with its line.
///
/// ```
/// use neurogauge_formats::trial_column;
/// let folder = tempfile::tempdir().unwrap();
/// let path = folder.path().join("trials.csv");
/// std::fs::write(&path, "session,stimulus\n1,dog_12s.jpg\n1,mango_12s.jpg\n").unwrap();
/// let stimuli = trial_column::read(&folder.path().join("trials.csv:stimulus")).unwrap();
/// assert_eq!(stimuli, ["dog_12s.jpg", "mango_12s.jpg"]);
/// ```
pub fn read(path: &Path) -> Result<Vec<String>, FormatError> {
    let (file, name) = split_member(path);
    if is_table(&file) {
        let (table, column) = column(&file, name.as_deref())?;
        let cells = table.records.iter().map(|record| match record.cell(column) {
            "" => Err(table.faulty_cell(record, column, "an entry for each trial")),
            cell => Ok(cell.to_owned()),
        });
        return cells.collect();
    }
    if file.extension().is_some_and(|ending| ending == "txt") {
        return lines(&file);
    }
    Ok(whole_numbers::list(path)?.into_iter().map(|number| number.to_string()).collect())
}

/// The entries of a table's column as numbers; a missing entry is NaN, and `True` and `False` are 1 and 0.
///
/// # Errors
/// Errors of [`read`]; other text.
pub fn numbers(path: &Path) -> Result<Vec<f64>, FormatError> {
    let (file, name) = split_member(path);
    let (table, column) = column(&file, name.as_deref())?;
    let cells = table.records.iter().map(|record| {
        let cell = record.cell(column);
        match number(cell) {
            Number::Finite(value) => Ok(value),
            Number::Missing => Ok(f64::NAN),
            Number::Text if cell.eq_ignore_ascii_case("true") => Ok(1.0),
            Number::Text if cell.eq_ignore_ascii_case("false") => Ok(0.0),
            Number::Text | Number::Infinite => Err(table.faulty_cell(record, column, "a number for each voxel")),
        }
    });
    cells.collect()
}

/// The table with the named column, or the only one.
fn column(file: &Path, name: Option<&str>) -> Result<(DelimitedText, usize), FormatError> {
    if let Some(name) = name {
        return Ok((DelimitedText::read_column(file, name, TABLE)?, 0));
    }
    let table = DelimitedText::read(file, TABLE)?;
    match table.header.len() {
        1 => Ok((table, 0)),
        n => {
            let example = format!("{}:{}", file.display(), table.header[0]);
            let problem = format!("{n} columns; choose one, such as {example}");
            Err(table.column_error(problem))
        }
    }
}

/// The lines of a text, of which only the last may be empty.
fn lines(file: &Path) -> Result<Vec<String>, FormatError> {
    let text = delimited_text::read_text(file, "a list with one line for each trial")?;
    let lines = delimited_text::without_mark(&text).trim_end().lines().map(str::trim).enumerate();
    let found = lines.map(|(place, line)| match line {
        "" => {
            Err(Problem::invalid(format!("line {}", place + 1), "is empty; expected an entry for each trial").at(file))
        }
        line => Ok(line.to_owned()),
    });
    found.collect()
}
