//! JSON files of our own: `run.json`, `summary.json` and the like.

use crate::{FormatError, atomic_file};
use serde::Serialize;
use serde::de::DeserializeOwned;
use std::path::Path;

/// Reads a JSON file; a fault names the file, the line and the column.
pub fn read<T: DeserializeOwned>(path: &Path) -> Result<T, FormatError> {
    let bytes = std::fs::read(path).map_err(|source| match source.kind() {
        std::io::ErrorKind::NotFound => {
            FormatError::NotFound { path: path.to_owned(), expected: "a JSON file".into() }
        }
        _ => FormatError::Io { path: path.to_owned(), action: "reading", source },
    })?;
    parse(path, &bytes)
}

/// Parses the content of a JSON file; `path` is for the error message.
pub fn parse<T: DeserializeOwned>(path: &Path, bytes: &[u8]) -> Result<T, FormatError> {
    serde_json::from_slice(bytes).map_err(|error| {
        let text = error.to_string();
        let reason = text.rfind(" at line ").map_or(text.as_str(), |end| &text[..end]);
        FormatError::Json {
            path: path.to_owned(),
            line: error.line(),
            column: error.column(),
            reason: reason.to_owned(),
        }
    })
}

/// Pretty-printed JSON with a final newline.
pub fn to_bytes<T: Serialize>(value: &T) -> Result<Vec<u8>, serde_json::Error> {
    let mut bytes = serde_json::to_vec_pretty(value)?;
    bytes.push(b'\n');
    Ok(bytes)
}

/// Writes a JSON file in one piece.
pub fn write<T: Serialize>(path: &Path, value: &T) -> Result<(), FormatError> {
    let bytes = to_bytes(value).map_err(|error| FormatError::Io {
        path: path.to_owned(),
        action: "encoding",
        source: error.into(),
    })?;
    atomic_file::write(path, &bytes)
}
