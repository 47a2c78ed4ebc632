//! The folder of a run.

use crate::Error;
use crate::execute::Places;
use crate::run_record::RunRecord;
use neurogauge_core::{ImageSet, ObservationKind};
use neurogauge_formats::atomic_file::is_temporary;
use neurogauge_formats::features::IDS_FILE;
use neurogauge_formats::folder_lock::LOCK_FILE;
use neurogauge_formats::json_differences::differences;
use neurogauge_formats::{FormatError, content_hash, json};
use std::ffi::OsStr;
use std::path::{Path, PathBuf};

/// The record of a run.
pub(crate) const RECORD: &str = "run.json";

/// A run folder: `run.json`, `observations/`, `scores.{parquet,csv}`, `details.{jsonl,parquet}`, `dimensions.csv`,
/// `summary.{json,md,tex,csv}`, and
/// `journal.jsonl` with the scores of an unfinished or earlier run.
#[derive(Debug, Clone)]
pub struct RunFolder {
    root: PathBuf,
}

impl RunFolder {
    /// Does the folder hold a run, finished or not?
    pub fn is_at(folder: &Path) -> bool {
        folder.join(RECORD).is_file()
    }

    /// An existing run folder or a new one; a folder with other things in it is refused.
    pub(crate) fn create(root: &Path) -> Result<RunFolder, Error> {
        let folder = RunFolder {
            root: root.to_owned(),
        };
        let failed = |action: &'static str| {
            move |source| FormatError::Io {
                path: root.to_owned(),
                action,
                source,
            }
        };
        if root.exists() && !folder.record_path().exists() {
            let entries = std::fs::read_dir(root).map_err(failed("listing"))?;
            // Files of a process that was killed before it wrote the record.
            let is_other = |name: &OsStr| name != LOCK_FILE && !is_temporary(name);
            if entries.flatten().any(|entry| is_other(&entry.file_name())) {
                return Err(Error::NotARun {
                    path: root.to_owned(),
                });
            }
        }
        std::fs::create_dir_all(root).map_err(failed("creating"))?;
        Ok(folder)
    }

    /// A finished run.
    pub fn open(root: &Path) -> Result<RunFolder, Error> {
        let folder = RunFolder {
            root: root.to_owned(),
        };
        if !folder.record()?.complete {
            return Err(Error::Unfinished {
                path: root.to_owned(),
            });
        }
        Ok(folder)
    }

    /// Where it is.
    pub fn root(&self) -> &Path {
        &self.root
    }

    /// Its name, which tables use for the system.
    pub fn name(&self) -> String {
        let absolute = std::path::absolute(&self.root).unwrap_or_else(|_| self.root.clone());
        absolute
            .file_name()
            .unwrap_or_default()
            .to_string_lossy()
            .into_owned()
    }

    fn record_path(&self) -> PathBuf {
        self.root.join(RECORD)
    }

    pub(crate) fn journal_path(&self) -> PathBuf {
        self.root.join("journal.jsonl")
    }

    /// The observations of a kind, for the images of `gt`, `recon` or `pool`.
    pub(crate) fn observed(&self, of: impl Into<ImageSet>, kind: ObservationKind) -> PathBuf {
        Places::of_run(&self.root).folder(of.into(), kind)
    }

    pub(crate) fn caption_embeddings_dir(&self) -> PathBuf {
        Self::caption_embeddings_in(&self.root)
    }

    /// The same for a run folder that may not exist.
    pub(crate) fn caption_embeddings_in(root: &Path) -> PathBuf {
        root.join("observations/caption_embeddings")
    }

    /// The content of `run.json`.
    pub fn record(&self) -> Result<RunRecord, Error> {
        let path = self.record_path();
        if !path.exists() {
            let expected = "a run folder with a run.json (written by `neurogauge score`)".into();
            return Err(FormatError::NotFound { path, expected }.into());
        }
        Ok(json::read(&path)?)
    }

    /// The record of a finished run of these inputs and options whose outputs are unchanged since they were written.
    pub(crate) fn finished(&self, asked: &RunRecord) -> Result<Option<RunRecord>, Error> {
        if !self.record_path().exists() {
            return Ok(None);
        }
        // A record that cannot be read belongs to another version; the run is repeated.
        let Ok(record) = self.record() else {
            return Ok(None);
        };
        if !record.complete || !asked.has_fingerprint(&record.fingerprint) {
            return Ok(None);
        }
        for (name, sha256) in &record.outputs {
            let path = self.root.join(name);
            if !path.exists() || content_hash::of_file(&path)? != *sha256 {
                return Ok(None);
            }
        }
        Ok(Some(record))
    }

    /// An error if there is a run of other inputs or options than this record's, finished, or unfinished with something that would be
    /// lost. One that failed before it kept anything is replaced.
    pub(crate) fn refuse_other_run(&self, record: &RunRecord) -> Result<(), Error> {
        if !self.record_path().exists() {
            return Ok(());
        }
        // A record that cannot be read belongs to another version, so the run starts from the beginning.
        let Ok(other) = self.record() else {
            return Ok(());
        };
        let is_worthless = || !other.complete && !holds_anything(&self.root);
        if record.has_fingerprint(&other.fingerprint) || is_worthless() {
            return Ok(());
        }
        Err(Error::OtherRun {
            path: self.root.clone(),
            is_finished: other.complete,
            differences: differences(&other.identity(), &record.identity()).join("\n  "),
        })
    }

    /// Removes the files of a run of other inputs or options. Files of an interrupted run of the same inputs and options
    /// stay.
    pub(crate) fn remove_other_run(&self, record: &RunRecord) -> Result<(), Error> {
        let is_same = |other: RunRecord| record.has_fingerprint(&other.fingerprint);
        if !self.record_path().exists() || self.record().is_ok_and(is_same) {
            return Ok(());
        }
        let failed = |path: &Path, action| {
            let path = path.to_owned();
            move |source| FormatError::Io {
                path,
                action,
                source,
            }
        };
        let entries = std::fs::read_dir(&self.root).map_err(failed(&self.root, "listing"))?;
        let mut paths: Vec<PathBuf> = entries.flatten().map(|entry| entry.path()).collect();
        // The record is removed last, since a folder without a record is not recognised as a run's.
        paths.sort_by_key(|path| *path == self.record_path());
        for path in paths {
            let removed = match path.file_name() {
                Some(name) if name == LOCK_FILE => Ok(()),
                _ if path.is_dir() => std::fs::remove_dir_all(&path),
                _ => std::fs::remove_file(&path),
            };
            removed.map_err(failed(&path, "removing"))?;
        }
        Ok(())
    }

    pub(crate) fn write_record(&self, record: &RunRecord) -> Result<(), Error> {
        Ok(json::write(&self.record_path(), record)?)
    }
}

/// Is anything in a folder besides the record, empty files and the names of images that were to be observed?
fn holds_anything(folder: &Path) -> bool {
    let entries = std::fs::read_dir(folder).into_iter().flatten().flatten();
    entries
        .filter(|entry| {
            let name = entry.file_name();
            ![RECORD, LOCK_FILE, IDS_FILE].iter().any(|own| name == *own) && !is_temporary(&name)
        })
        .any(|entry| match entry.file_type() {
            Ok(kind) if kind.is_dir() => holds_anything(&entry.path()),
            _ => entry.metadata().is_ok_and(|file| file.len() > 0),
        })
}
