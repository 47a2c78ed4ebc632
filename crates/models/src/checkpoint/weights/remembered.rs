//! Remembers hashes that this machine has computed, so that processes that start together do not all read the same
//! weights.

use neurogauge_formats::{atomic_file, content_hash};
use serde::{Deserialize, Serialize};
use std::fs::File;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;
use std::time::UNIX_EPOCH;

static FOLDER: OnceLock<PathBuf> = OnceLock::new();

/// From now on, hashes of weights are stored in this folder and reused as long as a file has the same size and
/// modification time. Only the first call in a process counts.
///
/// Use the folder on one machine and for one piece of work, so that the next one finds a damaged file. Without this
/// call every file is hashed whenever it is used; `neurogauge models verify` always hashes it.
pub fn remember_hashes_in(folder: PathBuf) {
    let _ = FOLDER.set(folder);
}

/// The stored facts about a file.
#[derive(Debug, PartialEq, Serialize, Deserialize)]
struct Remembered {
    file: PathBuf,
    bytes: u64,
    /// Modification time, ns since 1970. It is only compared with itself.
    modified: String,
    sha256: String,
}

/// Size and hash of a file, computed unless they are known. Processes that ask at the same time wait for the first one.
pub(super) fn known_or<E>(path: &Path, compute: impl FnOnce() -> Result<(u64, String), E>) -> Result<(u64, String), E> {
    match FOLDER.get() {
        Some(folder) => known_in(folder, path, compute),
        None => compute(),
    }
}

fn known_in<E>(
    folder: &Path,
    path: &Path,
    compute: impl FnOnce() -> Result<(u64, String), E>,
) -> Result<(u64, String), E> {
    let Some((file, bytes, modified)) = state(path) else {
        return compute();
    };
    let name = content_hash::of_bytes(file.to_string_lossy().as_bytes());
    let record = folder.join(&name).with_extension("json");
    let known = || {
        let text = std::fs::read(&record).ok()?;
        let known: Remembered = serde_json::from_slice(&text).ok()?;
        let is_this = (&known.file, known.bytes, &known.modified) == (&file, bytes, &modified);
        is_this.then_some((known.bytes, known.sha256))
    };
    if let Some(known) = known() {
        return Ok(known);
    }
    // Without a folder or a lock, the file is hashed all the same.
    let _ = std::fs::create_dir_all(folder);
    let lock = File::create(folder.join(name).with_extension("lock")).ok();
    let lock = lock.filter(|lock| lock.lock().is_ok());
    if let Some(known) = lock.as_ref().and_then(|_| known()) {
        return Ok(known);
    }
    let (bytes, sha256) = compute()?;
    let remembered = Remembered {
        file,
        bytes,
        modified,
        sha256: sha256.clone(),
    };
    if let Ok(text) = serde_json::to_vec(&remembered) {
        let _ = atomic_file::write(&record, &text);
    }
    Ok((bytes, sha256))
}

/// A file's absolute path, size and modification time.
fn state(path: &Path) -> Option<(PathBuf, u64, String)> {
    let file = path.canonicalize().ok()?;
    let metadata = file.metadata().ok()?;
    let modified = metadata.modified().ok()?.duration_since(UNIX_EPOCH).ok()?;
    Some((file, metadata.len(), modified.as_nanos().to_string()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::cell::Cell;
    use std::time::{Duration, SystemTime};

    #[test]
    fn a_file_is_hashed_again_once_it_has_changed() {
        let dir = tempfile::tempdir().unwrap();
        let (folder, path) = (dir.path().join("of this machine"), dir.path().join("weights"));
        let then = SystemTime::UNIX_EPOCH + Duration::from_secs(1_000_000);
        let write = |text: &str, modified| {
            std::fs::write(&path, text).unwrap();
            File::options().write(true).open(&path).unwrap().set_modified(modified).unwrap();
        };
        let n_computed = Cell::new(0);
        let hash = || {
            let compute = || {
                n_computed.set(n_computed.get() + 1);
                let bytes = std::fs::read(&path).unwrap();
                Ok::<_, ()>((bytes.len() as u64, content_hash::of_bytes(&bytes)))
            };
            (known_in(&folder, &path, compute).unwrap(), n_computed.get())
        };
        write("one", then);
        let one = (3, content_hash::of_bytes(b"one"));
        assert_eq!([hash(), hash()], [(one.clone(), 1), (one, 1)]);
        write("two", then + Duration::from_nanos(100));
        assert_eq!(hash(), ((3, content_hash::of_bytes(b"two")), 2));
        write("three", then + Duration::from_nanos(100));
        assert_eq!(hash(), ((5, content_hash::of_bytes(b"three")), 3));
        // A damaged record is ignored.
        let records = std::fs::read_dir(&folder).unwrap().flatten();
        for record in records.filter(|file| file.path().extension().is_some_and(|e| e == "json")) {
            std::fs::write(record.path(), "{").unwrap();
        }
        assert_eq!(hash().1, 4);
    }

    #[test]
    fn of_many_that_begin_together_one_computes() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("weights");
        std::fs::write(&path, "weights").unwrap();
        let n_computed = std::sync::atomic::AtomicUsize::new(0);
        std::thread::scope(|scope| {
            for _ in 0..64 {
                scope.spawn(|| {
                    let compute = || {
                        n_computed.fetch_add(1, std::sync::atomic::Ordering::SeqCst);
                        std::thread::sleep(Duration::from_millis(20));
                        Ok::<_, ()>((7, "hash".to_owned()))
                    };
                    assert_eq!(known_in(dir.path(), &path, compute).unwrap(), (7, "hash".to_owned()));
                });
            }
        });
        assert_eq!(n_computed.into_inner(), 1);
    }
}
