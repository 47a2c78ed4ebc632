//! The JSON files that lie beside checkpoints.

use crate::ModelError;
use serde::de::DeserializeOwned;
use std::path::Path;

/// Reads a file that must be there.
pub(crate) fn read_json<T: DeserializeOwned>(path: &Path) -> Result<T, ModelError> {
    let bytes = std::fs::read(path).map_err(|source| ModelError::Io {
        path: path.to_owned(),
        action: "read",
        source,
    })?;
    serde_json::from_slice(&bytes).map_err(|error| malformed(path, &error))
}

/// What is wrong with the content of a file.
pub(crate) fn malformed(path: &Path, error: &serde_json::Error) -> ModelError {
    ModelError::MalformedFile {
        path: path.to_owned(),
        reason: error.to_string(),
    }
}
