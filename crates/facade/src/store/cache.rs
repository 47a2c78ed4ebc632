//! The cache as a whole: where it is, how large it is, and how to empty it.

use crate::Error;
use neurogauge_core::ObservationKind;
use neurogauge_formats::folder_lock::{FolderLock, LOCK_FILE};
use neurogauge_formats::{IoResult, Problem, atomic_file};
use neurogauge_models::WeightOptions;
use std::fs;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

/// The folder of text embeddings, which are not observations of an image.
pub(crate) const TEXT_EMBEDDINGS: &str = "text_embeddings";

/// The folder of runs without `--out`.
const LAST_RUN: &str = "last-run";

/// The stored results of one observer for one kind, or the last run without `--out`.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct CachePart {
    /// Kind and observer, such as `captions/git_large_coco`; `last-run` for a run.
    pub name: String,
    pub n_files: usize,
    pub bytes: u64,
    /// Folders of another user, which cannot be listed. Their content is not counted.
    pub unreadable: Vec<PathBuf>,
    paths: Vec<PathBuf>,
}

impl CachePart {
    fn named(name: String) -> Self {
        CachePart {
            name,
            ..CachePart::default()
        }
    }

    /// Adds a file or folder.
    fn add(&mut self, path: PathBuf) -> Result<(), Error> {
        let (n_files, bytes) = files_below(&path, &mut self.unreadable)?;
        self.n_files += n_files;
        self.bytes += bytes;
        self.paths.push(path);
        Ok(())
    }

    /// Is it the last run? Observations can be made again, but a removed run is lost.
    pub fn is_last_run(&self) -> bool {
        self.name == LAST_RUN
    }
}

/// The observations that runs share, and the last run. The weights of models in the same folder are not touched.
#[derive(Debug, Clone)]
pub struct ObservationCache {
    root: PathBuf,
}

impl ObservationCache {
    /// The cache that the environment names (`NEUROGAUGE_CACHE`, otherwise the user's cache folder).
    ///
    /// # Errors
    /// [`Error::Usage`] if there is neither the variable nor a home folder.
    pub fn open() -> Result<Self, Error> {
        let root = WeightOptions::from_env().cache.ok_or_else(|| {
            Error::Usage("there is no cache: neither NEUROGAUGE_CACHE nor a home folder is set".into())
        })?;
        Ok(ObservationCache { root })
    }

    pub fn root(&self) -> &Path {
        &self.root
    }

    /// The folder of runs without `--out`. Each replaces the previous one.
    ///
    /// # Errors
    /// The folder cannot be created or written to.
    pub fn last_run(&self) -> Result<PathBuf, Error> {
        let path = self.root.join(LAST_RUN);
        let failed = |action| {
            let path = path.clone();
            move |source| Problem::Io(action, source).at(path)
        };
        fs::create_dir_all(&path).map_err(failed("creating"))?;
        atomic_file::probe(&path).map_err(failed("writing to it"))?;
        Ok(path)
    }

    /// The content, by kind and observer; the last run comes last.
    pub fn parts(&self) -> Result<Vec<CachePart>, Error> {
        let mut parts: Vec<CachePart> = Vec::new();
        for kind in ObservationKind::ALL.into_iter().map(ObservationKind::id).chain([TEXT_EMBEDDINGS]) {
            let mut of_kind = CachePart::named(kind.to_owned());
            let paths = list_readable(&self.root.join(kind), &mut of_kind.unreadable)?;
            parts.extend((!of_kind.unreadable.is_empty()).then_some(of_kind));
            for path in paths {
                let name = path.file_name().unwrap_or_default().to_string_lossy();
                let observer = if path.is_dir() {
                    &name
                } else {
                    // The segments of a journal are `<observer>.jsonl` and `<observer>.2.jsonl`.
                    let name = name.strip_suffix(".jsonl").unwrap_or(&name);
                    name.rsplit_once('.').filter(|(_, n)| n.parse::<u32>().is_ok()).map_or(name, |(name, _)| name)
                };
                let name = format!("{kind}/{observer}");
                let place = parts.iter().position(|part| part.name == name).unwrap_or(parts.len());
                if place == parts.len() {
                    parts.push(CachePart::named(name));
                }
                parts[place].add(path)?;
            }
        }
        let mut last_run = CachePart::named(LAST_RUN.to_owned());
        last_run.add(self.root.join(LAST_RUN))?;
        parts.extend((last_run.n_files > 0 || !last_run.unreadable.is_empty()).then_some(last_run));
        Ok(parts)
    }

    /// Removes a part. Commands that need its observations make them again; run folders keep their own copies.
    ///
    /// # Errors
    /// Files cannot be removed; the last run is being written.
    pub fn remove(&self, part: &CachePart) -> Result<(), Error> {
        if part.is_last_run() {
            return self.remove_last_run();
        }
        part.paths.iter().try_for_each(|path| remove(path))
    }

    fn remove_last_run(&self) -> Result<(), Error> {
        let folder = self.root.join(LAST_RUN);
        let _lock = FolderLock::exclusive(&folder)?;
        let paths = list(&folder)?.into_iter();
        let mut others = paths.filter(|path| path.file_name().is_none_or(|name| name != LOCK_FILE));
        others.try_for_each(|path| remove(&path))
    }
}

fn remove(path: &Path) -> Result<(), Error> {
    let removed = if path.is_dir() {
        fs::remove_dir_all(path)
    } else {
        fs::remove_file(path)
    };
    Ok(removed.when("removing", path)?)
}

/// The number of files below a path, and their total bytes.
fn files_below(path: &Path, unreadable: &mut Vec<PathBuf>) -> Result<(usize, u64), Error> {
    if let Some(file) = path.metadata().ok().filter(|path| !path.is_dir()) {
        return Ok((1, file.len()));
    }
    let (mut n_files, mut bytes) = (0, 0);
    for path in list_readable(path, unreadable)? {
        let (n, size) = files_below(&path, unreadable)?;
        n_files += n;
        bytes += size;
    }
    Ok((n_files, bytes))
}

/// Lists a folder as [`list`] does; a folder that another user protects counts as empty, and is added to `unreadable`.
fn list_readable(folder: &Path, unreadable: &mut Vec<PathBuf>) -> Result<Vec<PathBuf>, Error> {
    match list(folder) {
        Err(Error::Format(error)) if error.io_kind() == Some(ErrorKind::PermissionDenied) => {
            unreadable.push(folder.to_owned());
            Ok(Vec::new())
        }
        listed => listed,
    }
}

/// The content of a folder, by name; empty if the folder does not exist.
fn list(folder: &Path) -> Result<Vec<PathBuf>, Error> {
    if !folder.is_dir() {
        return Ok(Vec::new());
    }
    let entries = fs::read_dir(folder).when("listing", folder)?;
    let mut paths = entries
        .map(|entry| Ok(entry?.path()))
        .collect::<Result<Vec<_>, std::io::Error>>()
        .when("listing", folder)?;
    paths.sort();
    Ok(paths)
}
