//! A folder of feature matrices for one set of images.

use crate::{FormatError, IoResult, atomic_file};
use std::fs;
use std::path::{Path, PathBuf};

/// The files of one matrix of a features folder.
///
/// | file | what |
/// |---|---|
/// | `<name>.npy` | the complete matrix |
/// | `<name>.keys.json` | how it was made, and the hash of each row's image |
/// | `<name>.ids.json` | which images have rows, if some of the folder's images have none |
/// | `<name>.part`, `<name>.part.jsonl` | the matrix and its journal while it is being written |
/// | `<name>.previous`, `<name>.previous.json` | a matrix of other images, and its keys, whose rows may be reused |
#[derive(Debug, Clone)]
pub struct MatrixFiles {
    pub(super) matrix: PathBuf,
    /// How the matrix was made, and the content of each row.
    pub keys: PathBuf,
    pub(super) ids: PathBuf,
    pub(super) part: PathBuf,
    pub(super) part_keys: PathBuf,
    pub(super) previous: PathBuf,
    pub(super) previous_keys: PathBuf,
}

impl MatrixFiles {
    /// The files of the matrix `<name>`.
    pub fn of(folder: &Path, name: &str) -> Self {
        let file = |extension: &str| folder.join(format!("{name}.{extension}"));
        MatrixFiles {
            matrix: file("npy"),
            keys: file("keys.json"),
            ids: file("ids.json"),
            part: file("part"),
            part_keys: file("part.jsonl"),
            previous: file("previous"),
            previous_keys: file("previous.json"),
        }
    }

    pub(super) fn create_folder(&self) -> Result<(), FormatError> {
        let folder = self.matrix.parent().unwrap_or(&self.matrix);
        fs::create_dir_all(folder).when("creating", folder)
    }

    /// Moves a complete matrix aside; its rows remain available.
    pub fn set_aside(&self) -> Result<(), FormatError> {
        // The keys are moved last, since a matrix without keys would be taken for a user's.
        rename(&self.matrix, &self.previous)?;
        rename(&self.keys, &self.previous_keys)
    }

    /// Removes a complete matrix.
    pub fn remove(&self) -> Result<(), FormatError> {
        // The keys are removed last, since a matrix without keys would be taken for a user's.
        remove(&[&self.matrix, &self.ids, &self.keys])
    }

    /// Was the matrix written here, rather than provided by a user?
    pub fn is_ours(&self) -> bool {
        self.keys.exists()
    }
}

fn rename(from: &Path, to: &Path) -> Result<(), FormatError> {
    fs::rename(from, to).when("renaming", from)
}

/// Removes files, some of which may not exist.
pub(super) fn remove(paths: &[&Path]) -> Result<(), FormatError> {
    paths.iter().try_for_each(|path| atomic_file::remove(path))
}
