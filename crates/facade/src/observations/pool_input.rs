//! `--pool`: the common pool of distractors for identification, as images or as features.

use crate::Error;
use crate::option_names::POOL;
use neurogauge_core::ObservationKind;
use neurogauge_formats::Problem;
use neurogauge_formats::features;
use neurogauge_formats::image_source::ImageSource;
use std::path::{Path, PathBuf};

/// The input of `--pool`, not yet read.
#[derive(Debug, Clone)]
pub(crate) enum PoolInput {
    /// A folder of feature matrices, with its models.
    Features { folder: PathBuf, models: Vec<String> },
    /// Images, which are observed by the same models as the images of the pairs.
    Images(PathBuf),
}

impl PoolInput {
    /// Reads a path as a folder of images, a stack of them, or a folder of feature matrices (itself, or the `features`
    /// folder inside).
    pub(crate) fn locate(path: &Path) -> Result<PoolInput, Error> {
        let usage = |what: String| Err(Error::Usage(format!("{POOL} {}: {what}", path.display())));
        if !path.is_dir() {
            // `file.pt#key` names a tensor in a file.
            if ImageSource::exists(path) || path.to_string_lossy().contains('#') {
                return Ok(PoolInput::Images(path.to_owned()));
            }
            return usage(
                "no such folder or file; expected a folder of images, or one with <model>.npy and \
                 ids.json"
                    .into(),
            );
        }
        let inside = path.join(ObservationKind::Features.id());
        let folder = if inside.is_dir() { inside } else { path.to_owned() };
        let models = features::list(&folder)?;
        let images = match ImageSource::open(path) {
            Err(error) if matches!(error.problem, Problem::EmptyFolder(_)) => None,
            opened => Some(opened?),
        };
        match images {
            None if models.is_empty() => usage(
                "it holds neither images (png, jpg, jpeg, webp, bmp, tif, tiff) nor feature matrices \
                 (<model>.npy and ids.json)"
                    .into(),
            ),
            None => Ok(PoolInput::Features { folder, models }),
            Some(_) if models.is_empty() => Ok(PoolInput::Images(path.to_owned())),
            Some(images) => usage(format!(
                "it holds images ({}) and feature matrices ({}), so it is not clear which to use; \
                 keep them in separate folders, and name one",
                images.len(),
                models.join(", ")
            )),
        }
    }
}
