//! Stores large values in separate files.

use super::{ContentKey, Store};
use crate::FormatError;
use std::fs::File;
use std::path::{Path, PathBuf};

type Read<T> = Box<dyn Fn(&Path) -> Result<T, FormatError> + Send + Sync>;

/// A folder with a file `<key>.json` for each value, which a rename creates atomically, so several writers need no
/// segments.
pub struct Files<T> {
    pub folder: PathBuf,
    pub read: Read<T>,
    pub write: fn(&Path, &T) -> Result<(), FormatError>,
}

impl<T> Files<T> {
    fn path(&self, key: &ContentKey) -> PathBuf {
        self.folder.join(format!("{}.json", key.as_str()))
    }
}

impl<T> Store<T> for Files<T> {
    fn holds(&self, key: &ContentKey) -> bool {
        // A file that another user protects counts as missing; it is replaced if the folder allows that.
        File::open(self.path(key)).is_ok()
    }

    fn get(&self, key: &ContentKey) -> Result<Option<T>, FormatError> {
        if !self.holds(key) {
            return Ok(None);
        }
        (self.read)(&self.path(key)).map(Some)
    }

    fn keep(&mut self, entries: Vec<(ContentKey, T)>) -> Result<(), FormatError> {
        for (key, value) in entries {
            (self.write)(&self.path(&key), &value)?;
        }
        Ok(())
    }
}
