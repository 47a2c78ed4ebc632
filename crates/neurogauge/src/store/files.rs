//! Large values: a file each.

use super::{ContentKey, Store};
use crate::Error;
use neurogauge_formats::FormatError;
use std::path::{Path, PathBuf};

type Read<T> = Box<dyn Fn(&Path) -> Result<T, FormatError> + Sync>;

/// A folder with a file `<key>.json` for each value, which appears whole, by a rename: several writers need no segments.
pub(crate) struct Files<T> {
    pub(crate) folder: PathBuf,
    pub(crate) read: Read<T>,
    pub(crate) write: fn(&Path, &T) -> Result<(), FormatError>,
}

impl<T> Files<T> {
    fn path(&self, key: &ContentKey) -> PathBuf {
        self.folder.join(format!("{}.json", key.as_str()))
    }
}

impl<T> Store<T> for Files<T> {
    fn holds(&self, key: &ContentKey) -> bool {
        self.path(key).exists()
    }

    fn get(&self, key: &ContentKey) -> Result<Option<T>, Error> {
        if !self.holds(key) {
            return Ok(None);
        }
        Ok(Some((self.read)(&self.path(key))?))
    }

    fn keep(&mut self, entries: Vec<(ContentKey, T)>) -> Result<(), Error> {
        for (key, value) in entries {
            (self.write)(&self.path(&key), &value)?;
        }
        Ok(())
    }
}
