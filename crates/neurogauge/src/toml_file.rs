//! Reads configurations from TOML files.

use crate::Error;
use neurogauge_formats::FormatError;
use serde::de::DeserializeOwned;
use std::path::Path;

/// Reads a configuration.
///
/// # Errors
/// What TOML says, with the line.
pub(crate) fn read<T: DeserializeOwned>(path: &Path) -> Result<T, Error> {
    let text = std::fs::read_to_string(path).map_err(|source| FormatError::Io {
        path: path.to_owned(),
        action: "reading",
        source,
    })?;
    toml::from_str(&text).map_err(|error| {
        let before = &text[..error.span().map_or(0, |span| span.start.min(text.len()))];
        let line = before.matches('\n').count() + 1;
        Error::Usage(format!("{}:{line}: {}", path.display(), error.message()))
    })
}
