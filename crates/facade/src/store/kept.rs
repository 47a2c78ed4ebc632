//! Whether the store has an observation, without opening it for writing.

use super::existing;
use crate::Error;
use crate::settings::RunSettings;
use neurogauge_core::{ObservationKind, Undefined};
use neurogauge_formats::store::{ContentKey, Journal};
use std::collections::HashMap;
use std::fs::File;
use std::path::{Path, PathBuf};

/// An observer's earlier results in a store.
pub(crate) enum Kept {
    Nothing,
    Journal(HashMap<ContentKey, Result<serde_json::Value, Undefined>>),
    /// One file for each item.
    Files(PathBuf),
}

impl Kept {
    /// The journal of an observer; without a cache, it is in the folder `own`.
    pub(crate) fn journal(
        kind: ObservationKind,
        observer: &str,
        own: &Path,
        settings: &RunSettings,
    ) -> Result<Kept, Error> {
        let folder = existing(kind.id(), own, settings);
        let path = folder.map(|folder| folder.join(format!("{observer}.jsonl")));
        Ok(match path.filter(|path| path.exists()) {
            Some(path) => Kept::Journal(Journal::outcomes(&path)?),
            None => Kept::Nothing,
        })
    }

    pub(crate) fn files(kind: ObservationKind, observer: &str, own: &Path, settings: &RunSettings) -> Kept {
        match existing(kind.id(), own, settings) {
            Some(folder) => Kept::Files(folder.join(observer)),
            None => Kept::Nothing,
        }
    }

    /// Does it have this key?
    pub(crate) fn has(&self, key: &ContentKey) -> bool {
        match self {
            Kept::Nothing => false,
            Kept::Journal(known) => known.contains_key(key),
            Kept::Files(folder) => File::open(folder.join(format!("{}.json", key.as_str()))).is_ok(),
        }
    }
}
