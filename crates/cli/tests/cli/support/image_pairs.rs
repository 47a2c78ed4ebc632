//! A run that scores the images of two folders, and the features that it keeps.

use super::*;

/// Scores the images in the folders `gt` and `recon`, replacing an earlier run.
pub(crate) const SCORE: &str = "score gt recon --out run --overwrite";

/// The path of the run's feature matrix of `gt`, `recon` or `pool`.
pub(crate) fn matrix(dir: &Folder, of: &str, name: &str) -> PathBuf {
    dir.join(format!("run/observations/{of}/features/{name}.npy"))
}

pub(crate) fn features(dir: &Folder, of: &str, name: &str) -> Features {
    read_features(&matrix(dir, of, name))
}

/// A matrix with its ids.
pub(crate) fn read_features(matrix: &Path) -> Features {
    features::read(matrix, &matrix.with_file_name(features::IDS_FILE)).unwrap()
}
