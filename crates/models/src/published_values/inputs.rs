//! The input files of published values, which are downloaded on request and pinned by their hashes.

use super::record::parse;
use crate::ModelError;
use crate::checkpoint::weights::{DownloadProgress, Wanted, WeightOptions, plain_file};
use serde::Deserialize;
use std::path::PathBuf;

/// The folder in the cache.
const FOLDER: &str = "published_inputs";

/// An input file of published values.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct InputFile {
    /// The id in the records.
    pub id: String,
    /// The file name in the cache.
    pub file: String,
    /// Where it is published.
    pub url: String,
    /// Its size in bytes, if it is known.
    pub bytes: Option<u64>,
    /// Its SHA-256. If it is not known (empty), the hash of the first download is recorded and must stay the same.
    pub sha256: String,
    /// The licence or terms of use.
    pub terms: String,
}

/// The input files of published values on this machine.
pub struct PublishedInputs<'a> {
    files: Vec<InputFile>,
    options: &'a WeightOptions,
    fetches: bool,
    progress: &'a dyn DownloadProgress,
}

impl<'a> PublishedInputs<'a> {
    /// The inputs in the cache of `options`; `fetches` says whether missing ones are downloaded.
    ///
    /// # Errors
    /// A malformed list of files, which would be a bug of this program.
    pub fn new(
        options: &'a WeightOptions,
        fetches: bool,
        progress: &'a dyn DownloadProgress,
    ) -> Result<Self, ModelError> {
        Ok(PublishedInputs {
            files: parse("inputs.json", include_str!("data/inputs.json"))?,
            options,
            fetches,
            progress,
        })
    }

    /// The known files.
    pub fn files(&self) -> &[InputFile] {
        &self.files
    }

    /// The path of a file; `None` if it is not on this machine.
    pub(super) fn path(&self, id: &str) -> Result<Option<PathBuf>, ModelError> {
        let found = self.files.iter().find(|file| file.id == id);
        let (Some(file), Some(cache)) = (found, &self.options.cache) else {
            return Ok(None);
        };
        let plain = Wanted {
            url: &file.url,
            name: &file.file,
            bytes: file.bytes,
            sha256: &file.sha256,
        };
        let dir = cache.join(FOLDER);
        let fetches = self.fetches && !self.options.offline;
        plain_file(&dir, &plain, fetches, self.options, self.progress)
    }

    /// A folder of pictures that the user has put there; the error says where it is looked for.
    pub(super) fn folder(&self, name: &str) -> Result<PathBuf, String> {
        let Some(cache) = &self.options.cache else {
            return Err(format!("{name}: there is no cache in which it could lie"));
        };
        let folder = cache.join(FOLDER).join(name);
        match folder.is_dir() {
            true => Ok(folder),
            false => Err(format!(
                "{}: put or link a folder there that holds a folder of pictures for each class, named by its WordNet id",
                folder.display()
            )),
        }
    }
}
