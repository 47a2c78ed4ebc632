//! Fetching a model from where it is published.

use crate::ModelError;
use crate::checkpoint::registry::{ModelEntry, ModelFile, Source};
use crate::checkpoint::weights::verify::{LocalModel, hex, verify};
use crate::checkpoint::weights::{WeightOptions, instructions, locate, record};
use sha2::{Digest, Sha256};
use std::fs;
use std::io::{Read, Write};
use std::path::Path;
use std::time::Duration;

/// Hears how a download is getting on.
pub trait DownloadProgress {
    /// A file of this size is about to come.
    fn started(&self, file: &str, bytes: u64);
    /// So many bytes have come since the last call.
    fn advanced(&self, bytes: u64);
    /// The file is whole, verified and in its place.
    fn finished(&self, file: &str);
}

/// Tells nobody.
#[derive(Debug, Clone, Copy, Default)]
pub struct NoProgress;

impl DownloadProgress for NoProgress {
    fn started(&self, _file: &str, _bytes: u64) {}
    fn advanced(&self, _bytes: u64) {}
    fn finished(&self, _file: &str) {}
}

/// The model: located on this machine, or else downloaded into Neurogauge's cache.
///
/// Each file is written beside its place, checked against size and SHA-256, and only then renamed,
/// the weights last: an interrupted download leaves nothing that could be taken for the model. A file
/// whose SHA-256 is not published, or not all of it, gets a record of it beside it (`<file>.sha256`,
/// unless the folder is read-only or another library's), against which it is checked from then on.
///
/// # Errors
/// Those of [`locate`]; [`ModelError::WeightsNotFound`] where downloading is not allowed and
/// [`ModelError::Download`] where it fails or the server sends something else, both saying which
/// files to put where by hand.
pub fn obtain(
    entry: &ModelEntry,
    options: &WeightOptions,
    progress: &dyn DownloadProgress,
) -> Result<LocalModel, ModelError> {
    if let Some(model) = locate(entry, options)? {
        if !options.file_caches.contains(&model.dir) {
            // A folder that cannot be written to keeps no record; the run's record has the hash
            // all the same.
            let _ = keep_records(&model.dir, entry);
        }
        return Ok(model);
    }
    let refused = |reason| ModelError::WeightsNotFound {
        model: entry.id.to_owned(),
        reason,
        instructions: instructions(entry, options),
    };
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
    let downloaded = entry.files.iter().try_for_each(|file| {
        if dir.join(file.path).is_file() {
            return Ok(());
        }
        fetch(entry, file, options, &dir, progress)
    });
    if downloaded.is_err() && created {
        // Removes the folder only if it is empty; that it stays otherwise is as intended.
        let _ = fs::remove_dir(&dir);
    }
    downloaded?;
    let model = verify(&dir, entry)?;
    keep_records(&dir, entry)?;
    Ok(model)
}

/// Records the hashes of files of which not all of it is published.
fn keep_records(dir: &Path, entry: &ModelEntry) -> Result<(), ModelError> {
    entry
        .files
        .iter()
        .filter(|file| file.sha256.full().is_none())
        .try_for_each(|file| record::keep(&dir.join(file.path)))
}

fn address(entry: &ModelEntry, file: &ModelFile, options: &WeightOptions) -> String {
    match entry.source {
        Source::Hub { repository } => format!(
            "{}/{repository}/resolve/{}/{}",
            options.endpoint.trim_end_matches('/'),
            entry.revision,
            file.path
        ),
        Source::Web { folder } => format!("{folder}/{}", file.path),
    }
}

/// Creates the folder, and says whether it was new.
fn create_dir(dir: &Path) -> Result<bool, ModelError> {
    let existed = dir.is_dir();
    fs::create_dir_all(dir).map_err(|source| ModelError::Io {
        path: dir.to_owned(),
        action: "create the folder",
        source,
    })?;
    Ok(!existed)
}

fn fetch(
    entry: &ModelEntry,
    file: &ModelFile,
    options: &WeightOptions,
    dir: &Path,
    progress: &dyn DownloadProgress,
) -> Result<(), ModelError> {
    let url = address(entry, file, options);
    let failed = |reason: String| ModelError::Download {
        url: url.clone(),
        reason,
        instructions: instructions(entry, options),
    };
    let target = dir.join(file.path);
    let unwritable = |source| ModelError::Io {
        path: target.clone(),
        action: "write",
        source,
    };

    let agent: ureq::Agent = ureq::Agent::config_builder()
        .timeout_connect(Some(Duration::from_secs(30)))
        .timeout_recv_response(Some(Duration::from_secs(60)))
        .build()
        .into();
    let response = agent
        .get(&url)
        .call()
        .map_err(|error| failed(error.to_string()))?;
    let body = response.into_body();
    // Where the size is not published, the server's word is all there is against a body cut short.
    let Some(expected) = file.bytes.or(body.content_length()) else {
        return Err(failed(
            "the server does not say how long the file is".to_owned(),
        ));
    };
    progress.started(file.path, expected);

    let mut body = body.into_reader();
    let mut partial = new_partial_file(dir).map_err(unwritable)?;
    let mut hasher = Sha256::new();
    let mut chunk = vec![0; 1 << 16];
    let mut bytes = 0;
    loop {
        let n = body
            .read(&mut chunk)
            .map_err(|error| failed(format!("after {bytes} of {expected} bytes: {error}")))?;
        if n == 0 {
            break;
        }
        bytes += n as u64;
        if bytes > expected {
            return Err(failed(format!(
                "the server sends more than the {expected} bytes of the published file"
            )));
        }
        hasher.update(&chunk[..n]);
        partial.write_all(&chunk[..n]).map_err(unwritable)?;
        progress.advanced(n as u64);
    }
    if bytes < expected {
        return Err(failed(format!(
            "the server sent {bytes} of {expected} bytes"
        )));
    }
    let found = hex(&hasher.finalize());
    if !file.sha256.matches(&found) {
        return Err(failed(format!(
            "the server sends another file: SHA-256 {found}, expected {}",
            file.sha256
        )));
    }
    partial
        .persist(&target)
        .map_err(|error| unwritable(error.error))?;
    progress.finished(file.path);
    Ok(())
}

/// A temporary file that, once renamed, others may read as far as the user's umask allows: caches
/// are shared.
fn new_partial_file(dir: &Path) -> std::io::Result<tempfile::NamedTempFile> {
    let mut builder = tempfile::Builder::new();
    builder.prefix(".partial-");
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        builder.permissions(fs::Permissions::from_mode(0o666));
    }
    builder.tempfile_in(dir)
}
