//! Stimuli and reconstructions as images, and the run that scores them.

use super::image_folders;
use neurogauge::core::Features;
use neurogauge::formats::features;
use std::path::{Path, PathBuf};

/// Scores the images of the folders `gt` and `recon`; a run that is there is replaced.
pub(crate) const SCORE: &str = "score gt recon --out run --overwrite";

/// Two folders of images and the run folder beside them.
pub(crate) struct ImagePairs {
    pub(crate) gt: PathBuf,
    pub(crate) recon: PathBuf,
    pub(crate) run: PathBuf,
}

impl ImagePairs {
    /// Writes an image for each stem and side.
    pub(crate) fn new(root: &Path, stems: &[&str]) -> ImagePairs {
        image_folders(root, stems);
        ImagePairs::of(root)
    }

    /// Images that are in `gt` and `recon` already, or will be.
    pub(crate) fn of(root: &Path) -> ImagePairs {
        ImagePairs {
            gt: root.join("gt"),
            recon: root.join("recon"),
            run: root.join("run"),
        }
    }

    /// Where the run keeps a feature matrix of `gt`, `recon` or `pool`.
    pub(crate) fn matrix(&self, of: &str, name: &str) -> PathBuf {
        self.run.join("observations").join(of).join("features").join(format!("{name}.npy"))
    }

    pub(crate) fn features(&self, of: &str, name: &str) -> Features {
        read_features(&self.matrix(of, name))
    }
}

/// A matrix with its ids.
pub(crate) fn read_features(matrix: &Path) -> Features {
    features::read(matrix, &matrix.with_file_name(features::IDS_FILE)).unwrap()
}
