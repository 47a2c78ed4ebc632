//! Allows one writer at a time in a folder of results.

use crate::atomic_file::{refuse_link, sweep};
use crate::{FormatError, IoResult, Problem};
use neurogauge_core::Finding;
use std::collections::BTreeSet;
use std::fs::{File, OpenOptions, TryLockError};
use std::io::{ErrorKind, Read, Seek, Write};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

/// The file that exists in a folder while a process writes there.
pub const LOCK_FILE: &str = ".lock";

/// The system's function that locks a file.
const LOCK_CALL: &str = if cfg!(windows) { "LockFileEx" } else { "flock" };

/// The right to write in a folder, until it is dropped. The operating system releases it when the process ends, however
/// it ends, so a lock is never stale if the file system supports locks.
#[derive(Debug)]
pub struct FolderLock {
    path: PathBuf,
    file: File,
    /// The refusal of the system, if the file system does not support locks.
    not_locked: Option<std::io::Error>,
    /// Did this process create the folder?
    made_folder: bool,
}

impl FolderLock {
    /// Locks the folder, and creates it if missing. If it stays empty, it is removed with the lock.
    ///
    /// If the file system does not support locks (NFS without its lock service, Lustre mounted without `flock`),
    /// [`Self::warning`] says so, and only the name in the lock file shows who writes there.
    ///
    /// # Errors
    /// [`Problem::Locked`] if another process is writing in it; [`Problem::PerhapsLocked`] if locks are not supported
    /// and the file names a process that may still be running.
    pub fn exclusive(folder: &Path) -> Result<FolderLock, FormatError> {
        let path = folder.join(LOCK_FILE);
        let made_folder = !folder.exists();
        loop {
            // The previous owner may remove the empty folder at any moment.
            match std::fs::create_dir_all(folder) {
                Err(error) if error.kind() == ErrorKind::AlreadyExists && was_removed(folder) => {
                    continue;
                }
                made => made.when("creating the folder of", &path)?,
            }
            refuse_link(&path)?;
            let mut options = OpenOptions::new();
            let options = options.read(true).write(true).create(true).truncate(false);
            let mut file = match options.open(&path) {
                Err(error) if error.kind() == ErrorKind::NotFound && !folder.exists() => continue,
                opened => opened.when("opening", &path)?,
            };
            let mut not_locked = None;
            match file.try_lock() {
                Ok(()) => {}
                Err(TryLockError::WouldBlock) => {
                    return Err(Problem::Locked {
                        holder: read_holder(&mut file),
                    }
                    .at(folder));
                }
                Err(TryLockError::Error(error)) => {
                    let holder = read_holder(&mut file);
                    if !holder.is_empty() && !has_ended(&holder) {
                        return Err(Problem::PerhapsLocked {
                            lock: path,
                            holder,
                            call: LOCK_CALL,
                            source: error,
                        }
                        .at(folder));
                    }
                    not_locked = Some(error);
                }
            }
            // The previous owner may have removed the file between our opening and our locking it.
            if is_the_file_at(&file, &path) {
                // On a full disk the content is missing, but the lock still holds.
                let emptied = file.set_len(0).and_then(|()| file.rewind());
                let _ = emptied.and_then(|()| writeln!(file, "{}", this_process()));
                if not_locked.is_none() {
                    // No other process is writing here now.
                    sweep(folder, Duration::ZERO);
                }
                return Ok(FolderLock {
                    path,
                    file,
                    not_locked,
                    made_folder,
                });
            }
        }
    }

    /// The warning for the user if the file system does not support locks. `None` if this process has already given it
    /// for that file system.
    pub fn warning(&self) -> Option<Finding> {
        static WARNED: Mutex<BTreeSet<u64>> = Mutex::new(BTreeSet::new());
        let error = self.not_locked.as_ref()?;
        let mut warned = WARNED.lock().unwrap_or_else(PoisonError::into_inner);
        if !warned.insert(file_system_of(&self.file)) {
            return None;
        }
        let folder = self.path.parent().unwrap_or(&self.path).display();
        Some(Finding::warning(
            "folder_not_locked",
            folder.to_string(),
            format!(
                "the file system cannot lock this folder ({LOCK_CALL}: {error}); the command goes on, but do not let two commands write \
                 in one folder there at once, from this machine or another"
            ),
        ))
    }
}

impl Drop for FolderLock {
    fn drop(&mut self) {
        // A failure here affects only the next process that looks.
        if is_the_file_at(&self.file, &self.path) {
            let _ = std::fs::remove_file(&self.path);
            if let (true, Some(folder)) = (self.made_folder, self.path.parent()) {
                // Does not remove a folder with content.
                let _ = std::fs::remove_dir(folder);
            }
        }
    }
}

/// After a folder could not be created because it existed: has it disappeared, or been created again? A file or link at
/// its path stays.
fn was_removed(folder: &Path) -> bool {
    match std::fs::symlink_metadata(folder) {
        Ok(found) => found.is_dir(),
        Err(error) => error.kind() == ErrorKind::NotFound,
    }
}

/// The process named in a lock file; empty if it cannot be read, which only makes the message less specific.
fn read_holder(file: &mut File) -> String {
    let mut holder = String::new();
    let _ = file.read_to_string(&mut holder);
    holder.trim().to_owned()
}

/// A description of this process, for others that want the lock.
fn this_process() -> String {
    let name = std::env::args_os().next().unwrap_or_default();
    described(std::process::id(), Path::new(&name))
}

fn described(number: u32, program: &Path) -> String {
    let name = program.file_name().unwrap_or_default().to_string_lossy();
    let machine = std::fs::read_to_string("/proc/sys/kernel/hostname").unwrap_or_default();
    match machine.trim() {
        "" => format!("process {number} ({name})"),
        machine => format!("process {number} ({name}) on {machine}"),
    }
}

/// Does this describe a process of this machine that is no longer running? For other machines, and without `/proc`,
/// this is unknown.
fn has_ended(holder: &str) -> bool {
    let number = holder.strip_prefix("process ").and_then(|rest| rest.split(' ').next());
    let Some(number) = number.and_then(|number| number.parse::<u32>().ok()) else {
        return false;
    };
    let is_here = holder
        .rsplit_once(" on ")
        .is_some_and(|(_, machine)| this_process().ends_with(&format!(" on {machine}")));
    // Another program may have got the number in the meantime.
    let command = std::fs::read(format!("/proc/{number}/cmdline")).unwrap_or_default();
    let program = command.split(|byte| *byte == 0).next().unwrap_or_default();
    is_here && described(number, Path::new(String::from_utf8_lossy(program).as_ref())) != holder
}

/// A number that identifies the file system; on systems without one, always the same.
#[cfg(unix)]
fn file_system_of(file: &File) -> u64 {
    use std::os::unix::fs::MetadataExt;
    file.metadata().map_or(0, |metadata| metadata.dev())
}

#[cfg(not(unix))]
fn file_system_of(_file: &File) -> u64 {
    0
}

#[cfg(unix)]
fn is_the_file_at(file: &File, path: &Path) -> bool {
    use std::os::unix::fs::MetadataExt;
    let of = |metadata: std::fs::Metadata| (metadata.dev(), metadata.ino());
    let (ours, there) = (file.metadata().map(of), std::fs::metadata(path).map(of));
    matches!((ours, there), (Ok(ours), Ok(there)) if ours == there)
}

/// On other systems, an open file cannot be removed.
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
        // The lock file of a killed process does not matter.
        std::fs::write(folder.join(LOCK_FILE), "process 1, long gone").unwrap();
        let orphan = folder.join("observations/.x1Y2z3.tmp");
        let kept = folder.join("observations/.notes.tmp");
        std::fs::create_dir(folder.join("observations")).unwrap();
        std::fs::write(&orphan, "half").unwrap();
        std::fs::write(&kept, "half").unwrap();
        assert!(FolderLock::exclusive(&folder).unwrap().warning().is_none());
        assert!(!folder.join(LOCK_FILE).exists());
        assert!(!orphan.exists() && kept.exists());
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn a_process_has_ended_if_this_machine_knows_it_no_more() {
        let this = this_process();
        assert!(!has_ended(&this), "{this}");
        let (_, machine) = this.rsplit_once(" on ").unwrap();
        let number = std::process::id();
        // No process has a number above 2^22.
        assert!(has_ended(&format!("process 4194305 (neurogauge) on {machine}")));
        assert!(has_ended(&format!("process {number} (another) on {machine}")));
        assert!(!has_ended(&format!("process 4194305 (neurogauge) on not-{machine}")));
        assert!(!has_ended("process 4194305 (neurogauge)"));
        assert!(!has_ended("somebody"));
    }
}
