//! The files of a folder by their stems.

use crate::{FormatError, IoResult, Problem};
use neurogauge_core::natural_cmp;
use std::collections::HashSet;
use std::ffi::OsStr;
use std::path::{Path, PathBuf};

/// All files of a folder with one of these extensions, with their stems, in natural order; may be empty. Hidden files
/// (such as those of macOS) are ignored.
pub(crate) fn stem_listing(folder: &Path, extensions: &[&str]) -> Result<Vec<(String, PathBuf)>, FormatError> {
    let mut files = Vec::new();
    for entry in std::fs::read_dir(folder).when("listing", folder)? {
        let path = entry.when("listing", folder)?.path();
        if !has_ending(&path, extensions) || path.is_dir() {
            continue;
        }
        let stem = text_of(path.file_stem(), &path)?;
        if !stem.starts_with('.') {
            files.push((stem.to_owned(), path));
        }
    }
    files.sort_by(|a, b| natural_cmp(&a.0, &b.0).then_with(|| a.1.cmp(&b.1)));
    if let Some([first, second]) = files.array_windows().find(|[a, b]| a.0 == b.0) {
        let [one, other] = [first, second].map(|(_, file)| file.file_name().unwrap_or_default().to_string_lossy());
        return Err(Problem::duplicate_stem(&first.0, &one, &other).at(folder));
    }
    Ok(files)
}

/// Does the file have one of these extensions, in any case?
pub(crate) fn has_ending(path: &Path, endings: &[&str]) -> bool {
    let is_known = |found: &OsStr| endings.iter().any(|known| found.eq_ignore_ascii_case(known));
    path.extension().is_some_and(is_known)
}

/// The name of a file or folder, or a part of it, as text. Two names that are not valid UTF-8 might be read as the same
/// text.
pub(crate) fn text_of<'a>(name: Option<&'a OsStr>, path: &Path) -> Result<&'a str, FormatError> {
    let text = name.unwrap_or_default().to_str();
    text.ok_or_else(|| {
        Problem::invalid("file name", "not UTF-8; a stem has to be text, so please rename the file").at(path)
    })
}

/// Removes the files `*.<extension>` of a folder whose stems are not among these. A missing folder is not an error.
///
/// # Errors
/// The folder cannot be listed; a file cannot be removed.
pub fn remove_others<'a>(
    folder: &Path,
    extension: &str,
    stems: impl IntoIterator<Item = &'a str>,
) -> Result<(), FormatError> {
    if !folder.exists() {
        return Ok(());
    }
    let kept: HashSet<&str> = stems.into_iter().collect();
    for (stem, path) in stem_listing(folder, &[extension])? {
        if !kept.contains(stem.as_str()) {
            std::fs::remove_file(&path).when("removing", &path)?;
        }
    }
    Ok(())
}
