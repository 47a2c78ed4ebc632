//! Tables as text: a header line, then one record per line, with cells separated by commas, semicolons or tabs.

mod columns;
mod size;

use crate::stem_listing::has_ending;
use crate::{FormatError, Problem, json};
use csv::{ReaderBuilder, StringRecord, Trim};
use neurogauge_core::hostile_text::without_guard;
use std::path::{Path, PathBuf};

/// Does the file have an extension of text tables?
pub(crate) fn is_table_of_text(path: &Path) -> bool {
    has_ending(path, &["csv", "tsv", "txt"])
}

/// The error for a path that is neither a text table nor another file that its reader recognises by name.
pub(crate) fn unknown_ending(path: &Path, expected: &str) -> FormatError {
    let (path, expected) = (path.to_owned(), expected.to_owned());
    if !path.exists() {
        return Problem::not_found(expected).at(path);
    }
    let found = match path.extension() {
        Some(ending) => format!("a file that ends in .{}", ending.display()),
        None => "a file whose name has no ending".to_owned(),
    };
    Problem::unexpected(found, expected).at(path)
}

/// A table whose records have as many cells as its header; spaces around cells are removed.
pub(crate) struct DelimitedText {
    pub(crate) path: PathBuf,
    pub(crate) header: Vec<String>,
    pub(crate) records: Vec<Record>,
}

/// One line of a table (several, if a quoted cell has line breaks).
pub(crate) struct Record {
    /// The line number of its first character, from 1.
    pub(crate) line: usize,
    cells: StringRecord,
}

impl Record {
    pub(crate) fn cell(&self, column: usize) -> &str {
        without_guard(self.cells.get(column).unwrap_or_default())
    }
}

/// The meaning of a cell that should be a number.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Number {
    /// Empty, `NA` or `NaN`.
    Missing,
    Finite(f64),
    /// Infinite, or too large for computations.
    Infinite,
    Text,
}

/// The beginning of a line that is a comment.
const COMMENT: char = '#';

/// Squares of larger numbers, and sums of them, do not fit into an `f64`.
pub(crate) const LARGEST: f64 = 1e100;

/// Accepts only a decimal point, since a comma may be a separator.
pub(crate) fn number(cell: &str) -> Number {
    if cell.is_empty() || cell.eq_ignore_ascii_case("na") {
        return Number::Missing;
    }
    match cell.parse::<f64>() {
        Ok(value) if value.is_nan() => Number::Missing,
        Ok(value) if value.abs() <= LARGEST => Number::Finite(value),
        Ok(_) => Number::Infinite,
        Err(_) => Number::Text,
    }
}

/// A number written with a decimal comma, rewritten with a point: 0.75 for "0,75".
pub(crate) fn with_point(cell: &str) -> Option<String> {
    let (whole, decimals) = cell.split_once(',')?;
    let are_digits = |text: &str| !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit());
    let is_number = are_digits(whole.trim_start_matches(['+', '-'])) && are_digits(decimals);
    is_number.then(|| format!("{whole}.{decimals}"))
}

impl DelimitedText {
    /// Accepts quotes as in RFC 4180, UTF-8, UTF-16 with a byte order mark, line ends of either kind, blank lines, a
    /// first line `sep=;` as spreadsheets write it, and lines that start with `#`.
    pub(crate) fn read(path: &Path, expected: &str) -> Result<Self, FormatError> {
        Self::read_with_repeats(path, expected)?.without_repeats()
    }

    /// Reads only one column, for a table that may be too large for memory.
    pub(crate) fn read_column(path: &Path, column: &str, expected: &str) -> Result<Self, FormatError> {
        Self::parse(path, &read_text(path, expected)?, expected, Some(column))?.without_repeats()
    }

    /// Reads a text in memory; `path` is its name in messages.
    pub(crate) fn of_text(path: &Path, text: &str, expected: &str) -> Result<Self, FormatError> {
        Self::parse(path, text, expected, None)?.without_repeats()
    }

    /// Reads a table in which several columns may have one name.
    pub(crate) fn read_with_repeats(path: &Path, expected: &str) -> Result<Self, FormatError> {
        Self::of_text_with_repeats(path, &read_text(path, expected)?, expected)
    }

    /// Reads a text in memory in which several columns may have one name.
    pub(crate) fn of_text_with_repeats(path: &Path, text: &str, expected: &str) -> Result<Self, FormatError> {
        Self::parse(path, text, expected, None)
    }

    fn parse(path: &Path, text: &str, expected: &str, only: Option<&str>) -> Result<Self, FormatError> {
        let malformed = |reason: String| Problem::new(reason).at(path);
        let text = without_mark(text);
        if let Some(at) = text.find('\0') {
            let reason = format!("the character U+0000, which no text has; expected {expected}");
            return Err(Problem::invalid(format!("line {}", 1 + line_ends(&text.as_bytes()[..at])), reason).at(path));
        }
        // The parser would extend an open quote to the end of the file.
        if text.bytes().filter(|&byte| byte == b'"').count() % 2 == 1 {
            let reason = "an odd number of quotation marks, so one is never closed; a quotation \
                          mark within a quoted cell is doubled";
            return Err(malformed(reason.to_owned()));
        }
        let (skipped, stated) = preamble(text);
        let first_line = 1 + line_ends(&text.as_bytes()[..skipped]);
        let text = &text[skipped..];
        let separator = stated.map_or_else(|| separator(path, text), Ok)?;
        size::check(path, text, separator, only.is_some())?;
        let mut reader = ReaderBuilder::new()
            .has_headers(false)
            .flexible(true)
            .delimiter(separator)
            .trim(Trim::All)
            .from_reader(text.as_bytes());
        let mut records = Vec::new();
        let mut kept = None;
        let (mut line, mut counted, mut n_columns) = (first_line, 0, None);
        for cells in reader.records() {
            let start = match &cells {
                Ok(cells) => cells.position(),
                Err(error) => error.position(),
            };
            let start = start.map_or(counted, |position| position.byte() as usize);
            // The parser's own line count leaves out blank lines before the record.
            let start = start + blank_length(&text.as_bytes()[start..]);
            line += line_ends(&text.as_bytes()[counted..start]);
            counted = start;
            let cells = cells.map_err(|error| Problem::invalid(format!("line {line}"), error).at(path))?;
            let expected_len = *n_columns.get_or_insert(cells.len());
            if cells.len() != expected_len {
                if cells.get(0).is_some_and(|cell| cell.starts_with(COMMENT)) {
                    continue;
                }
                let reason = format!("{} cells, but the header has {expected_len}", cells.len());
                return Err(Problem::invalid(format!("line {line}"), reason).at(path));
            }
            if let (None, Some(name)) = (kept, only) {
                let header: Vec<String> = cells.iter().map(|cell| without_guard(cell).to_owned()).collect();
                kept = Some(columns::named(path, &header, name)?);
            }
            let cells = match kept {
                Some(column) => cells.iter().skip(column).take(1).collect(),
                None => cells,
            };
            records.push(Record { line, cells });
        }
        if records.len() < 2 {
            let reason = format!("no line below the header; expected {expected}");
            return Err(malformed(reason));
        }
        let header = records.remove(0);
        Ok(DelimitedText {
            path: path.to_owned(),
            header: header.cells.iter().map(|cell| without_guard(cell).to_owned()).collect(),
            records,
        })
    }

    fn without_repeats(self) -> Result<Self, FormatError> {
        self.refuse_repeated_columns()?;
        Ok(self)
    }

    /// A table derived from another; each line keeps its number in the file.
    pub(crate) fn of_cells(path: &Path, header: Vec<String>, lines: Vec<(usize, Vec<String>)>) -> Self {
        let record = |(line, cells): (usize, Vec<String>)| Record {
            line,
            cells: StringRecord::from(cells),
        };
        DelimitedText {
            path: path.to_owned(),
            header,
            records: lines.into_iter().map(record).collect(),
        }
    }

    /// The number in a cell; `None` if it is missing.
    pub(crate) fn number_at(&self, record: &Record, column: usize, expected: &str) -> Result<Option<f64>, FormatError> {
        match number(record.cell(column)) {
            Number::Missing => Ok(None),
            Number::Finite(value) => Ok(Some(value)),
            Number::Infinite | Number::Text => Err(self.faulty_cell(record, column, expected)),
        }
    }

    pub(crate) fn faulty_cell(&self, record: &Record, column: usize, expected: &str) -> FormatError {
        let (found, name) = (record.cell(column), &self.header[column]);
        let point = with_point(found).map(|number| format!("; decimals need a point: {number}")).unwrap_or_default();
        let reason = format!("column {name:?} holds {found:?}; expected {expected}{point}");
        Problem::line(record.line, reason).at(&self.path)
    }
}

/// The text of a file in UTF-8, or in UTF-16 with a byte order mark.
pub(crate) fn read_text(path: &Path, expected: &str) -> Result<String, FormatError> {
    let bytes = json::read_bytes(path, expected)?;
    let of_pair: Option<fn([u8; 2]) -> u16> = match bytes.as_slice() {
        [0xff, 0xfe, ..] => Some(u16::from_le_bytes),
        [0xfe, 0xff, ..] => Some(u16::from_be_bytes),
        _ => None,
    };
    if let Some(of_pair) = of_pair {
        let units: Vec<u16> = bytes[2..].chunks_exact(2).map(|pair| of_pair([pair[0], pair[1]])).collect();
        let text = String::from_utf16(&units).ok().filter(|_| bytes.len() % 2 == 0);
        return text.ok_or_else(|| Problem::new("begins as UTF-16 text and is damaged; save it as UTF-8").at(path));
    }
    String::from_utf8(bytes).map_err(|error| {
        let valid = error.utf8_error().valid_up_to();
        Problem::invalid(
            format!("line {}", 1 + line_ends(&error.as_bytes()[..valid])),
            "not UTF-8 text; save it as UTF-8",
        )
        .at(path)
    })
}

/// The text without the byte order mark that Windows programs put at its beginning.
pub(crate) fn without_mark(text: &str) -> &str {
    text.strip_prefix('\u{feff}').unwrap_or(text)
}

fn line_ends(bytes: &[u8]) -> usize {
    bytes.iter().filter(|&&byte| byte == b'\n').count()
}

fn blank_length(bytes: &[u8]) -> usize {
    bytes.iter().take_while(|byte| matches!(byte, b'\r' | b'\n')).count()
}

/// The length of what stands before the header, and the separator if a line `sep=;` states it. A line that starts with
/// `#` is a comment, unless numbers follow in as many cells: then it is a header as NumPy writes it.
fn preamble(text: &str) -> (usize, Option<u8>) {
    let (mut skipped, mut stated) = (0, None);
    loop {
        let rest = &text[skipped..];
        let Some(line) = rest.split_inclusive('\n').next() else {
            return (skipped, stated);
        };
        let words = line.trim_end_matches(['\r', '\n']).trim_matches('"');
        match words.strip_prefix("sep=").map(str::as_bytes) {
            Some([separator]) if stated.is_none() => stated = Some(*separator),
            _ if words.is_empty() => {}
            _ if words.starts_with(COMMENT) && !is_above_numbers(line, &rest[line.len()..]) => {}
            _ => return (skipped, stated),
        }
        skipped += line.len();
    }
}

/// Is the next line one of as many cells, with a number among them?
fn is_above_numbers(line: &str, below: &str) -> bool {
    let next = below.lines().find(|line| !line.trim().is_empty()).unwrap_or_default();
    [',', ';', '\t'].into_iter().any(|separator| {
        let n_cells = line.split(separator).count();
        let has_number = || next.split(separator).any(|cell| matches!(number(cell.trim()), Number::Finite(_)));
        n_cells > 1 && n_cells == next.split(separator).count() && has_number()
    })
}

/// The most frequent separator in the header, outside quotes.
fn separator(path: &Path, text: &str) -> Result<u8, FormatError> {
    let (mut commas, mut semicolons, mut tabs) = (0usize, 0usize, 0usize);
    let mut quoted = false;
    for byte in text.trim_start_matches(['\r', '\n']).bytes() {
        match byte {
            b'"' => quoted = !quoted,
            _ if quoted => {}
            b'\r' | b'\n' => break,
            b',' => commas += 1,
            b';' => semicolons += 1,
            b'\t' => tabs += 1,
            _ => {}
        }
    }
    let mut counts = [(commas, b','), (semicolons, b';'), (tabs, b'\t')];
    counts.sort_by_key(|&(count, _)| std::cmp::Reverse(count));
    if counts[0].0 > 0 && counts[0].0 == counts[1].0 {
        return Err(Problem::new(format_args!(
            "the header has {commas} commas, {semicolons} semicolons and {tabs} tabs, so the \
                 separator is unclear; put names that contain one into quotation marks"
        ))
        .at(path));
    }
    Ok(counts[0].1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cells() {
        for cell in ["", "NA", "na", "NaN", "nan"] {
            assert_eq!(number(cell), Number::Missing, "{cell}");
        }
        assert_eq!(number("-1.5e-3"), Number::Finite(-0.0015));
        assert_eq!(number("+4."), Number::Finite(4.0));
        assert_eq!(number("1e999"), Number::Infinite);
        assert_eq!(number("-1e308"), Number::Infinite);
        assert_eq!(number("-inf"), Number::Infinite);
        for cell in ["3,5", "4 stars", "0x10", "1_000", "None"] {
            assert_eq!(number(cell), Number::Text, "{cell}");
        }
    }

    #[test]
    fn separators() {
        let path = Path::new("a.csv");
        assert_eq!(separator(path, "a;b;c\n1,5;2;3").ok(), Some(b';'));
        assert_eq!(separator(path, "\r\n\"a;b;c\",d\n").ok(), Some(b','));
        assert_eq!(separator(path, "a\tb").ok(), Some(b'\t'));
        assert!(separator(path, "a,b;c").is_err());
    }
}
