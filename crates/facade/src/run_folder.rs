//! The folder of a run.

use crate::Error;
use crate::execute::{Places, StepOutput};
use crate::run_record::RunRecord;
use crate::settings::RunSettings;
use neurogauge_core::option_words::option;
use neurogauge_core::{ImageSet, ObservationKind, Role};
use neurogauge_formats::atomic_file::is_temporary;
use neurogauge_formats::features::{CLIPS_FOLDER, IDS_FILE};
use neurogauge_formats::folder_lock::LOCK_FILE;
use neurogauge_formats::json_differences::differences;
use neurogauge_formats::member::split_member;
use neurogauge_formats::store::MatrixFiles;
use neurogauge_formats::{FormatError, IoResult, Problem, content_hash, features, json, recipe};
use std::ffi::OsStr;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

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

    /// An existing run folder or a new one; a folder that contains other things is refused.
    pub(crate) fn create(root: &Path) -> Result<RunFolder, Error> {
        let folder = RunFolder::at(root)?;
        std::fs::create_dir_all(root).when("creating", root)?;
        Ok(folder)
    }

    /// An existing run folder, or one that does not exist yet; creates nothing.
    fn at(root: &Path) -> Result<RunFolder, Error> {
        let folder = RunFolder { root: root.to_owned() };
        if root.exists() && !folder.record_path().exists() {
            let entries = std::fs::read_dir(root).when("listing", root)?;
            // These are files of a process that was killed before it wrote the record.
            let is_other = |name: &OsStr| name != LOCK_FILE && !is_temporary(name);
            if entries.flatten().any(|entry| is_other(&entry.file_name())) {
                return Err(Error::Data(format!(
                    "{}: not empty and not a run folder (no run.json); choose another {}, nothing was written",
                    root.display(),
                    option("out", "")
                )));
            }
        }
        Ok(folder)
    }

    /// Fails if a run with this record would be refused in this folder. Writes nothing.
    pub(crate) fn would_take(root: &Path, record: &RunRecord, settings: &RunSettings) -> Result<(), Error> {
        let folder = RunFolder::at(root)?;
        match folder.finished(record)? {
            Some(_) => Ok(()),
            None => folder.refuse_loss(record, settings),
        }
    }

    pub fn open(root: &Path) -> Result<RunFolder, Error> {
        let folder = RunFolder { root: root.to_owned() };
        if !folder.record()?.complete {
            let words = "the run is not finished; repeat its score command to resume it";
            return Err(Error::Data(format!("{}: {words}", root.display())));
        }
        Ok(folder)
    }

    pub fn root(&self) -> &Path {
        &self.root
    }

    /// The folder's name, which tables use for the system.
    pub fn name(&self) -> String {
        let absolute = std::path::absolute(&self.root).unwrap_or_else(|_| self.root.clone());
        absolute.file_name().unwrap_or_default().to_string_lossy().into_owned()
    }

    fn record_path(&self) -> PathBuf {
        self.root.join(RECORD)
    }

    pub(crate) fn journal_path(&self) -> PathBuf {
        self.root.join("journal.jsonl")
    }

    /// The folder or file with the observations of a kind for the images of `gt`, `recon` or `pool`, if it exists.
    pub(crate) fn observed(&self, of: impl Into<ImageSet>, kind: ObservationKind) -> Option<PathBuf> {
        let (places, of) = (Places::of_run(&self.root), of.into());
        [places.folder(of, kind), places.file(of, kind)].into_iter().find(|path| path.exists())
    }

    pub(crate) fn caption_embeddings_dir(&self) -> PathBuf {
        Self::caption_embeddings_in(&self.root)
    }

    /// The folder of caption embeddings in a run folder that may not exist.
    pub(crate) fn caption_embeddings_in(root: &Path) -> PathBuf {
        root.join("observations/caption_embeddings")
    }

    pub fn record(&self) -> Result<RunRecord, Error> {
        let path = self.record_path();
        if !path.exists() {
            let expected = "a run folder with a run.json (written by `neurogauge score`)";
            return Err(Problem::not_found(expected).at(path).into());
        }
        Ok(RunRecord::read(&path)?)
    }

    /// The record of a finished run with these inputs and options, if its outputs are unchanged. A run in which items
    /// failed does not count, so that these items are tried again.
    pub(crate) fn finished(&self, asked: &RunRecord) -> Result<Option<RunRecord>, Error> {
        if !self.record_path().exists() {
            return Ok(None);
        }
        // A record that cannot be read belongs to another version; the run is repeated.
        let Ok(record) = self.record() else {
            return Ok(None);
        };
        let is_whole = record.complete && record.check_observations().is_ok();
        if !is_whole || record.fingerprint != asked.fingerprint {
            return Ok(None);
        }
        for name in record.outputs.keys() {
            match self.verified(&record, name) {
                Ok(path) if path.exists() => {}
                Ok(_) => return Ok(None),
                Err(error) if matches!(error.problem, Problem::Changed { .. }) => return Ok(None),
                Err(error) => return Err(error.into()),
            }
        }
        Ok(Some(record))
    }

    /// The path of an output. If the file exists, it is the one that the run wrote.
    pub(crate) fn verified(&self, record: &RunRecord, name: &str) -> Result<PathBuf, FormatError> {
        content_hash::verified(&self.root, &record.outputs, name)
    }

    /// Writes the record of a run that begins. It refuses to replace a run of other inputs or options without
    /// permission, and to lose inputs with it. A folder that runs share one after another is emptied.
    ///
    /// # Errors
    /// [`Error::OtherRun`]; an input is in the folder; files cannot be written or removed.
    pub(crate) fn begin(&self, record: &RunRecord, settings: &RunSettings) -> Result<(), Error> {
        self.refuse_loss(record, settings)?;
        if self.is_emptied_for(record, settings) {
            self.remove_all()?;
        }
        self.write_record(record)
    }

    /// Fails if something would be lost that the settings do not allow to be lost.
    fn refuse_loss(&self, record: &RunRecord, settings: &RunSettings) -> Result<(), Error> {
        match settings.overwrite || self.is_emptied_for(record, settings) {
            true => self.refuse_own_inputs(record),
            false => self.refuse_other_run(record),
        }
    }

    /// Do runs share the folder one after another, and does it hold another run?
    fn is_emptied_for(&self, record: &RunRecord, settings: &RunSettings) -> bool {
        settings.is_scratch && self.holds_other_run(record)
    }

    /// Does it hold a run with other inputs or options than this record's?
    fn holds_other_run(&self, record: &RunRecord) -> bool {
        let is_same = |other: RunRecord| other.fingerprint == record.fingerprint;
        self.record_path().exists() && !self.record().is_ok_and(is_same)
    }

    /// Fails if an input of a run is in its folder.
    fn refuse_own_inputs(&self, record: &RunRecord) -> Result<(), Error> {
        let real = |path: &Path| path.canonicalize().unwrap_or_else(|_| path.to_owned());
        let root = real(&self.root);
        match record.request.inputs.iter().find(|(_, path)| real(&split_member(path).0).starts_with(&root)) {
            None => Ok(()),
            Some((input, path)) => Err(Error::Data(format!(
                "{}: {} is in {}, whose files this run would replace, so nothing was done; copy it to another folder, or give \
                 one of the two runs a folder of its own with {}",
                input.flag(),
                path.display(),
                self.root.display(),
                option("out", "")
            ))),
        }
    }

    /// Fails if the folder holds a run with other inputs or options than this record's that is finished, or unfinished
    /// with something that would be lost. A run that failed before it kept anything may be replaced.
    fn refuse_other_run(&self, record: &RunRecord) -> Result<(), Error> {
        if !self.record_path().exists() {
            return Ok(());
        }
        // A record that cannot be read belongs to another version, so the run starts from the beginning.
        let Ok(other) = self.record() else {
            return Ok(());
        };
        let is_worthless = || !other.complete && !holds_anything(&self.root);
        if other.fingerprint == record.fingerprint || is_worthless() {
            return Ok(());
        }
        Err(Error::OtherRun {
            path: self.root.clone(),
            is_finished: other.complete,
            differences: differences(&other.identity(), &record.identity()).join("\n  "),
        })
    }

    /// Removes all files but the lock.
    fn remove_all(&self) -> Result<(), Error> {
        let entries = std::fs::read_dir(&self.root).when("listing", &self.root)?;
        let mut paths: Vec<PathBuf> = entries.flatten().map(|entry| entry.path()).collect();
        paths.retain(|path| path.file_name().is_some_and(|name| name != LOCK_FILE));
        // The record is removed last, since a folder without a record is not recognised as a run's.
        paths.sort_by_key(|path| *path == self.record_path());
        Ok(paths.iter().try_for_each(|path| remove(path))?)
    }

    /// Removes the observations of an earlier run that this one did not make. Results stored by content stay.
    pub(crate) fn remove_other_observations(&self, record: &RunRecord) -> Result<(), Error> {
        let places = Places::of_run(&self.root);
        let of_runs = [ImageSet::Stimuli, ImageSet::Reconstructions, ImageSet::Pool];
        // Images have no folder there.
        let kinds = ObservationKind::ALL.into_iter().filter(|kind| !kind.file_names().is_empty());
        for role in kinds.flat_map(|kind| of_runs.map(|of| Role::new(of, kind))) {
            let made: Vec<&StepOutput> = record.outputs(role).collect();
            let folder = places.folder(role.of, role.kind);
            if made.is_empty() {
                remove(&folder)?;
                remove(&places.file(role.of, role.kind))?;
                remove(&folder.with_file_name(recipe::file_name(role.kind)))?;
            } else if made.iter().any(|output| output.features.is_some()) {
                let names = made.iter().filter_map(|output| output.features.as_deref());
                remove_other_matrices(&folder, &names.collect::<Vec<_>>())?;
            }
        }
        // A folder that is not empty stays.
        for of in of_runs {
            let _ = std::fs::remove_dir(places.written.join(of.folder()));
        }
        Ok(())
    }

    pub(crate) fn write_record(&self, record: &RunRecord) -> Result<(), Error> {
        Ok(json::write(&self.record_path(), record)?)
    }
}

fn remove(path: &Path) -> Result<(), FormatError> {
    let removed = match path.is_dir() {
        true => std::fs::remove_dir_all(path),
        false => std::fs::remove_file(path),
    };
    match removed {
        Err(source) if source.kind() != ErrorKind::NotFound => Err(Problem::Io("removing", source).at(path)),
        _ => Ok(()),
    }
}

/// In a folder of features and its folder of clips, removes the matrices that this program wrote, except for these.
fn remove_other_matrices(folder: &Path, made: &[&str]) -> Result<(), FormatError> {
    for folder in [folder.to_owned(), folder.join(CLIPS_FOLDER)] {
        let names = match folder.is_dir() {
            true => features::list(&folder)?,
            false => Vec::new(),
        };
        let others = names.iter().filter(|name| !made.contains(&name.as_str()));
        others.map(|name| MatrixFiles::of(&folder, name)).try_for_each(|matrix| match matrix.is_ours() {
            true => matrix.remove(),
            false => Ok(()),
        })?;
    }
    Ok(())
}

/// Does a folder hold anything besides the record, empty files and the names of images to be observed?
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
