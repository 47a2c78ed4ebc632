//! Where what was said of images is kept.

use crate::Error;
use crate::journal::Journal;
use crate::model_weights::weight_options;
use crate::request::RunSettings;
use crate::run_folder::RunFolder;
use neurogauge_formats::FormatError;
use std::path::{Path, PathBuf};

/// Keeps what was said, by a key that stands for the image and for all that decided what was said of it.
pub(crate) trait Store<T> {
    /// Is something kept under this key?
    fn holds(&self, key: &str) -> bool;
    /// Keeps some; they are on disk when this returns.
    fn keep(&mut self, entries: Vec<(String, T)>) -> Result<(), Error>;
}

impl Store<String> for Journal<String> {
    fn holds(&self, key: &str) -> bool {
        self.get(key).is_some()
    }

    fn keep(&mut self, entries: Vec<(String, String)>) -> Result<(), Error> {
        let entries = entries.into_iter().map(|(key, text)| (key, Ok(text)));
        Ok(self.record(entries.collect())?)
    }
}

/// The folder `name` in the cache of all runs, or `own` where there is no cache that can be written to.
pub(crate) fn store_folder(
    name: &str,
    own: &Path,
    settings: &RunSettings,
) -> Result<PathBuf, Error> {
    let shared = weight_options(settings).cache.map(|cache| cache.join(name));
    if let Some(dir) = shared.filter(|dir| std::fs::create_dir_all(dir).is_ok()) {
        return Ok(dir);
    }
    std::fs::create_dir_all(own).map_err(|source| FormatError::Io {
        path: own.to_owned(),
        action: "creating",
        source,
    })?;
    Ok(own.to_owned())
}

/// The journal of what `model` says of inputs of this kind, shared by all runs where there is a cache.
pub(crate) fn journal_path(
    kind: &str,
    model: &str,
    folder: &RunFolder,
    settings: &RunSettings,
) -> Result<PathBuf, Error> {
    let own = folder.root().join("observations");
    let folder = store_folder(kind, &own, settings)?;
    Ok(folder.join(format!("{model}.jsonl")))
}
