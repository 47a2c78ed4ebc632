//! Files that are either written completely or not at all.

use crate::{FormatError, IoResult, Problem};
use std::collections::BTreeSet;
use std::ffi::OsStr;
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

/// Can a file be created and filled in this folder? On a full disk or above a quota, only filling it fails.
///
/// ```
/// let folder = tempfile::tempdir().unwrap();
/// assert!(neurogauge_formats::atomic_file::probe(folder.path()).is_ok());
/// assert!(neurogauge_formats::atomic_file::probe(&folder.path().join("none")).is_err());
/// ```
pub fn probe(folder: &Path) -> io::Result<()> {
    // The file has no name where the system supports that, so that nobody who lists the folder sees it.
    tempfile::tempfile_in(folder)?.write_all(&[0])
}

/// Removes a file, if there is one.
pub fn remove(path: &Path) -> Result<(), FormatError> {
    match std::fs::remove_file(path) {
        Err(source) if source.kind() != io::ErrorKind::NotFound => Err(Problem::Io("removing", source).at(path)),
        _ => Ok(()),
    }
}

/// Writes `bytes` to `path`: a reader sees the old content or the new, never a mixture.
///
/// Missing parent folders are created. A temporary file in the same folder is written, synced and renamed; if anything
/// fails, it is removed and an existing file stays unchanged.
pub fn write(path: &Path, bytes: &[u8]) -> Result<(), FormatError> {
    write_with(path, |writer| writer.write_all(bytes))
}

/// Like [`write()`], for content that is generated while writing; the writer is buffered.
///
/// # Errors
/// Refusals of the system, and any error that `fill` returns.
pub fn write_with(path: &Path, fill: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> Result<(), FormatError> {
    let (temporary, _unfinished) = temporary(path, fill)?;
    temporary.persist(path).map(drop).map_err(io::Error::from).when("writing", path)
}

/// Like [`write()`], but only if the file does not exist; an existing file, or one that another process creates first,
/// stays.
///
/// ```
/// use neurogauge_formats::atomic_file;
/// let folder = tempfile::tempdir().unwrap();
/// let path = folder.path().join("weights.pth.sha256");
/// atomic_file::write_new(&path, b"first").unwrap();
/// atomic_file::write_new(&path, b"second").unwrap();
/// assert_eq!(std::fs::read(&path).unwrap(), b"first");
/// ```
pub fn write_new(path: &Path, bytes: &[u8]) -> Result<(), FormatError> {
    let (temporary, _unfinished) = temporary(path, |writer| writer.write_all(bytes))?;
    match temporary.persist_noclobber(path) {
        Err(error) if error.error.kind() != io::ErrorKind::AlreadyExists => Err(error.error).when("writing", path),
        _ => Ok(()),
    }
}

/// The temporary files that this process is writing.
static UNFINISHED: Mutex<BTreeSet<PathBuf>> = Mutex::new(BTreeSet::new());

/// A file in that list, until it is in place or abandoned.
struct Unfinished(PathBuf);

impl Unfinished {
    fn new(path: &Path) -> Unfinished {
        UNFINISHED.lock().unwrap_or_else(PoisonError::into_inner).insert(path.to_owned());
        Unfinished(path.to_owned())
    }
}

impl Drop for Unfinished {
    fn drop(&mut self) {
        UNFINISHED.lock().unwrap_or_else(PoisonError::into_inner).remove(&self.0);
    }
}

/// Removes the temporary files of this process, which is about to end while they are being written.
pub fn remove_unfinished() {
    for path in UNFINISHED.lock().unwrap_or_else(PoisonError::into_inner).iter() {
        let _ = std::fs::remove_file(path);
    }
}

/// The prefix and suffix of names of files that are being written.
const TEMPORARY: (&str, &str) = (".", ".tmp");
/// The maximum nesting of folders of results.
const DEEPEST: usize = 6;

/// Removes temporary files of killed writers in a folder and its subfolders, if they have not been written to for this
/// long. The caller must know that no writer is slower. Files that cannot be removed are ignored.
///
/// ```
/// use neurogauge_formats::atomic_file;
/// use std::time::Duration;
/// let folder = tempfile::tempdir().unwrap();
/// std::fs::write(folder.path().join(".Ab12cd.tmp"), "half").unwrap();
/// atomic_file::sweep(folder.path(), Duration::from_secs(3600));
/// assert!(folder.path().join(".Ab12cd.tmp").exists());
/// atomic_file::sweep(folder.path(), Duration::ZERO);
/// assert!(!folder.path().join(".Ab12cd.tmp").exists());
/// ```
pub fn sweep(folder: &Path, unwritten_for: Duration) {
    sweep_to(folder, unwritten_for, DEEPEST);
}

/// Does a file that is being written here, or that a killed writer left, have this name?
///
/// ```
/// use neurogauge_formats::atomic_file::is_temporary;
/// assert!(is_temporary(".Ab12cd.tmp".as_ref()) && !is_temporary(".notes.tmp".as_ref()));
/// ```
pub fn is_temporary(name: &OsStr) -> bool {
    let random = name
        .to_str()
        .and_then(|name| name.strip_prefix(TEMPORARY.0))
        .and_then(|name| name.strip_suffix(TEMPORARY.1));
    random.is_some_and(|random| random.len() == 6 && random.chars().all(|c| c.is_ascii_alphanumeric()))
}

fn sweep_to(folder: &Path, unwritten_for: Duration, depth: usize) {
    for entry in std::fs::read_dir(folder).into_iter().flatten().flatten() {
        let (path, name) = (entry.path(), entry.file_name());
        // For a link, this is the type of the link itself.
        let Ok(kind) = entry.file_type() else {
            continue;
        };
        if kind.is_dir() && depth > 0 {
            sweep_to(&path, unwritten_for, depth - 1);
        }
        if is_temporary(&name) && kind.is_file() {
            let written = entry.metadata().and_then(|metadata| metadata.modified());
            let since = written.map(|written| written.elapsed().unwrap_or_default());
            if since.is_ok_and(|since| since >= unwritten_for) {
                let _ = std::fs::remove_file(&path);
            }
        }
    }
}

/// Refuses to open a symbolic link for writing: another user may have put it there, and its target would be
/// overwritten. (Writes of this module replace a link and never follow it.)
pub(crate) fn refuse_link(path: &Path) -> Result<(), FormatError> {
    match std::fs::symlink_metadata(path) {
        Ok(found) if found.file_type().is_symlink() => {
            Err(Problem::new("a symbolic link where a file is to be written; remove it, or choose another folder")
                .at(path))
        }
        _ => Ok(()),
    }
}

/// Writes the content to a hidden file beside `path`.
fn temporary(
    path: &Path,
    fill: impl FnOnce(&mut dyn Write) -> io::Result<()>,
) -> Result<(tempfile::NamedTempFile, Unfinished), FormatError> {
    let folder = match path.parent() {
        Some(parent) if !parent.as_os_str().is_empty() => parent,
        _ => Path::new("."),
    };
    std::fs::create_dir_all(folder).when("writing", path)?;
    let mut options = tempfile::Builder::new();
    // Hidden, so that programs that read the folder do not see half an image.
    options.prefix(TEMPORARY.0).suffix(TEMPORARY.1);
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        // A temporary file is private by default; the final file gets the permissions of any new file (the umask still
        // applies).
        options.permissions(std::fs::Permissions::from_mode(0o666));
    }
    let mut temporary = options.tempfile_in(folder).when("writing", path)?;
    let unfinished = Unfinished::new(temporary.path());
    let mut writer = BufWriter::new(temporary.as_file_mut());
    fill(&mut writer).when("writing", path)?;
    writer.flush().when("writing", path)?;
    drop(writer);
    temporary.as_file().sync_all().when("writing", path)?;
    Ok((temporary, unfinished))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_failed_write_leaves_the_old_file_and_nothing_else() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("scores.json");
        write(&path, b"old").unwrap();
        let error = write_with(&path, |writer| {
            writer.write_all(b"half of the new")?;
            Err(io::Error::other("disk full"))
        })
        .unwrap_err();
        assert!(error.to_string().ends_with("disk full"), "{error}");
        assert_eq!(std::fs::read(&path).unwrap(), b"old");
        assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 1);
    }

    #[test]
    fn an_existing_file_is_replaced() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("scores.json");
        write(&path, b"a longer old content").unwrap();
        write(&path, b"new").unwrap();
        assert_eq!(std::fs::read(&path).unwrap(), b"new");
    }

    #[cfg(unix)]
    #[test]
    fn what_is_written_has_the_permissions_of_any_new_file() {
        use std::os::unix::fs::PermissionsExt;
        let folder = tempfile::tempdir().unwrap();
        let (ours, plain) = (folder.path().join("ours"), folder.path().join("plain"));
        write(&ours, b"").unwrap();
        std::fs::write(&plain, b"").unwrap();
        let mode = |path: &Path| std::fs::metadata(path).unwrap().permissions().mode();
        assert_eq!(mode(&ours), mode(&plain));
    }

    #[test]
    fn a_path_that_cannot_be_written_is_named() {
        let folder = tempfile::tempdir().unwrap();
        let blocker = folder.path().join("file");
        write(&blocker, b"").unwrap();
        let error = write(&blocker.join("below"), b"").unwrap_err();
        assert!(matches!(error.problem, Problem::Io("writing", _)));
    }
}
