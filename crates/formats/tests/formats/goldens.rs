//! Where the files are that independent libraries wrote.

use std::path::{Path, PathBuf};

/// A file of the volumes and arrays.
pub(crate) fn volumes(name: &str) -> PathBuf {
    golden("volumes", name)
}

/// A file of the ratings and tables of metrics.
pub(crate) fn ratings(name: &str) -> PathBuf {
    golden("formats_ratings", name)
}

fn golden(folder: &str, name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../reference/golden").join(folder).join(name)
}
