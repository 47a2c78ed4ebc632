//! Detections by content.

use super::recipe::DetectionRecipe;
use crate::Error;
use crate::describing::{Store, store_folder};
use crate::request::RunSettings;
use neurogauge_core::{Detections, LabelList};
use neurogauge_formats::detections::{read_mmdet, write_mmdet};
use std::path::{Path, PathBuf};

/// Where a run without a cache keeps them.
pub(crate) const BY_CONTENT: &str = "detections_by_content";

/// A folder with one file for each key: 300 boxes of each of thousands of images are too much for a journal, which is read
/// whole.
pub(super) struct DetectionStore {
    folder: PathBuf,
    labels: LabelList,
}

impl DetectionStore {
    /// In the cache of all runs, or below `own` where there is no cache that can be written to.
    pub(super) fn open(
        recipe: &DetectionRecipe,
        own: &Path,
        settings: &RunSettings,
    ) -> Result<Self, Error> {
        let own = own.join(BY_CONTENT);
        let folder = store_folder("detections", &own, settings)?;
        Ok(DetectionStore {
            folder: folder.join(&recipe.model.id),
            labels: LabelList::new("", &recipe.categories),
        })
    }

    fn path(&self, key: &str) -> PathBuf {
        self.folder.join(format!("{key}.json"))
    }

    /// What is kept under a key.
    pub(super) fn get(&self, key: &str) -> Result<Detections, Error> {
        Ok(read_mmdet(&self.path(key), &self.labels)?)
    }
}

impl Store<Detections> for DetectionStore {
    /// Files appear whole, by a rename.
    fn holds(&self, key: &str) -> bool {
        self.path(key).exists()
    }

    fn keep(&mut self, entries: Vec<(String, Detections)>) -> Result<(), Error> {
        for (key, detections) in entries {
            write_mmdet(&self.path(&key), &detections)?;
        }
        Ok(())
    }
}
