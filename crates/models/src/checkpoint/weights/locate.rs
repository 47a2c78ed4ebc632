//! Looks for a model's files on this machine.

use crate::ModelError;
use crate::checkpoint::registry::{MODELS, ModelEntry, Source};
use crate::checkpoint::weights::WeightOptions;
use crate::checkpoint::weights::verify::{LocalModel, hash_file, missing_files, verify};
use std::path::{Path, PathBuf};

/// Finds and verifies the model on this machine; `None` if it is not here.
///
/// Looks, in this order, in the folder given by the user (its folder `<id>`, or the files
/// themselves), in Neurogauge's own cache, and in the caches of other libraries: Hugging Face's (the
/// registry's revision first, then any other whose files are the same), torch hub's, OpenAI CLIP's.
///
/// # Errors In the user's folder and in Neurogauge's cache, an incomplete model or one that differs from the published
/// one is an error, since somebody put it there to be used. Files in the caches of other libraries are merely skipped,
/// and so is a file that is known to belong to another model.
pub fn locate(entry: &ModelEntry, options: &WeightOptions) -> Result<Option<LocalModel>, ModelError> {
    if let Some(dir) = given(entry, options)? {
        return verify(&dir, entry).map(Some);
    }
    Ok(elsewhere(entry, options)
        .into_iter()
        .filter(|dir| has_published_sizes(dir, entry))
        .find_map(|dir| verify(&dir, entry).ok()))
}

/// Are there files with the model's names and sizes where [`locate`] looks? No file is hashed, so they may still be
/// other files.
///
/// # Errors
/// A file that cannot be read.
pub fn is_here(entry: &ModelEntry, options: &WeightOptions) -> Result<bool, ModelError> {
    let mut elsewhere = elsewhere(entry, options).into_iter();
    Ok(given(entry, options)?.is_some() || elsewhere.any(|dir| has_published_sizes(&dir, entry)))
}

/// The first folder made for weights, the user's or Neurogauge's own, that has the model's weights.
fn given(entry: &ModelEntry, options: &WeightOptions) -> Result<Option<PathBuf>, ModelError> {
    let of_user = options.dir.iter().flat_map(|dir| [dir.join(entry.id), dir.clone()]);
    for dir in of_user.chain(options.cached(entry)) {
        let weights = dir.join(entry.weights().path);
        if weights.is_file() && !is_of_another_model(&weights, entry)? {
            return Ok(Some(dir));
        }
    }
    Ok(None)
}

/// Folders of other libraries that may have the model.
fn elsewhere(entry: &ModelEntry, options: &WeightOptions) -> Vec<PathBuf> {
    match entry.source {
        Source::Hub(repository) => options
            .hugging_face_cache
            .as_ref()
            .map(|cache| snapshots(cache, repository, entry.revision))
            .unwrap_or_default(),
        // The name alone does not show that a file is the published one.
        Source::Web(_) if entry.weights().sha256.0.is_empty() => Vec::new(),
        Source::Web(_) => options.file_caches.clone(),
        Source::Archive { .. } => Vec::new(),
    }
}

/// Does the file's hash say that it belongs to another model that has a file of the same name? Then it is in a folder
/// given for that model.
fn is_of_another_model(weights: &Path, entry: &ModelEntry) -> Result<bool, ModelError> {
    let Ok(metadata) = weights.metadata() else {
        return Ok(false);
    };
    let candidates: Vec<&str> = MODELS
        .iter()
        .filter(|other| other.id != entry.id)
        .map(ModelEntry::weights)
        .filter(|other| weights.ends_with(other.path) && other.bytes == Some(metadata.len()))
        .filter_map(|other| other.sha256.full())
        .collect();
    if candidates.is_empty() {
        return Ok(false);
    }
    let (_, found) = hash_file(weights)?;
    Ok(candidates.contains(&found.as_str()))
}

/// Snapshots of a repository in a Hugging Face cache, the wanted revision first. For a branch, that is the commit that
/// it pointed to at the last download.
fn snapshots(cache: &Path, repository: &str, revision: &str) -> Vec<PathBuf> {
    let repository = cache.join(format!("models--{}", repository.replace('/', "--")));
    let Ok(listing) = repository.join("snapshots").read_dir() else {
        return Vec::new();
    };
    let commit = std::fs::read_to_string(repository.join("refs").join(revision));
    let wanted = commit.map_or(revision.to_owned(), |commit| commit.trim().to_owned());
    let mut dirs: Vec<PathBuf> = listing.flatten().map(|item| item.path()).collect();
    dirs.sort_by_key(|dir| (!dir.ends_with(&wanted), dir.clone()));
    dirs
}

/// Do the files have the published sizes? If not, they need not be hashed.
fn has_published_sizes(dir: &Path, entry: &ModelEntry) -> bool {
    missing_files(dir, entry).is_empty()
        && entry.files.iter().all(|file| {
            let found = dir.join(file.path).metadata().map(|metadata| metadata.len());
            found.is_ok_and(|found| file.bytes.is_none_or(|bytes| bytes == found))
        })
}
