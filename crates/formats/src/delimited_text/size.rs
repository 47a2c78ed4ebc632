//! The memory that a table of text takes, before it is taken.

use crate::FormatError;
use crate::budget::Budget;
use std::path::Path;

/// The parser has a line twice, in a buffer that doubles, and a record of it is kept.
const LINES_AT_ONCE: u64 = 3;
/// Bytes of a record besides its text.
const PER_LINE: u64 = 128;
/// Bytes of a cell besides its text: its end in the record, its number.
const PER_CELL: u64 = 32;
/// Bytes of a column besides its name, which is kept several times.
const PER_COLUMN: u64 = 256;

/// Can this text be held as a table? With `one_column`, only one column of it is kept.
///
/// # Errors
/// What needs too much memory, with the number of lines and cells.
pub(super) fn check(path: &Path, text: &str, separator: u8, one_column: bool) -> Result<(), FormatError> {
    let (mut n_lines, mut n_cells, mut n_columns, mut longest) = (0_u64, 0_u64, 0_u64, 0_u64);
    for line in text.as_bytes().split_inclusive(|&byte| byte == b'\n') {
        let separators = line.iter().filter(|&&byte| byte == separator).count() as u64;
        n_lines += 1;
        n_cells += separators + 1;
        n_columns = n_columns.max(separators + 1);
        longest = longest.max(line.len() as u64);
    }
    let kept = match one_column {
        true => n_lines * PER_CELL,
        false => text.len() as u64 + n_cells * PER_CELL,
    };
    let needed = kept + longest * LINES_AT_ONCE + n_lines * PER_LINE + n_columns * PER_COLUMN;
    Budget::up_to(u64::MAX).spend(needed).map_err(|exceeded| {
        let place = format!("a table of {n_lines} lines and {n_cells} cells, up to {longest} bytes in a line,");
        exceeded.of(path, place)
    })
}
