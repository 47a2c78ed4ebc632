//! Downloads a model from where it is published.

use crate::ModelError;
use crate::checkpoint::registry::{ModelEntry, ModelFile, Source};
use crate::checkpoint::weights::partial_file::sweep;
use crate::checkpoint::weights::transfer::{Wanted, fetch};
use crate::checkpoint::weights::verify::{LocalModel, verify};
use crate::checkpoint::weights::{WeightOptions, instructions, locate, record};
use neurogauge_core::stopping::stop_if_asked;
use neurogauge_formats::Problem;
use neurogauge_formats::folder_lock::FolderLock;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// Is told about the progress of a download.
pub trait DownloadProgress {
    /// The download of a file of this size begins.
    fn started(&self, file: &str, bytes: u64);
    /// `bytes` more have arrived since the last call.
    fn advanced(&self, bytes: u64);
    /// The file is complete, verified and at its final path.
    fn finished(&self, file: &str);
    /// The download waits, for another process that downloads into the folder or before another try; `why` says so.
    fn waiting(&self, _why: &str) {}
}

/// Ignores all progress.
#[derive(Debug, Clone, Copy, Default)]
pub struct NoProgress;

impl DownloadProgress for NoProgress {
    fn started(&self, _file: &str, _bytes: u64) {}
    fn advanced(&self, _bytes: u64) {}
    fn finished(&self, _file: &str) {}
}

/// The model: located on this machine, or else downloaded into Neurogauge's cache.
///
/// Each file is written beside its final path, checked against size and SHA-256, and only then renamed, the weights
/// last: an interrupted download leaves nothing that could be mistaken for the model, and the next one continues it if
/// the server allows. Broken or stalled connections and busy servers are tried again. A file without a published hash
/// is inspected before it is accepted, since a web page is not a weight file. For a branch, the commit of the first
/// file is recorded, and the other files come from the same commit. If the SHA-256 of a file is not published in full,
/// it is recorded beside the file (`<file>.sha256`, unless the folder is read-only or another library's), and the file
/// is checked against this record from then on.
///
/// # Errors
/// As in [`locate`]; [`ModelError::WeightsNotFound`] if downloading is not allowed and [`ModelError::Download`] if
/// it fails or the server sends something else; both explain which files to put where by hand.
pub fn obtain(
    entry: &ModelEntry,
    options: &WeightOptions,
    progress: &dyn DownloadProgress,
) -> Result<LocalModel, ModelError> {
    if let Some(model) = locate(entry, options)? {
        if !options.file_caches.contains(&model.dir) {
            // A read-only folder keeps no record; the run's record has the hash all the same.
            let _ = keep_records(&model.dir, entry);
        }
        return Ok(model);
    }
    let refused = |reason| ModelError::WeightsNotFound {
        model: entry.id.to_owned(),
        reason,
        instructions: instructions(entry, options),
    };
    if let Source::Archive { .. } = entry.source {
        return Err(refused("it is published as an archive, which is unpacked by hand"));
    }
    if !options.allow_download {
        return Err(refused("downloading is not allowed"));
    }
    if options.offline {
        return Err(refused("downloading is switched off by HF_HUB_OFFLINE"));
    }
    let Some(dir) = options.cached(entry) else {
        return Err(refused("there is no cache folder to download them into"));
    };
    let created = create_dir(&dir)?;
    let downloaded = download(entry, options, &dir, progress);
    if downloaded.is_err() && created {
        // Removes the folder only if it is empty; otherwise it should stay.
        let _ = fs::remove_dir(&dir);
    }
    downloaded?;
    let model = verify(&dir, entry)?;
    keep_records(&dir, entry)?;
    Ok(model)
}

/// Downloads every missing file of the model, one process at a time.
fn download(
    entry: &ModelEntry,
    options: &WeightOptions,
    dir: &Path,
    progress: &dyn DownloadProgress,
) -> Result<(), ModelError> {
    let _lock = lock(dir, progress)?;
    let targets: Vec<PathBuf> = entry.files.iter().map(|file| dir.join(file.path)).collect();
    sweep(dir, &targets);
    for (file, target) in entry.files.iter().zip(&targets) {
        if target.is_file() {
            continue;
        }
        // All files of a branch come from one commit, even if the branch moves during the download.
        let revision = record::commit(dir)?;
        let url = address(entry, file, revision.as_deref(), options);
        let wanted = Wanted {
            url: &url,
            name: file.path,
            bytes: file.bytes,
            sha256: file.sha256.0,
        };
        let commit = fetch(&wanted, target, options, progress)
            .map_err(|error| error.explained(&url, target, || instructions(entry, options)))?;
        let is_own = file.repository.is_none();
        if let Some(commit) = commit.filter(|commit| is_own && revision.is_none() && *commit != entry.revision) {
            record::keep_commit(dir, &commit)?;
        }
    }
    Ok(())
}

/// A lock that permits downloads into a folder; waits if another process has it.
pub(super) fn lock(dir: &Path, progress: &dyn DownloadProgress) -> Result<FolderLock, ModelError> {
    let mut has_said = false;
    loop {
        match FolderLock::exclusive(dir) {
            Ok(lock) => return Ok(lock),
            Err(error) if matches!(error.problem, Problem::Locked { .. }) => {
                if !std::mem::replace(&mut has_said, true) {
                    progress.waiting(&error.to_string());
                }
                stop_if_asked();
                std::thread::sleep(Duration::from_millis(200));
            }
            Err(error) => {
                return Err(ModelError::io(dir, "lock", std::io::Error::other(error)));
            }
        }
    }
}

/// Records the hashes of files whose hash is not published in full.
fn keep_records(dir: &Path, entry: &ModelEntry) -> Result<(), ModelError> {
    entry
        .files
        .iter()
        .filter(|file| file.sha256.full().is_none())
        .try_for_each(|file| record::keep(&dir.join(file.path)))
}

fn address(entry: &ModelEntry, file: &ModelFile, commit: Option<&str>, options: &WeightOptions) -> String {
    let (repository, revision) = match (file.repository, entry.source) {
        (Some(repository), _) => (repository, "main"),
        (None, Source::Hub(repository)) => (repository, commit.unwrap_or(entry.revision)),
        (None, Source::Web(folder)) => return format!("{folder}/{}", file.path),
        (None, Source::Archive { address, .. }) => return address.to_owned(),
    };
    let endpoint = options.endpoint.trim_end_matches('/');
    format!("{endpoint}/{repository}/resolve/{revision}/{}", file.path)
}

/// Creates the folder, and returns whether it was new.
fn create_dir(dir: &Path) -> Result<bool, ModelError> {
    let existed = dir.is_dir();
    fs::create_dir_all(dir).map_err(|source| ModelError::io(dir, "create the folder", source))?;
    Ok(!existed)
}
