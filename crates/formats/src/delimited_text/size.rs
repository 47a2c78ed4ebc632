//! The memory that a text table takes, estimated before it is read.

use crate::FormatError;
use crate::budget::Budget;
use std::path::Path;

/// The parser holds a line twice, in a buffer that doubles, and its record is kept.
const LINES_AT_ONCE: u64 = 3;
/// Bytes per record besides its text.
const PER_LINE: u64 = 128;
/// Bytes per cell besides its text: its end in the record, and its number.
const PER_CELL: u64 = 32;
/// Bytes per column besides its name, which is kept several times.
const PER_COLUMN: u64 = 256;

/// Checks that this text fits into memory as a table. With `one_column`, only one column is kept.
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
