//! SHA-256 of contents, in lower-case hexadecimal digits.

use crate::regular_file;
use crate::{FormatError, IoResult, Problem, json};
use serde::Deserialize;
use sha2::{Digest, Sha256};
use std::collections::BTreeMap;
use std::io::Read;
use std::path::{Path, PathBuf};

/// SHA-256 of files by their paths in a folder.
pub type Hashes = BTreeMap<String, String>;

/// The SHA-256 of these bytes.
pub fn of_bytes(bytes: &[u8]) -> String {
    hexadecimal(&Sha256::digest(bytes))
}

/// The SHA-256 of a file's bytes, read in a stream.
pub fn of_file(path: &Path) -> Result<String, FormatError> {
    let (_, sha256) = regular_file::open(path).and_then(of_reader).when("reading", path)?;
    Ok(sha256)
}

/// The number of bytes from a reader, and their SHA-256.
pub fn of_reader(mut reader: impl Read) -> std::io::Result<(u64, String)> {
    let (mut hasher, mut bytes) = (Sha256::new(), 0);
    let mut buffer = vec![0; 1 << 20];
    loop {
        match reader.read(&mut buffer) {
            Ok(0) => return Ok((bytes, hexadecimal(&hasher.finalize()))),
            Ok(n) => {
                hasher.update(&buffer[..n]);
                bytes += n as u64;
            }
            Err(e) if e.kind() == std::io::ErrorKind::Interrupted => {}
            Err(e) => return Err(e),
        }
    }
}

/// The path of a result's file. If the file exists, its SHA-256 is that in the result's record.
pub fn verified(folder: &Path, recorded: &Hashes, name: &str) -> Result<PathBuf, FormatError> {
    let path = folder.join(name);
    let Some(recorded) = recorded.get(name).filter(|_| path.exists()) else {
        return Ok(path);
    };
    let found = of_file(&path)?;
    match found == *recorded {
        true => Ok(path),
        false => Err(Problem::Changed {
            found,
            recorded: recorded.clone(),
        }
        .at(path)),
    }
}

/// The SHA-256 of other files that a record contains, its `outputs`.
pub fn recorded(record: &Path) -> Result<Hashes, FormatError> {
    #[derive(Deserialize)]
    struct RecordedOutputs {
        outputs: Hashes,
    }
    Ok(json::read::<RecordedOutputs>(record)?.outputs)
}

/// Checks all files whose SHA-256 a record contains. A missing file is left to those who need it.
pub fn verify_outputs(record: &Path) -> Result<(), FormatError> {
    let folder = record.parent().unwrap_or(Path::new(""));
    let outputs = recorded(record)?;
    outputs.keys().try_for_each(|name| verified(folder, &outputs, name).map(drop))
}

pub fn hexadecimal(digest: &[u8]) -> String {
    digest.iter().map(|byte| format!("{byte:02x}")).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_longer_than_the_buffer_hashes_as_its_bytes_do() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("data");
        let bytes: Vec<u8> = (0..600_001u32).map(|i| (i * 7 % 251) as u8).collect();
        std::fs::write(&path, &bytes).unwrap();
        assert_eq!(of_file(&path).unwrap(), of_bytes(&bytes));
    }

    #[test]
    fn a_missing_file_is_named() {
        let error = of_file(Path::new("no/such/file")).unwrap_err();
        assert!(error.to_string().starts_with("no/such/file: reading failed"), "{error}");
    }
}
