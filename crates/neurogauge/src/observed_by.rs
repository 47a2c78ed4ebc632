//! What an earlier run observed of the same images is taken over into a new one.
//!
//! Observations are kept by content: a file says of which image, by which model and how each of them was made, and whoever
//! finds another image or another model there makes it anew. So they may lie in any run's folder, and what is not
//! of use does no harm.

use crate::Error;
use crate::detecting::BY_CONTENT;
use crate::request::ObservedBy;
use crate::run_folder::RunFolder;
use neurogauge_core::Side;
use neurogauge_formats::{FormatError, features, json};
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

/// Puts what earlier runs observed where the new one looks for it. What is there already stays.
pub(crate) fn take_over(earlier: &[ObservedBy], to: &RunFolder) -> Result<(), Error> {
    for ObservedBy {
        run,
        same_reconstructions,
    } in earlier
    {
        let from = run.join("observations");
        let observations = to.root().join("observations");
        let of_recon = same_reconstructions.then_some(Side::Recon.folder());
        for of in [Side::Gt.folder(), "pool"].into_iter().chain(of_recon) {
            take_features(&from.join(of).join("features"), &to.features_dir(of))?;
        }
        // Journals grow in place: a link would write into the earlier run.
        for journal in files(&from, "jsonl") {
            take(&journal, &observations, copy)?;
        }
        for folder in folders(&from.join(BY_CONTENT)) {
            let model = folder.file_name().unwrap_or_default();
            for detections in files(&folder, "json") {
                let there = observations.join(BY_CONTENT).join(model);
                take(&detections, &there, link_or_copy)?;
            }
        }
        let embeddings = from.join("caption_embeddings");
        for keys in files(&embeddings, "keys.json") {
            // As embeddings are written: what has no keys yet does not count.
            take_both(&matrix_of(&keys), &keys, &to.caption_embeddings_dir())?;
        }
    }
    Ok(())
}

/// Whole matrices with their keys; none where the folder is about other images already.
fn take_features(from: &Path, to: &Path) -> Result<(), Error> {
    let ids = |folder: &Path| json::read::<Vec<String>>(&folder.join(features::IDS_FILE)).ok();
    let Some(of_images) = ids(from) else {
        return Ok(());
    };
    if ids(to).is_some_and(|there| there != of_images) {
        return Ok(());
    }
    take(&from.join(features::IDS_FILE), to, link_or_copy)?;
    for keys in files(from, "keys.json") {
        // A matrix without keys would look like somebody else's, so the keys go first.
        take_both(&keys, &matrix_of(&keys), to)?;
    }
    Ok(())
}

/// The matrix that `<name>.keys.json` is about.
fn matrix_of(keys: &Path) -> PathBuf {
    let name = keys.file_name().unwrap_or_default().to_string_lossy();
    let name = name.strip_suffix(".keys.json").unwrap_or(&name);
    keys.with_file_name(format!("{name}.npy"))
}

/// Two files that say nothing without each other: both, or none where one of them is there or missing.
fn take_both(first: &Path, second: &Path, folder: &Path) -> Result<(), Error> {
    let there = |file: &Path| folder.join(file.file_name().unwrap_or_default()).exists();
    if !first.exists() || !second.exists() || there(first) || there(second) {
        return Ok(());
    }
    take(first, folder, link_or_copy)?;
    take(second, folder, link_or_copy)
}

/// The folders in a folder, by name; none where there is no such folder.
fn folders(folder: &Path) -> Vec<PathBuf> {
    let Ok(entries) = fs::read_dir(folder) else {
        return Vec::new();
    };
    let paths = entries.flatten().map(|entry| entry.path());
    let mut paths: Vec<PathBuf> = paths.filter(|path| path.is_dir()).collect();
    paths.sort();
    paths
}

/// Files whose names end in `.` and this, by name; none where there is no such folder.
fn files(folder: &Path, ending: &str) -> Vec<PathBuf> {
    let Ok(entries) = fs::read_dir(folder) else {
        return Vec::new();
    };
    let ending = format!(".{ending}");
    let mut paths: Vec<PathBuf> = entries
        .flatten()
        .map(|entry| entry.path())
        .filter(|path| path.to_string_lossy().ends_with(&ending))
        .collect();
    paths.sort();
    paths
}

fn take(file: &Path, folder: &Path, put: fn(&Path, &Path) -> io::Result<()>) -> Result<(), Error> {
    let to = folder.join(file.file_name().unwrap_or_default());
    if to.exists() {
        return Ok(());
    }
    let done = fs::create_dir_all(folder).and_then(|()| put(file, &to));
    done.map_err(|source| {
        Error::Format(FormatError::Io {
            path: to,
            action: "taking over from an earlier run",
            source,
        })
    })
}

/// One file under two names: it is replaced as a whole, never written to.
fn link_or_copy(from: &Path, to: &Path) -> io::Result<()> {
    fs::hard_link(from, to).or_else(|_| copy(from, to))
}

fn copy(from: &Path, to: &Path) -> io::Result<()> {
    let mut part = to.as_os_str().to_owned();
    part.push(".part-copy");
    let part = PathBuf::from(part);
    fs::copy(from, &part)?;
    fs::rename(part, to)
}
