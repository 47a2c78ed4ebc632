//! Verifies files against the sizes and hashes of the registry.

use crate::ModelError;
use crate::checkpoint::registry::{ModelEntry, ModelFile, Source};
use crate::checkpoint::weights::checkpoint_hash::{hash_list, hash_with};
use crate::checkpoint::weights::{record, remembered};
use neurogauge_formats::{content_hash, regular_file};
use std::collections::HashMap;
use std::path::{Path, PathBuf};

/// A model on this machine whose files are the published ones.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LocalModel {
    pub dir: PathBuf,
    /// The file with the weights, or the index of the files that have them.
    pub weights: PathBuf,
    /// SHA-256 of the weights, hexadecimal, always the full hash. For an index and its files, what `sha256sum INDEX
    /// FILES... | sha256sum` prints; for an archive's files likewise, in the registry's order.
    pub sha256: String,
}

/// Checks that `dir` holds every file of the model, each matching the published part of its SHA-256 and, if that is not
/// the whole, the hash recorded beside it (`<file>.sha256`).
///
/// # Errors
/// Missing files, or one that is not the published one, by name.
pub fn verify(dir: &Path, entry: &ModelEntry) -> Result<LocalModel, ModelError> {
    let missing = missing_files(dir, entry);
    if !missing.is_empty() {
        return Err(ModelError::incomplete(dir, entry.id, &missing));
    }
    let mut hashes = HashMap::new();
    for file in entry.files {
        let path = dir.join(file.path);
        let sha256 = verify_file(&path, entry, file)?;
        hashes.insert(path, sha256);
    }
    let weights = dir.join(entry.weights().path);
    let hash = |file: &Path| match hashes.get(file) {
        Some(sha256) => Ok(sha256.clone()),
        None => Ok(hash_file(file)?.1),
    };
    let sha256 = match entry.source {
        Source::Archive { .. } => {
            let all = entry.files.iter().map(|file| dir.join(file.path));
            hash_list(&all.collect::<Vec<_>>(), hash)?
        }
        Source::Hub(_) | Source::Web(_) => hash_with(&weights, hash)?,
    };
    Ok(LocalModel {
        dir: dir.to_owned(),
        weights,
        sha256,
    })
}

/// The model's files that are missing in `dir`.
pub(crate) fn missing_files(dir: &Path, entry: &ModelEntry) -> Vec<&'static str> {
    entry.files.iter().map(|file| file.path).filter(|path| !dir.join(path).is_file()).collect()
}

/// The file's SHA-256, if it is the published one.
fn verify_file(path: &Path, entry: &ModelEntry, file: &ModelFile) -> Result<String, ModelError> {
    let (found_bytes, found) = hash_file(path)?;
    let mismatch =
        |expected: String| ModelError::hash_mismatch(path, entry.id, (found_bytes, &found), (file.bytes, expected));
    if !file.sha256.matches(&found) || file.bytes.is_some_and(|bytes| bytes != found_bytes) {
        return Err(mismatch(file.sha256.to_string()));
    }
    if file.sha256.full().is_none()
        && let Some(recorded) = record::read(path)?
        && recorded != found
    {
        let expected = format!("{recorded} (recorded beside it when it was first used)");
        return Err(mismatch(expected));
    }
    Ok(found)
}

/// Size and SHA-256 of a file; the file is not read if this machine remembers them ([`remembered`]).
pub(crate) fn hash_file(path: &Path) -> Result<(u64, String), ModelError> {
    remembered::known_or(path, || {
        let read = regular_file::open(path).and_then(content_hash::of_reader);
        read.map_err(|source| ModelError::io(path, "read", source))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_longer_than_a_chunk_is_hashed_whole() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("zeros");
        let bytes = vec![7_u8; (1 << 20) + 17];
        std::fs::write(&path, &bytes).unwrap();
        assert_eq!(hash_file(&path).unwrap(), (bytes.len() as u64, content_hash::of_bytes(&bytes)));
    }
}
