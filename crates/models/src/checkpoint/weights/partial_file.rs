//! A partial download, kept beside the final path, so that a later try or process can continue it.

use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use std::fs::{self, File, OpenOptions};
use std::io::{self, Read, Seek, Write};
use std::path::{Path, PathBuf};

/// The prefix of partial files' names.
const PREFIX: &str = ".partial-";

/// A partly downloaded file.
pub(super) struct PartialFile {
    path: PathBuf,
    file: File,
    bytes: u64,
    hasher: Sha256,
    known: Option<FileTag>,
}

/// The server's tag of the file's version, to recognise it when the download continues.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
struct FileTag {
    /// The strong tag. Without one, only the published hash of the whole file can show that the parts fit.
    etag: Option<String>,
}

impl PartialFile {
    /// Opens the partial download of `target`. It starts empty if an existing one may belong to a different file or to
    /// another user, who could have put anything there. The caller has the folder's lock.
    pub(super) fn open(target: &Path) -> io::Result<Self> {
        let path = partial_path(target);
        if !is_own(&path) || !is_own(&source_path(&path)) {
            remove(&source_path(&path))?;
            remove(&path)?;
        }
        let mut options = OpenOptions::new();
        let mut file = options.read(true).write(true).create(true).truncate(false).open(&path)?;
        let known = fs::read(source_path(&path)).ok();
        let known: Option<FileTag> = known.and_then(|known| serde_json::from_slice(&known).ok());
        let mut hasher = Sha256::new();
        let mut bytes = 0;
        if known.is_some() {
            let mut chunk = vec![0; 1 << 20];
            loop {
                let n = file.read(&mut chunk)?;
                if n == 0 {
                    break;
                }
                hasher.update(&chunk[..n]);
                bytes += n as u64;
            }
        }
        let mut partial = PartialFile {
            path,
            file,
            bytes,
            hasher,
            known,
        };
        if bytes == 0 {
            partial.clear()?;
        }
        Ok(partial)
    }

    pub(super) fn path(&self) -> &Path {
        &self.path
    }

    pub(super) fn bytes(&self) -> u64 {
        self.bytes
    }

    /// The server's tag of the file that was begun.
    pub(super) fn etag(&self) -> Option<&str> {
        self.known.as_ref()?.etag.as_deref()
    }

    /// Can another try continue from here?
    pub(super) fn can_go_on(&self) -> bool {
        self.known.is_some()
    }

    /// Stores the server's metadata. Without a tag, the download can only be continued with `has_hash`, when the hash
    /// verifies the whole file.
    pub(super) fn note(&mut self, etag: Option<&str>, has_hash: bool) -> io::Result<()> {
        let known = (etag.is_some() || has_hash).then(|| FileTag {
            etag: etag.map(str::to_owned),
        });
        if known == self.known {
            return Ok(());
        }
        self.known = known;
        match &self.known {
            Some(source) => fs::write(source_path(&self.path), serde_json::to_vec(source)?),
            None => remove(&source_path(&self.path)),
        }
    }

    pub(super) fn append(&mut self, chunk: &[u8]) -> io::Result<()> {
        self.file.write_all(chunk)?;
        self.hasher.update(chunk);
        self.bytes += chunk.len() as u64;
        Ok(())
    }

    /// The SHA-256 of everything received so far.
    pub(super) fn hash(&self) -> [u8; 32] {
        self.hasher.clone().finalize().into()
    }

    /// Discards everything received.
    pub(super) fn clear(&mut self) -> io::Result<()> {
        self.file.set_len(0)?;
        self.file.rewind()?;
        self.bytes = 0;
        self.hasher = Sha256::new();
        self.known = None;
        remove(&source_path(&self.path))
    }

    /// Keeps what another try can continue, and removes everything else.
    pub(super) fn close(self) -> io::Result<()> {
        if self.bytes > 0 && self.can_go_on() {
            return Ok(());
        }
        remove(&source_path(&self.path))?;
        remove(&self.path)
    }

    /// Moves the verified file to its final path.
    pub(super) fn put_in_place(self, target: &Path) -> io::Result<()> {
        self.file.sync_all()?;
        drop(self.file);
        fs::rename(&self.path, target)?;
        remove(&source_path(&self.path))
    }
}

/// Removes partial files of killed downloads, of other files or of an earlier version.
pub(super) fn sweep(dir: &Path, targets: &[PathBuf]) {
    let paths = targets.iter().map(|target| partial_path(target));
    let ours: Vec<PathBuf> = paths.flat_map(|path| [source_path(&path), path]).collect();
    for entry in fs::read_dir(dir).into_iter().flatten().flatten() {
        let is_left = entry.file_name().to_string_lossy().starts_with(PREFIX);
        if is_left && !ours.contains(&entry.path()) {
            // A file that cannot be removed does no harm.
            let _ = fs::remove_file(entry.path());
        }
    }
}

fn partial_path(target: &Path) -> PathBuf {
    let name = target.file_name().unwrap_or_default().to_string_lossy();
    target.with_file_name(format!("{PREFIX}{name}"))
}

fn source_path(partial: &Path) -> PathBuf {
    let mut path = partial.as_os_str().to_owned();
    path.push(".source");
    path.into()
}

/// Does the file belong to the user who runs the process, or not exist?
fn is_own(path: &Path) -> bool {
    let Ok(found) = fs::symlink_metadata(path) else {
        return true;
    };
    #[cfg(unix)]
    let is_mine = std::os::unix::fs::MetadataExt::uid(&found) == rustix::process::geteuid().as_raw();
    #[cfg(not(unix))]
    let is_mine = true;
    found.is_file() && is_mine
}

/// Removes a file; a missing one is no error.
fn remove(path: &Path) -> io::Result<()> {
    match fs::remove_file(path) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => Err(error),
        _ => Ok(()),
    }
}
