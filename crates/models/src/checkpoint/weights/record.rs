//! Records a file's hash at its first use if its publisher gives none.

use crate::ModelError;
use crate::checkpoint::weights::verify::hash_file;
use neurogauge_formats::atomic_file;
use std::path::{Path, PathBuf};

/// Holds the commit of a model that was fetched from a branch.
const COMMIT: &str = "commit.txt";

/// `<file>.sha256`, as the command `sha256sum` writes and reads it.
fn record_path(file: &Path) -> PathBuf {
    let mut path = file.as_os_str().to_owned();
    path.push(".sha256");
    path.into()
}

/// The recorded hash, if there is a record.
pub(super) fn read(file: &Path) -> Result<Option<String>, ModelError> {
    let path = record_path(file);
    let Some(text) = text_of(&path)? else {
        return Ok(None);
    };
    let hash = text.split_whitespace().next().unwrap_or("");
    if hash.len() == 64 && hash.chars().all(|c| c.is_ascii_hexdigit()) {
        return Ok(Some(hash.to_ascii_lowercase()));
    }
    Err(ModelError::malformed(path, format!("it begins with {hash:?}, expected the 64 digits of a SHA-256")))
}

/// Writes a record unless one exists. If two processes write at once, the first one's record stays.
pub(super) fn keep(file: &Path) -> Result<(), ModelError> {
    if read(file)?.is_some() {
        return Ok(());
    }
    let (_, hash) = hash_file(file)?;
    let name = file.file_name().unwrap_or_default().to_string_lossy();
    write_new(&record_path(file), &format!("{hash}  {name}\n"))
}

/// The commit of the files in a folder, if they came from a branch.
pub(super) fn commit(dir: &Path) -> Result<Option<String>, ModelError> {
    Ok(text_of(&dir.join(COMMIT))?.map(|commit| commit.trim().to_owned()))
}

fn text_of(path: &Path) -> Result<Option<String>, ModelError> {
    match std::fs::read_to_string(path) {
        Ok(text) => Ok(Some(text)),
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(None),
        Err(source) => Err(ModelError::io(path, "read", source)),
    }
}

pub(super) fn keep_commit(dir: &Path, commit: &str) -> Result<(), ModelError> {
    write_new(&dir.join(COMMIT), &format!("{commit}\n"))
}

/// Writes a whole file unless it exists.
fn write_new(path: &Path, text: &str) -> Result<(), ModelError> {
    atomic_file::write_new(path, text.as_bytes())
        .map_err(|error| ModelError::io(path, "write", std::io::Error::other(error)))
}
