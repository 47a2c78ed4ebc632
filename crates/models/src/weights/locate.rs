//! Looking for a model on this machine.

use crate::ModelError;
use crate::registry::ModelEntry;
use crate::weights::WeightOptions;
use crate::weights::verify::{missing_files, verify};
use std::path::{Path, PathBuf};

/// The folder on this machine that holds the model, verified; `None` where there is none.
///
/// Looks, in this order, in the folder given by the user (its folder `<id>`, or the files
/// themselves),
/// in Neurogauge's own cache, and in the cache of the Hugging Face libraries (the registry's revision
/// first, then any other whose files are the same).
///
/// # Errors
/// In the user's folder and in Neurogauge's cache, a model that is incomplete or differs from the
/// published one is an error ([`ModelError::IncompleteModel`], [`ModelError::HashMismatch`]): it was
/// put there to be used. What is in the cache of other libraries is merely passed over.
pub fn locate(entry: &ModelEntry, options: &WeightOptions) -> Result<Option<PathBuf>, ModelError> {
    let given = options
        .dir
        .iter()
        .flat_map(|dir| [dir.join(entry.id), dir.clone()]);
    for dir in given.chain(options.cached(entry)) {
        if dir.join(entry.weights().path).is_file() {
            verify(&dir, entry)?;
            return Ok(Some(dir));
        }
    }
    let Some(cache) = &options.hugging_face_cache else {
        return Ok(None);
    };
    Ok(snapshots(cache, entry)
        .into_iter()
        .find(|dir| has_published_sizes(dir, entry) && verify(dir, entry).is_ok()))
}

/// Snapshots of the model's repository in a Hugging Face cache, the registry's revision first.
fn snapshots(cache: &Path, entry: &ModelEntry) -> Vec<PathBuf> {
    let repository = format!("models--{}", entry.repository.replace('/', "--"));
    let Ok(listing) = cache.join(repository).join("snapshots").read_dir() else {
        return Vec::new();
    };
    let mut dirs: Vec<PathBuf> = listing.flatten().map(|item| item.path()).collect();
    dirs.sort_by_key(|dir| (!dir.ends_with(entry.revision), dir.clone()));
    dirs
}

/// Spares the hashing of files that cannot be the published ones.
fn has_published_sizes(dir: &Path, entry: &ModelEntry) -> bool {
    missing_files(dir, entry).is_empty()
        && entry.files.iter().all(|file| {
            dir.join(file.path)
                .metadata()
                .is_ok_and(|metadata| metadata.len() == file.bytes)
        })
}
