//! The files of a folder by their stems.

use crate::FormatError;
use neurogauge_core::natural_cmp;
use std::collections::HashSet;
use std::ffi::OsStr;
use std::path::{Path, PathBuf};

/// All files `*.<extension>` of a folder with their stems, natural order; may be empty. Hidden files (such as those of
/// macOS) are ignored.
pub(crate) fn stem_listing(folder: &Path, extension: &str) -> Result<Vec<(String, PathBuf)>, FormatError> {
    let io = |source| FormatError::Io {
        path: folder.to_owned(),
        action: "listing",
        source,
    };
    let mut files = Vec::new();
    for entry in std::fs::read_dir(folder).map_err(io)? {
        let path = entry.map_err(io)?.path();
        let matches = path.extension().is_some_and(|found| found.eq_ignore_ascii_case(extension));
        if !matches || path.is_dir() {
            continue;
        }
        let stem = text_of(path.file_stem(), &path)?;
        if !stem.starts_with('.') {
            files.push((stem.to_owned(), path));
        }
    }
    files.sort_by(|a, b| natural_cmp(&a.0, &b.0).then_with(|| a.1.cmp(&b.1)));
    for pair in files.windows(2) {
        if pair[0].0 == pair[1].0 {
            let name = |path: &Path| path.file_name().unwrap_or_default().display().to_string();
            return Err(FormatError::DuplicateStem {
                path: folder.to_owned(),
                stem: pair[0].0.clone(),
                first: name(&pair[0].1),
                second: name(&pair[1].1),
            });
        }
    }
    Ok(files)
}

/// The name of a file or folder, or a part of it, as text. Two names that are not valid UTF-8 could be read as the same
/// text.
///
/// # Errors
/// [`FormatError::Invalid`] for a name that is not UTF-8.
pub(crate) fn text_of<'a>(name: Option<&'a OsStr>, path: &Path) -> Result<&'a str, FormatError> {
    let text = name.unwrap_or_default().to_str();
    text.ok_or_else(|| FormatError::Invalid {
        path: path.to_owned(),
        place: "file name".to_owned(),
        reason: "not UTF-8; a stem has to be text, so please rename the file".to_owned(),
    })
}

/// Removes the files `*.<extension>` of a folder whose stems are not among these. A missing folder is no error.
///
/// # Errors
/// A folder that cannot be listed, a file that cannot be removed.
pub fn remove_others<'a>(
    folder: &Path,
    extension: &str,
    stems: impl IntoIterator<Item = &'a str>,
) -> Result<(), FormatError> {
    if !folder.exists() {
        return Ok(());
    }
    let kept: HashSet<&str> = stems.into_iter().collect();
    for (stem, path) in stem_listing(folder, extension)? {
        if !kept.contains(stem.as_str()) {
            std::fs::remove_file(&path).map_err(|source| FormatError::Io {
                path,
                action: "removing",
                source,
            })?;
        }
    }
    Ok(())
}
