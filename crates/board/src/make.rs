//! Writes the site.

use crate::board::{Board, board};
use crate::pages;
use neurogauge::formats::atomic_file;
use neurogauge::{Error, Progress};
use std::path::Path;

/// Makes the site of a `board.toml` in a folder, and returns what it shows. The files are the same for the same
/// entries.
///
/// # Errors
/// Errors of [`board`]; a folder that is not empty unless `overwrite` is set; files that cannot be written.
pub fn make(config: &Path, out: &Path, overwrite: bool, progress: &dyn Progress) -> Result<Board, Error> {
    let is_in_use = std::fs::read_dir(out).is_ok_and(|mut files| files.next().is_some());
    if is_in_use && !overwrite {
        return Err(Error::Usage(format!(
            "{}: not empty; choose another folder, or --overwrite to write the site there",
            out.display()
        )));
    }
    let board = board(config, progress)?;
    pages::write_all(&board, |(name, content)| Ok(atomic_file::write(&out.join(name), &content)?))?;
    Ok(board)
}
