//! The image files of a folder.

use super::has_extension;
use crate::{FormatError, gif_frames};
use neurogauge_core::natural_cmp;
use rayon::prelude::*;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

const EXTENSIONS: [&str; 9] = [
    "png", "jpg", "jpeg", "webp", "bmp", "tif", "tiff", "gif", "ppm",
];

/// An image file, or a frame of one that has several.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct ImagePlace {
    pub(super) path: PathBuf,
    /// The number of the frame, from 0; `None` for a file with one image.
    pub(super) frame: Option<usize>,
}

/// The suffix of a path whose subfolders are included.
const DEEP: &str = "**";

/// The folder of `folder/**`, if that path does not exist itself.
pub(super) fn deep(path: &Path) -> Option<&Path> {
    let folder = path.parent()?;
    (path.file_name()? == DEEP && folder.is_dir() && !path.exists()).then_some(folder)
}

/// The stems and places of a folder's images, in natural order of the stems; including subfolders if `is_deep`. The stems in a folder
/// that has images in its subfolders alone name the subfolder as well (`clip/0001`), and so do those of the frames of a file.
pub(super) fn list(
    path: &Path,
    is_deep: bool,
) -> Result<(Vec<String>, Vec<ImagePlace>), FormatError> {
    let mut files = files_of(path, is_deep)?;
    if files.is_empty() && !is_deep {
        files = files_of(path, true)?;
        for (stem, file) in &mut files {
            let below = file
                .parent()
                .and_then(|folder| folder.strip_prefix(path).ok());
            let folders = below.into_iter().flatten();
            let names = folders.map(|folder| folder.to_string_lossy().into_owned());
            let names = names.chain([std::mem::take(stem)]);
            *stem = names.collect::<Vec<_>>().join("/");
        }
    }
    if files.is_empty() {
        return Err(FormatError::EmptyFolder {
            path: path.to_owned(),
            expected: "images (png, jpg, jpeg, webp, bmp, tif, tiff, gif, ppm)",
        });
    }
    files.sort_by(|a, b| natural_cmp(&a.0, &b.0).then_with(|| a.1.cmp(&b.1)));
    if let Some([first, second]) = files.array_windows().find(|[a, b]| a.0 == b.0) {
        let name = |file: &Path| {
            let below = file.strip_prefix(path).unwrap_or(file);
            below.to_string_lossy().into()
        };
        return Err(FormatError::DuplicateStem {
            path: path.to_owned(),
            stem: first.0.clone(),
            first: name(&first.1),
            second: name(&second.1),
        });
    }
    let places = files.into_par_iter().map(|(stem, path)| {
        if !has_extension(&path, "gif") {
            return Ok(vec![(stem, ImagePlace { path, frame: None })]);
        }
        let n_frames = gif_frames::visit(&path, |_, _| ControlFlow::Continue(()))?;
        if n_frames == 1 {
            return Ok(vec![(stem, ImagePlace { path, frame: None })]);
        }
        let frames = (0..n_frames).map(|frame| {
            let path = path.clone();
            let frame_stem = format!("{stem}/{:04}", frame + 1);
            (
                frame_stem,
                ImagePlace {
                    path,
                    frame: Some(frame),
                },
            )
        });
        Ok(frames.collect())
    });
    let places = places.collect::<Result<Vec<_>, FormatError>>()?;
    Ok(places.into_iter().flatten().unzip())
}

/// The image files of a folder with their stems, in no order.
fn files_of(path: &Path, is_deep: bool) -> Result<Vec<(String, PathBuf)>, FormatError> {
    let mut files = Vec::new();
    let mut folders = vec![path.to_owned()];
    while let Some(folder) = folders.pop() {
        gather(&folder, is_deep.then_some(&mut folders), &mut files)?;
    }
    Ok(files)
}

/// The images of one folder, and its subfolders.
fn gather(
    path: &Path,
    mut folders: Option<&mut Vec<PathBuf>>,
    files: &mut Vec<(String, PathBuf)>,
) -> Result<(), FormatError> {
    let failed = |source| FormatError::Io {
        path: path.to_owned(),
        action: "listing",
        source,
    };
    for entry in std::fs::read_dir(path).map_err(failed)? {
        let entry = entry.map_err(failed)?;
        let file = entry.path();
        let name = entry.file_name();
        if name.as_encoded_bytes().starts_with(b".") {
            continue;
        }
        // Links to folders are not followed, since they may form a cycle.
        if let Some(folders) = &mut folders
            && entry.file_type().is_ok_and(|kind| kind.is_dir())
        {
            folders.push(file);
            continue;
        }
        let is_image = EXTENSIONS.iter().any(|e| has_extension(&file, e));
        if let Some(stem) = file.file_stem()
            && is_image
            && file.is_file()
        {
            files.push((stem.to_string_lossy().into_owned(), file));
        }
    }
    Ok(())
}
