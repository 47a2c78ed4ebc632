//! Files that tests write.

use std::path::PathBuf;

/// A file of this content in a separate folder.
pub(crate) fn file(name: &str, content: &[u8]) -> (tempfile::TempDir, PathBuf) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join(name);
    std::fs::write(&path, content).unwrap();
    (folder, path)
}
