//! The store of observations (see [`neurogauge_formats::store`] for its form): one cache (`NEUROGAUGE_CACHE`) that all
//! commands and runs share, with a folder for each kind. Without a writable cache, observations are stored in the
//! folder of the run.

mod cache;
mod kept;

pub(crate) use cache::TEXT_EMBEDDINGS;
pub use cache::{CachePart, ObservationCache};
pub(crate) use kept::Kept;

use crate::Error;
use crate::model_weights::weight_options;
use crate::progress::Progress;
use crate::settings::RunSettings;
use neurogauge_core::ObservationKind;
use neurogauge_formats::store::Journal;
use neurogauge_formats::{IoResult, atomic_file};
use serde::Serialize;
use serde::de::DeserializeOwned;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// Another process may be writing in a shared folder, but no process needs a day for one file.
const NO_WRITER_TAKES: Duration = Duration::from_secs(24 * 3600);

/// A folder of the store, and whether other runs use it too.
#[derive(Debug, Clone)]
pub(crate) struct StoreFolder {
    pub(crate) path: PathBuf,
    pub(crate) is_shared: bool,
}

impl StoreFolder {
    /// The folder `kind` of the cache, or `own` without a writable cache.
    pub(crate) fn open(kind: &str, own: &Path, settings: &RunSettings) -> Result<Self, Error> {
        if let Some(path) = root(settings).map(|cache| cache.join(kind)).filter(|path| writable(path).is_ok()) {
            atomic_file::sweep(&path, NO_WRITER_TAKES);
            return Ok(StoreFolder { path, is_shared: true });
        }
        Self::own(own)
    }

    /// The folder of one observer in the folder `kind`, or in `own` if either cannot be written to.
    pub(crate) fn of_observer(
        kind: &str,
        observer: &str,
        own: &Path,
        settings: &RunSettings,
    ) -> Result<PathBuf, Error> {
        let found = Self::open(kind, own, settings)?;
        let path = found.path.join(observer);
        if found.is_shared && path.exists() && atomic_file::probe(&path).is_err() {
            return Ok(Self::own(own)?.path.join(observer));
        }
        Ok(path)
    }

    fn own(path: &Path) -> Result<Self, Error> {
        std::fs::create_dir_all(path).when("creating", path)?;
        Ok(StoreFolder {
            path: path.to_owned(),
            is_shared: false,
        })
    }
}

/// Creates the folder if it is missing, and fails if no file can be made there.
fn writable(folder: &Path) -> std::io::Result<()> {
    std::fs::create_dir_all(folder).and_then(|()| atomic_file::probe(folder))
}

fn is_refusal(error: &std::io::Error) -> bool {
    use ErrorKind::{PermissionDenied, QuotaExceeded, ReadOnlyFilesystem, StorageFull};
    [PermissionDenied, QuotaExceeded, ReadOnlyFilesystem, StorageFull].contains(&error.kind())
}

/// Warns if the cache cannot be written to or its disk is full, since the results of models are then stored only in
/// this run's folder.
pub(crate) fn warn_of_read_only(settings: &RunSettings, progress: &dyn Progress) {
    let Some(root) = root(settings) else {
        return;
    };
    if let Err(error) = writable(&root)
        && is_refusal(&error)
    {
        warn_of_refusal(&root, &error, progress);
    }
}

fn warn_of_refusal(root: &Path, why: &dyn std::fmt::Display, progress: &dyn Progress) {
    progress.warn(&format!(
        "{}: the cache cannot be written to ({why}), so what models observe is kept in this run's folder only and other runs \
         observe it again; name another folder in NEUROGAUGE_CACHE",
        root.display()
    ));
}

/// Warns if another user's files block a part of the cache: the folder of a kind, and the folders or the journal of an
/// observer in it. Silent if the whole cache cannot be written to.
pub(crate) fn warn_of_others_files(kind: &str, observer: &str, settings: &RunSettings, progress: &dyn Progress) {
    let Some(root) = root(settings).filter(|root| writable(root).is_ok()) else {
        return;
    };
    let of_kind = root.join(kind);
    let mut paths = vec![of_kind.clone()];
    for entry in std::fs::read_dir(&of_kind).into_iter().flatten().flatten() {
        // Features of a layer, a journal or one of its segments: `<observer>.<layer>`, `<observer>.2.jsonl`.
        let name = entry.file_name();
        let rest = name
            .to_str()
            .and_then(|name| name.strip_prefix(observer))
            .filter(|rest| rest.is_empty() || rest.starts_with('.'));
        paths.extend(rest.map(|_| entry.path()));
    }
    paths.sort();
    for path in paths.iter().filter(|path| path.exists()) {
        let (refused, so) = match path.is_dir() {
            true => (
                atomic_file::probe(path).err().map(|error| ("written to", error)),
                "what belongs there is kept in this run's folder only and other runs observe it again",
            ),
            false => (std::fs::File::open(path).err().map(|error| ("read", error)), "what it holds is observed again"),
        };
        if let Some((what, error)) = refused.filter(|(_, error)| is_refusal(error)) {
            progress.warn(&format!(
                "{}: this part of the cache is another user's and cannot be {what} ({error}), so {so}; ask its owner for the right, or \
                 name another folder in NEUROGAUGE_CACHE",
                path.display()
            ));
            // The content of an unusable folder does not matter.
            if *path == of_kind {
                return;
            }
        }
    }
}

impl RunSettings {
    /// The settings with a cache: the current one, or `own` if that is not writable. Runs that belong together then
    /// share observations.
    pub fn with_cache(&self, own: &Path) -> RunSettings {
        let shared = root(self).filter(|root| std::fs::create_dir_all(root).is_ok());
        RunSettings {
            cache: Some(shared.unwrap_or_else(|| own.to_owned())),
            ..self.clone()
        }
    }
}

/// The folder `kind` of the cache, or `own`, if it exists.
pub(crate) fn existing(kind: &str, own: &Path, settings: &RunSettings) -> Option<PathBuf> {
    let shared = root(settings).map(|cache| cache.join(kind));
    shared.filter(|path| path.exists()).or_else(|| own.exists().then(|| own.to_owned()))
}

/// The root of the store: the folder in the settings, otherwise the cache.
fn root(settings: &RunSettings) -> Option<PathBuf> {
    let cache = || settings.cache.clone().or_else(|| weight_options(settings).cache);
    (!settings.is_cache_full).then(cache).flatten()
}

/// Does `run`, and once more without the cache if its disk becomes full meanwhile.
pub(crate) fn past_full_cache<T>(
    settings: &RunSettings,
    progress: &dyn Progress,
    run: impl Fn(&RunSettings) -> Result<T, Error>,
) -> Result<T, Error> {
    let cache = root(settings);
    match (run(settings), cache) {
        (Err(Error::Format(error)), Some(cache))
            if matches!(error.io_kind(), Some(ErrorKind::StorageFull | ErrorKind::QuotaExceeded))
                && error.path.starts_with(&cache)
                && !settings.out.starts_with(&cache)
                // It may be the same disk.
                && writable(&settings.out).is_ok() =>
        {
            warn_of_refusal(&cache, &"its disk became full", progress);
            run(&RunSettings {
                is_cache_full: true,
                ..settings.clone()
            })
        }
        (done, _) => done,
    }
}

/// The journal of `observer` in the store of this kind. Without a cache, it is in `own`.
pub(crate) fn journal<V: Clone + Serialize + DeserializeOwned>(
    kind: ObservationKind,
    observer: &str,
    own: &Path,
    settings: &RunSettings,
) -> Result<Journal<V>, Error> {
    let folder = own.parent().unwrap_or(own);
    let found = StoreFolder::open(kind.id(), folder, settings)?;
    if !found.is_shared {
        return Ok(Journal::open(own)?);
    }
    let shared = found.path.join(format!("{observer}.jsonl"));
    Ok(Journal::open(&shared)?)
}
