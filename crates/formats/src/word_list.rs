//! Lists of words.

use crate::delimited_text::read_text;
use crate::{FormatError, Problem};
use std::path::Path;

/// Reads a list of words or phrases: text with one per line. Blank lines, lines that start with `#`, and spaces at both
/// ends are ignored.
///
/// # Errors
/// The file is missing, is not UTF-8, or has no words.
///
/// ```
/// # let dir = tempfile::tempdir()?;
/// # let path = dir.path().join("stop_words.txt");
/// std::fs::write(&path, "# do not count\nimage\nleft side\n")?;
/// assert_eq!(neurogauge_formats::word_list::read(&path)?, ["image", "left side"]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn read(path: &Path) -> Result<Vec<String>, FormatError> {
    let text = read_text(path, "a file with one word per line")?;
    let words = text.lines().map(str::trim).filter(|line| !line.is_empty() && !line.starts_with('#'));
    let words: Vec<String> = words.map(str::to_owned).collect();
    if words.is_empty() {
        return Err(Problem::new("no word in it; expected one per line").at(path));
    }
    Ok(words)
}
