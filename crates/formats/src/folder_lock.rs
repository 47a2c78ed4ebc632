//! One writer at a time in a folder of results.

use crate::FormatError;
use crate::atomic_file::{refuse_link, sweep};
use std::fs::{File, OpenOptions, TryLockError};
use std::io::{ErrorKind, Read, Seek, Write};
use std::path::{Path, PathBuf};
use std::time::Duration;

/// The file that exists in a folder while a process writes there.
pub const LOCK_FILE: &str = ".lock";

/// The right to write in a folder, until it is dropped. The operating system takes it back from a process that ends,
/// however it ends, so a lock is never stale.
#[derive(Debug)]
pub struct FolderLock {
    path: PathBuf,
    /// `None` if the file system does not support locks.
    file: Option<File>,
    /// Did this process create the folder?
    made_folder: bool,
}

impl FolderLock {
    /// Locks the folder, which is created if missing; if it stays empty, it is removed with the lock.
    ///
    /// # Errors
    /// [`FormatError::Locked`] if another process is writing in it.
    pub fn exclusive(folder: &Path) -> Result<FolderLock, FormatError> {
        let path = folder.join(LOCK_FILE);
        let failed = |action: &'static str| {
            let path = path.clone();
            move |source| FormatError::Io {
                path,
                action,
                source,
            }
        };
        let made_folder = !folder.exists();
        loop {
            // The previous owner may remove the empty folder at any moment.
            match std::fs::create_dir_all(folder) {
                Err(error) if error.kind() == ErrorKind::AlreadyExists && was_removed(folder) => {
                    continue;
                }
                made => made.map_err(failed("creating the folder of"))?,
            }
            refuse_link(&path)?;
            let mut options = OpenOptions::new();
            let options = options.read(true).write(true).create(true).truncate(false);
            let mut file = match options.open(&path) {
                Err(error) if error.kind() == ErrorKind::NotFound && !folder.exists() => continue,
                opened => opened.map_err(failed("opening"))?,
            };
            match file.try_lock() {
                Ok(()) => {}
                Err(TryLockError::WouldBlock) => {
                    let mut holder = String::new();
                    // If it cannot be read, the message says less.
                    let _ = file.read_to_string(&mut holder);
                    return Err(FormatError::Locked {
                        path: folder.to_owned(),
                        holder: holder.trim().to_owned(),
                    });
                }
                Err(TryLockError::Error(_)) => {
                    return Ok(FolderLock {
                        path,
                        file: None,
                        made_folder,
                    });
                }
            }
            // The previous owner may have removed the file between our opening and our locking it.
            if is_the_file_at(&file, &path) {
                // On a full disk the content is missing, but the lock still holds.
                let said = file.set_len(0).and_then(|()| file.rewind());
                let _ = said.and_then(|()| writeln!(file, "{}", this_process()));
                // No other process writes here now.
                sweep(folder, Duration::ZERO);
                return Ok(FolderLock {
                    path,
                    file: Some(file),
                    made_folder,
                });
            }
        }
    }
}

impl Drop for FolderLock {
    fn drop(&mut self) {
        let Some(file) = &self.file else { return };
        // A failure here affects only the next process that looks.
        if is_the_file_at(file, &self.path) {
            let _ = std::fs::remove_file(&self.path);
            if let (true, Some(folder)) = (self.made_folder, self.path.parent()) {
                // Does not remove a folder with content.
                let _ = std::fs::remove_dir(folder);
            }
        }
    }
}

/// After the creation of a folder failed because it existed: has it disappeared or been created again? A file or link at
/// its path stays.
fn was_removed(folder: &Path) -> bool {
    match std::fs::symlink_metadata(folder) {
        Ok(found) => found.is_dir(),
        Err(error) => error.kind() == ErrorKind::NotFound,
    }
}

/// A description of this process, for others that want the lock.
fn this_process() -> String {
    let name = std::env::args_os().next().unwrap_or_default();
    let name = Path::new(&name).file_name().unwrap_or_default();
    let machine = std::fs::read_to_string("/proc/sys/kernel/hostname").unwrap_or_default();
    let on = match machine.trim() {
        "" => String::new(),
        machine => format!(" on {machine}"),
    };
    let (name, number) = (name.to_string_lossy(), std::process::id());
    format!("process {number} ({name}){on}")
}

#[cfg(unix)]
fn is_the_file_at(file: &File, path: &Path) -> bool {
    use std::os::unix::fs::MetadataExt;
    let of = |metadata: std::fs::Metadata| (metadata.dev(), metadata.ino());
    let (ours, there) = (file.metadata().map(of), std::fs::metadata(path).map(of));
    matches!((ours, there), (Ok(ours), Ok(there)) if ours == there)
}

/// On other systems an open file cannot be removed.
#[cfg(not(unix))]
fn is_the_file_at(_file: &File, path: &Path) -> bool {
    path.exists()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_folder_has_one_writer_who_leaves_nothing_behind() {
        let dir = tempfile::tempdir().unwrap();
        let folder = dir.path().join("run");
        let lock = FolderLock::exclusive(&folder).unwrap();
        let error = FolderLock::exclusive(&folder).unwrap_err().to_string();
        let number = format!("process {}", std::process::id());
        assert!(error.contains(&number) && error.contains("run"), "{error}");
        drop(lock);
        assert!(!folder.exists());
        std::fs::create_dir(&folder).unwrap();
        drop(FolderLock::exclusive(&folder).unwrap());
        assert!(folder.exists() && !folder.join(LOCK_FILE).exists());
        // The file of a killed process does not matter.
        std::fs::write(folder.join(LOCK_FILE), "process 1, long gone").unwrap();
        let orphan = folder.join("observations/.x1Y2z3.tmp");
        let kept = folder.join("observations/.notes.tmp");
        std::fs::create_dir(folder.join("observations")).unwrap();
        std::fs::write(&orphan, "half").unwrap();
        std::fs::write(&kept, "half").unwrap();
        FolderLock::exclusive(&folder).unwrap();
        assert!(!folder.join(LOCK_FILE).exists());
        assert!(!orphan.exists() && kept.exists());
    }
}
