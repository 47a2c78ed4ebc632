//! Reads whole text files.

use crate::LanguageError;
use std::path::Path;

/// Reads `path`; `expected` and `advice` go into the error message if it does not exist.
pub(crate) fn read_text(path: &Path, expected: &'static str, advice: &'static str) -> Result<String, LanguageError> {
    if !path.is_file() {
        return Err(LanguageError::Missing {
            path: path.to_owned(),
            expected,
            advice,
        });
    }
    let bytes = std::fs::read(path).map_err(|source| LanguageError::Io {
        path: path.to_owned(),
        action: "reading",
        source,
    })?;
    String::from_utf8(bytes).map_err(|error| {
        let byte = error.utf8_error().valid_up_to();
        LanguageError::in_line(path, error.as_bytes(), byte, "not UTF-8 text".to_owned())
    })
}
