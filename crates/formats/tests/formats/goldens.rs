//! Paths of files that independent libraries wrote.

use crate::prelude::*;

/// A golden file of the volumes and arrays.
pub(crate) fn volumes(name: &str) -> PathBuf {
    golden("volumes").join(name)
}

/// A golden file of the ratings and tables of metrics.
pub(crate) fn ratings(name: &str) -> PathBuf {
    golden("formats_ratings").join(name)
}
