//! Files for tests, and the messages of their readers.

use crate::prelude::*;

/// A file or folder below `reference/golden`.
pub(crate) fn golden(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../reference/golden").join(name)
}

/// A path in its own folder, which exists as long as the first value.
pub(crate) fn place(name: impl AsRef<Path>) -> (tempfile::TempDir, PathBuf) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join(name);
    (folder, path)
}

/// A file with this content in its own folder.
pub(crate) fn file(name: &str, content: impl AsRef<[u8]>) -> (tempfile::TempDir, PathBuf) {
    let (folder, path) = place(name);
    std::fs::write(&path, content).unwrap();
    (folder, path)
}

/// Asserts that the result is an error with this message.
#[track_caller]
pub(crate) fn refused<T>(result: Result<T, impl ToString>, words: &str) {
    let message = result.err().unwrap().to_string();
    assert!(message.contains(words), "{words:?} in {message}");
}

/// Data of others beside the project; `None` if they are missing.
pub(crate) fn shared_data(name: &str) -> Option<PathBuf> {
    let fallback = concat!(env!("CARGO_MANIFEST_DIR"), "/../../../shared/data");
    let root = std::env::var("NEUROGAUGE_SHARED_DATA").unwrap_or_else(|_| fallback.to_owned());
    let path = Path::new(&root).join(name);
    if !path.exists() {
        println!("skipped: no {}", path.display());
        return None;
    }
    Some(path)
}
