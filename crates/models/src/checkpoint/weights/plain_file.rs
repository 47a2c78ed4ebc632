//! A single file from the web that is not a model's: it is downloaded once and must stay the same.

use super::download::lock;
use super::transfer::{TransferError, Wanted, fetch};
use super::verify::hash_file;
use super::{DownloadProgress, WeightOptions, record};
use crate::ModelError;
use std::path::{Path, PathBuf};

/// The path of the file in the folder, where it must be the same as at its first download; `None` if it is not there
/// and must not be downloaded.
pub(crate) fn plain_file(
    dir: &Path,
    file: &Wanted<'_>,
    fetches: bool,
    options: &WeightOptions,
    progress: &dyn DownloadProgress,
) -> Result<Option<PathBuf>, ModelError> {
    let target = dir.join(file.name);
    if !target.is_file() {
        if !fetches {
            return Ok(None);
        }
        let _lock = lock(dir, progress)?;
        // Another process may have downloaded it meanwhile.
        if !target.is_file() {
            fetch(file, &target, options, progress).map_err(|error| failed(file.url, &target, error))?;
            record::keep(&target)?;
        }
    }
    let (found_bytes, found) = hash_file(&target)?;
    let expected = match file.sha256.len() {
        64 => Some(file.sha256.to_owned()),
        _ => record::read(&target)?,
    };
    match expected {
        Some(expected) if expected != found => {
            let (found, expected) = ((found_bytes, found.as_str()), (file.bytes, expected));
            Err(ModelError::hash_mismatch(&target, file.name, found, expected))
        }
        _ => Ok(Some(target)),
    }
}

/// Downloads a file that is not a model's to a path whose folder exists; an interrupted download continues. The caller
/// checks the file and moves it to `place`, the path that errors name.
///
/// # Errors [`ModelError::Download`] if the machine was declared offline or the download fails; a file that cannot be
/// written.
pub fn fetch_file(
    url: &str,
    target: &Path,
    place: &Path,
    options: &WeightOptions,
    progress: &dyn DownloadProgress,
) -> Result<(), ModelError> {
    let wanted = Wanted {
        url,
        name: url.rsplit('/').next().unwrap_or(url),
        bytes: None,
        sha256: "",
    };
    if options.offline || !options.allow_download {
        let reason = "this machine was declared offline".to_owned();
        return Err(failed(url, place, TransferError::Lasting(reason)));
    }
    fetch(&wanted, target, options, progress).map_err(|error| failed(url, place, error))?;
    Ok(())
}

fn failed(url: &str, place: &Path, error: TransferError) -> ModelError {
    error.explained(url, place, || format!("Fetch it and save it as\n  {}", place.display()))
}
