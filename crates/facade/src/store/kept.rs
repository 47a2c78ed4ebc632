//! Checks whether the store has an observation, without opening it for writing.

use super::existing;
use crate::Error;
use crate::settings::RunSettings;
use neurogauge_core::{ObservationKind, Undefined};
use neurogauge_formats::store::{ContentKey, Journal};
use std::collections::HashMap;
use std::fs::File;
use std::path::{Path, PathBuf};

/// The earlier results of an observer, which has either a journal or a file for each item.
pub(crate) struct Kept {
    journal: HashMap<ContentKey, Result<serde_json::Value, Undefined>>,
    files: Option<PathBuf>,
}

impl Kept {
    /// Without a cache, the journal is in the folder `own`, and the files are below `own_files`.
    pub(crate) fn of(
        kind: ObservationKind,
        observer: &str,
        (own, own_files): (&Path, &Path),
        settings: &RunSettings,
    ) -> Result<Kept, Error> {
        let journal = existing(kind.id(), own, settings).map(|folder| folder.join(format!("{observer}.jsonl")));
        let journal = journal.filter(|path| path.exists()).map(|path| Journal::outcomes(&path));
        Ok(Kept {
            journal: journal.transpose()?.unwrap_or_default(),
            files: existing(kind.id(), own_files, settings)
                .map(|folder| folder.join(observer))
                .filter(|folder| folder.is_dir()),
        })
    }

    pub(crate) fn has(&self, key: &ContentKey) -> bool {
        let file = self.files.as_ref().map(|folder| folder.join(format!("{}.json", key.as_str())));
        self.journal.contains_key(key) || file.is_some_and(|file| File::open(file).is_ok())
    }
}
