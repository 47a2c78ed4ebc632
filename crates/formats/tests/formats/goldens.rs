//! Where the files are that independent libraries wrote.

use crate::prelude::*;

/// A file of the volumes and arrays.
pub(crate) fn volumes(name: &str) -> PathBuf {
    golden("volumes").join(name)
}

/// A file of the ratings and tables of metrics.
pub(crate) fn ratings(name: &str) -> PathBuf {
    golden("formats_ratings").join(name)
}
