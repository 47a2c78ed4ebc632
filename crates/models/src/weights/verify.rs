//! Holding files against the registry.

use crate::ModelError;
use crate::registry::{ModelEntry, ModelFile};
use sha2::{Digest, Sha256};
use std::fmt::Write as _;
use std::fs::File;
use std::io::Read;
use std::path::Path;

/// Checks that `dir` holds every file of the model, each with the published SHA-256.
///
/// # Errors
/// [`ModelError::IncompleteModel`] names what is missing, [`ModelError::HashMismatch`] the file that
/// is another one.
pub fn verify(dir: &Path, entry: &ModelEntry) -> Result<(), ModelError> {
    let missing = missing_files(dir, entry);
    if !missing.is_empty() {
        return Err(ModelError::IncompleteModel {
            dir: dir.to_owned(),
            model: entry.id.to_owned(),
            missing: missing.join(", "),
        });
    }
    for file in entry.files {
        verify_file(&dir.join(file.path), entry, file)?;
    }
    Ok(())
}

/// The files of the model that `dir` does not hold.
pub(crate) fn missing_files(dir: &Path, entry: &ModelEntry) -> Vec<&'static str> {
    entry
        .files
        .iter()
        .map(|file| file.path)
        .filter(|path| !dir.join(path).is_file())
        .collect()
}

fn verify_file(path: &Path, entry: &ModelEntry, file: &ModelFile) -> Result<(), ModelError> {
    let (found_bytes, found) = hash_file(path)?;
    if found == file.sha256 {
        return Ok(());
    }
    Err(ModelError::HashMismatch {
        path: path.to_owned(),
        model: entry.id.to_owned(),
        found,
        expected: file.sha256.to_owned(),
        found_bytes,
        expected_bytes: file.bytes,
    })
}

/// Size and SHA-256 of a file, read in a stream.
pub(crate) fn hash_file(path: &Path) -> Result<(u64, String), ModelError> {
    let failed = |source| ModelError::Io {
        path: path.to_owned(),
        action: "read",
        source,
    };
    let mut file = File::open(path).map_err(failed)?;
    let mut hasher = Sha256::new();
    let mut chunk = vec![0; 1 << 20];
    let mut bytes = 0;
    loop {
        let n = file.read(&mut chunk).map_err(failed)?;
        if n == 0 {
            return Ok((bytes, hex(&hasher.finalize())));
        }
        hasher.update(&chunk[..n]);
        bytes += n as u64;
    }
}

/// Lower-case hexadecimal digits.
pub(crate) fn hex(bytes: &[u8]) -> String {
    bytes.iter().fold(String::new(), |mut text, byte| {
        // Writing to a string cannot fail.
        let _ = write!(text, "{byte:02x}");
        text
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sha256_of_the_standards_example() {
        assert_eq!(
            hex(&Sha256::digest(b"abc")),
            "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"
        );
    }

    #[test]
    fn a_file_longer_than_a_chunk_is_hashed_whole() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("zeros");
        let bytes = vec![7_u8; (1 << 20) + 17];
        std::fs::write(&path, &bytes).unwrap();
        assert_eq!(
            hash_file(&path).unwrap(),
            (bytes.len() as u64, hex(&Sha256::digest(&bytes)))
        );
    }
}
