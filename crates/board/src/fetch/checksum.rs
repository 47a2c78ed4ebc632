//! The hash that identifies a file of a recipe.

use super::recipe::RecipeFile;
use md5::Md5;
use neurogauge::formats::{FormatError, IoResult, content_hash, regular_file};
use sha1::{Digest, Sha1};
use std::io::{self, Read};
use std::path::Path;

#[derive(Debug, Clone, Copy)]
enum HashKind {
    Sha256,
    Md5,
    Git,
}

/// A hash in a recipe.
#[derive(Debug, Clone, Copy)]
pub(super) struct Checksum<'a> {
    kind: HashKind,
    /// In hexadecimal digits.
    pub(super) value: &'a str,
}

impl<'a> Checksum<'a> {
    pub(super) fn of(file: &'a RecipeFile) -> Self {
        // A recipe has exactly one hash for each file.
        let (kind, value) = match (&file.sha256, &file.md5, &file.git) {
            (Some(value), _, _) => (HashKind::Sha256, value),
            (None, Some(value), _) => (HashKind::Md5, value),
            (None, None, value) => (HashKind::Git, value.as_ref().unwrap_or(&file.path)),
        };
        Checksum { kind, value }
    }

    /// The name of the kind of hash, for messages.
    pub(super) fn name(&self) -> &'static str {
        match self.kind {
            HashKind::Sha256 => "SHA-256",
            HashKind::Md5 => "MD5",
            HashKind::Git => "git hash",
        }
    }

    /// A file's hash of the same kind.
    pub(super) fn found_in(&self, path: &Path) -> Result<String, FormatError> {
        match self.kind {
            HashKind::Sha256 => content_hash::of_file(path),
            HashKind::Md5 => digest(path, Md5::new()).when("reading", path),
            HashKind::Git => {
                let bytes = path.metadata().when("reading", path)?.len();
                let start = Sha1::new_with_prefix(format!("blob {bytes}\0"));
                digest(path, start).when("reading", path)
            }
        }
    }
}

fn digest(path: &Path, mut hash: impl Digest) -> io::Result<String> {
    let mut file = regular_file::open(path)?;
    let mut buffer = vec![0; 1 << 18];
    loop {
        match file.read(&mut buffer)? {
            0 => break,
            n => hash.update(&buffer[..n]),
        }
    }
    Ok(hash.finalize().iter().map(|byte| format!("{byte:02x}")).collect())
}

#[cfg(test)]
mod tests {
    use super::*;
    use neurogauge::formats::names_below::own_file;

    #[test]
    fn hashes_are_those_of_md5sum_and_git() {
        let folder = tempfile::tempdir().unwrap();
        let path = own_file(folder.path(), "hello");
        std::fs::write(&path, "hello\n").unwrap();
        let found = |kind| Checksum { kind, value: "" }.found_in(&path).unwrap();
        // These are the results of md5sum and git hash-object for the file.
        assert_eq!(found(HashKind::Md5), "b1946ac92492d2347c6235b4d2611184");
        assert_eq!(found(HashKind::Git), "ce013625030ba8dba906f756967f9e9ca394464a");
    }
}
