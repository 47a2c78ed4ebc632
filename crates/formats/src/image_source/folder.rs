//! The image files of a folder.

use crate::stem_listing::{has_ending, text_of};
use crate::{FormatError, IoResult, Problem, video};
use neurogauge_core::natural_cmp;
use std::path::{Path, PathBuf};

pub(super) const EXTENSIONS: [&str; 11] =
    ["png", "jpg", "jpeg", "webp", "bmp", "tif", "tiff", "gif", "ppm", "pgm", "pbm"];

/// The suffix of a path whose subfolders are included.
const DEEP: &str = "**";

/// The folder of `folder/**`, if that path does not exist itself.
pub(super) fn deep(path: &Path) -> Option<&Path> {
    let folder = path.parent()?;
    (path.file_name()? == DEEP && folder.is_dir() && !path.exists()).then_some(folder)
}

/// The image files of a folder with their stems, in natural order of the stems, including subfolders if `is_deep`. If
/// only the subfolders have images, stems include the subfolder (`clip/0001`). Video files count if the folder has no
/// images.
pub(super) fn list(path: &Path, is_deep: bool) -> Result<Vec<(String, PathBuf)>, FormatError> {
    let mut files = Vec::new();
    for endings in [EXTENSIONS.as_slice(), &video::EXTENSIONS] {
        files = files_of(path, is_deep, endings)?;
        if files.is_empty() && !is_deep {
            files = files_of(path, true, endings)?;
            for (stem, file) in &mut files {
                let folders = file.parent().and_then(|folder| folder.strip_prefix(path).ok()).into_iter().flatten();
                let names = folders.map(|folder| text_of(Some(folder), file)).chain([Ok(stem.as_str())]);
                *stem = names.collect::<Result<Vec<_>, _>>()?.join("/");
            }
        }
        if !files.is_empty() {
            break;
        }
    }
    if files.is_empty() {
        let expected = "images (png, jpg, jpeg, webp, bmp, tif, tiff, gif, ppm, pgm, pbm) and no videos (mp4, m4v, mov, mkv, webm, avi, \
                        mpg, mpeg)";
        return Err(Problem::EmptyFolder(expected).at(path));
    }
    // Sorted by folder first, so that the files of a folder stay together even if the name of another folder is the
    // same number.
    let split = |stem: &str| stem.rfind('/').map_or(0, |end| end + 1);
    files.sort_by(|a, b| {
        let (a_folder, a_name) = a.0.split_at(split(&a.0));
        let (b_folder, b_name) = b.0.split_at(split(&b.0));
        natural_cmp(a_folder, b_folder)
            .then_with(|| natural_cmp(a_name, b_name))
            .then_with(|| a.1.cmp(&b.1))
    });
    if let Some([first, second]) = files.array_windows().find(|[a, b]| a.0 == b.0) {
        let [one, other] = [first, second].map(|(_, file)| file.strip_prefix(path).unwrap_or(file).to_string_lossy());
        return Err(Problem::duplicate_stem(&first.0, &one, &other).at(path));
    }
    Ok(files)
}

/// The files of a folder with one of these endings, with their stems, unordered.
fn files_of(path: &Path, is_deep: bool, endings: &[&str]) -> Result<Vec<(String, PathBuf)>, FormatError> {
    let mut files = Vec::new();
    let mut folders = vec![path.to_owned()];
    while let Some(folder) = folders.pop() {
        gather(&folder, endings, is_deep.then_some(&mut folders), &mut files)?;
    }
    Ok(files)
}

/// Collects the files of one folder, and its subfolders.
fn gather(
    path: &Path,
    endings: &[&str],
    mut folders: Option<&mut Vec<PathBuf>>,
    files: &mut Vec<(String, PathBuf)>,
) -> Result<(), FormatError> {
    for entry in std::fs::read_dir(path).when("listing", path)? {
        let entry = entry.when("listing", path)?;
        let file = entry.path();
        if entry.file_name().as_encoded_bytes().starts_with(b".") {
            continue;
        }
        // Links to folders are not followed, since they may form a cycle.
        if let Some(folders) = &mut folders
            && entry.file_type().is_ok_and(|kind| kind.is_dir())
        {
            folders.push(file);
            continue;
        }
        if has_ending(&file, endings) && file.is_file() {
            files.push((text_of(file.file_stem(), &file)?.to_owned(), file));
        }
    }
    Ok(())
}
