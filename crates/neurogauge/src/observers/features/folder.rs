//! A folder of feature matrices of one set of images.

use crate::Error;
use neurogauge_formats::{FormatError, features, json};
use std::fs;
use std::path::{Path, PathBuf};

/// The files of one matrix of a features folder.
///
/// | file | what |
/// |---|---|
/// | `<name>.npy` | the matrix, whole |
/// | `<name>.keys.json` | how it was made, and the hash of the image of each row |
/// | `<name>.part`, `<name>.part.jsonl` | the same while it is being written |
/// | `<name>.previous`, `<name>.previous.json` | the same of other images, whose rows may serve |
#[derive(Debug, Clone)]
pub(super) struct MatrixFiles {
    pub(super) matrix: PathBuf,
    pub(super) keys: PathBuf,
    pub(super) part: PathBuf,
    pub(super) part_keys: PathBuf,
    pub(super) previous: PathBuf,
    pub(super) previous_keys: PathBuf,
}

impl MatrixFiles {
    pub(super) fn of(folder: &Path, name: &str) -> Self {
        let file = |extension: &str| folder.join(format!("{name}.{extension}"));
        MatrixFiles {
            matrix: file("npy"),
            keys: file("keys.json"),
            part: file("part"),
            part_keys: file("part.jsonl"),
            previous: file("previous"),
            previous_keys: file("previous.json"),
        }
    }

    /// Takes a whole matrix out of sight; its rows stay at hand.
    pub(super) fn set_aside(&self) -> Result<(), FormatError> {
        // The keys go last: a matrix without keys would look like somebody else's.
        rename(&self.matrix, &self.previous)?;
        rename(&self.keys, &self.previous_keys)
    }

    /// Was the matrix written here, rather than put there by somebody?
    pub(super) fn is_ours(&self) -> bool {
        self.keys.exists()
    }
}

/// Makes a folder ready for matrices of the images with these ids. A matrix that was not written
/// here is never replaced.
///
/// Whole matrices of other images are set aside (they share `ids.json` with those to come), and
/// the names of those that are not among `wanted` are returned.
pub(super) fn prepare(
    folder: &Path,
    ids: &[String],
    wanted: &[String],
) -> Result<Vec<String>, Error> {
    create(folder)?;
    let names = features::list(folder)?;
    let ids_path = folder.join(features::IDS_FILE);
    let are_of_these = ids_path.exists() && json::read::<Vec<String>>(&ids_path)? == ids;
    let is_in_the_way = |name: &&String| {
        let is_foreign = !MatrixFiles::of(folder, name).is_ours();
        is_foreign && (!are_of_these || wanted.contains(name))
    };
    if let Some(name) = names.iter().find(is_in_the_way) {
        return Err(Error::ForeignFeatures {
            path: folder.join(format!("{name}.npy")),
        });
    }
    if are_of_these {
        return Ok(Vec::new());
    }
    let mut aside = Vec::new();
    for name in names {
        MatrixFiles::of(folder, &name).set_aside()?;
        if !wanted.contains(&name) {
            aside.push(name);
        }
    }
    json::write(&ids_path, &ids)?;
    Ok(aside)
}

/// Creates a folder, if it is not there.
pub(super) fn create(folder: &Path) -> Result<(), FormatError> {
    fs::create_dir_all(folder).map_err(|source| FormatError::Io {
        path: folder.to_owned(),
        action: "creating",
        source,
    })
}

pub(super) fn rename(from: &Path, to: &Path) -> Result<(), FormatError> {
    fs::rename(from, to).map_err(|source| FormatError::Io {
        path: from.to_owned(),
        action: "renaming",
        source,
    })
}

/// Removes files, of which any may be absent.
pub(super) fn remove(paths: &[&Path]) -> Result<(), FormatError> {
    for path in paths {
        match fs::remove_file(path) {
            Err(source) if source.kind() != std::io::ErrorKind::NotFound => {
                return Err(FormatError::Io {
                    path: (*path).to_owned(),
                    action: "removing",
                    source,
                });
            }
            _ => {}
        }
    }
    Ok(())
}
