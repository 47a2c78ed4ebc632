//! The image files of a folder.

use super::has_extension;
use crate::FormatError;
use neurogauge_core::natural_cmp;
use std::path::{Path, PathBuf};

const EXTENSIONS: [&str; 7] = ["png", "jpg", "jpeg", "webp", "bmp", "tif", "tiff"];

/// The stems and files of a folder's images, in natural order of the stems.
pub(super) fn list(path: &Path) -> Result<(Vec<String>, Vec<PathBuf>), FormatError> {
    let failed = |source| FormatError::Io {
        path: path.to_owned(),
        action: "listing",
        source,
    };
    let mut files: Vec<(String, PathBuf)> = Vec::new();
    for entry in std::fs::read_dir(path).map_err(failed)? {
        let file = entry.map_err(failed)?.path();
        let hidden = file
            .file_name()
            .is_some_and(|n| n.as_encoded_bytes().starts_with(b"."));
        let is_image = EXTENSIONS.iter().any(|e| has_extension(&file, e));
        if let Some(stem) = file.file_stem()
            && is_image
            && !hidden
            && file.is_file()
        {
            files.push((stem.to_string_lossy().into_owned(), file));
        }
    }
    if files.is_empty() {
        return Err(FormatError::EmptyFolder {
            path: path.to_owned(),
            expected: "images (png, jpg, jpeg, webp, bmp, tif, tiff)",
        });
    }
    files.sort_by(|a, b| natural_cmp(&a.0, &b.0).then_with(|| a.1.cmp(&b.1)));
    if let Some([first, second]) = files.array_windows().find(|[a, b]| a.0 == b.0) {
        let name = |file: &Path| {
            file.file_name()
                .unwrap_or_default()
                .to_string_lossy()
                .into()
        };
        return Err(FormatError::DuplicateStem {
            path: path.to_owned(),
            stem: first.0.clone(),
            first: name(&first.1),
            second: name(&second.1),
        });
    }
    Ok(files.into_iter().unzip())
}
