//! The files of `reference/formats_arrays.py` and their contents.

use crate::prelude::*;

const FOLDER: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../reference/golden/formats_arrays");

/// A golden file; a missing one fails the test.
pub(crate) fn path(name: &str) -> PathBuf {
    let path = PathBuf::from(FOLDER).join(name);
    assert!(path.is_file(), "{} is missing", path.display());
    path
}

/// One section of `expected.json`: file names and contents.
#[allow(dead_code)] // for tests that only need the files
pub(crate) fn expected(section: &str) -> Vec<(String, Value)> {
    let text = std::fs::read_to_string(path("expected.json")).unwrap();
    let json: Value = serde_json::from_str(&text).unwrap();
    let files = json[section].as_object().unwrap();
    assert!(!files.is_empty());
    files.iter().map(|(k, v)| (k.clone(), v.clone())).collect()
}
