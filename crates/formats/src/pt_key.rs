//! One tensor of a `.pt` file of several.

use std::path::{Path, PathBuf};

/// Takes `file.pt#key` apart, unless a file of that very name exists.
pub(crate) fn split_key(path: &Path) -> (PathBuf, Option<String>) {
    match path.to_str().and_then(|text| text.split_once(".pt#")) {
        Some((file, key)) if !path.exists() => {
            (PathBuf::from(format!("{file}.pt")), Some(key.to_owned()))
        }
        _ => (path.to_owned(), None),
    }
}
