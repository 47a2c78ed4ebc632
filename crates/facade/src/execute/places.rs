//! Paths of observations and, without a cache, of stored results.

use super::is_of_clips;
use crate::settings::Shard;
use neurogauge_core::{ImageSet, ObservationKind};
use neurogauge_formats::features::CLIPS_FOLDER;
use serde::{Deserialize, Serialize};
use std::path::{Path, PathBuf};

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum PerceivedLayout {
    /// `captions.json`, `detections/<stem>.json`.
    #[default]
    Own,
    /// The files of SEED's code: `captions.npy` (a pickled dictionary by file name), `preds/<stem>.json`.
    Official,
}

#[derive(Debug, Clone)]
pub(crate) struct Places {
    /// The folder that keeps results if there is no cache.
    pub(crate) kept: PathBuf,
    /// The folder that observations are written to: the same one, unless this is a shard.
    pub(crate) written: PathBuf,
    /// The layout of `perceive`; `None` in a run.
    layout: Option<PerceivedLayout>,
}

impl Places {
    /// `<run>/observations/`.
    pub(crate) fn of_run(root: &Path) -> Self {
        let kept = root.join("observations");
        Places {
            written: kept.clone(),
            kept,
            layout: None,
        }
    }

    pub(crate) fn of_perceive(out: &Path, layout: PerceivedLayout) -> Self {
        Places {
            kept: out.to_owned(),
            written: out.to_owned(),
            layout: Some(layout),
        }
    }

    /// The places of a shard, which writes the inputs of its later steps into a separate folder, since other shards run
    /// at the same time.
    pub(crate) fn of_shard(&self, Shard { index, of }: Shard) -> Self {
        Places {
            written: self.kept.join(format!(".part-{index}-of-{of}")),
            ..self.clone()
        }
    }

    pub(crate) fn is_official(&self) -> bool {
        self.layout == Some(PerceivedLayout::Official)
    }

    /// Is it the user's folder, which may contain other files?
    pub(crate) fn is_of_user(&self) -> bool {
        self.layout.is_some()
    }

    pub(crate) fn folder(&self, of: ImageSet, kind: ObservationKind) -> PathBuf {
        let name = kind.official_name().filter(|_| self.is_official()).or(kind.file_names().first().copied());
        let written = match of.folder() {
            "" => self.written.clone(),
            folder => self.written.join(folder),
        };
        written.join(name.unwrap_or_default())
    }

    /// The folder of a source's feature matrix with this name. Matrices of clips do not share ids with those of images.
    pub(crate) fn features(&self, of: ImageSet, name: &str) -> PathBuf {
        let folder = self.folder(of, ObservationKind::Features);
        match is_of_clips(name) {
            true => folder.join(CLIPS_FOLDER),
            false => folder,
        }
    }

    /// The file of a kind that has one file for all images.
    pub(crate) fn file(&self, of: ImageSet, kind: ObservationKind) -> PathBuf {
        let path = self.folder(of, kind);
        match kind.official_name() {
            Some(_) if self.is_official() => path,
            _ => path.with_extension("json"),
        }
    }

    /// The folder that keeps a file for each result of this kind.
    pub(crate) fn by_content(&self, kind: ObservationKind) -> PathBuf {
        self.kept.join(format!("{}_by_content", kind.id()))
    }

    pub(crate) fn journal(&self, kind: ObservationKind, observer: &str) -> PathBuf {
        let name = if self.is_of_user() { kind.id() } else { observer };
        self.kept.join(format!("{name}.jsonl"))
    }
}
