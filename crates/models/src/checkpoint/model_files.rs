//! Models of one kind by id: which there are, and where their weights are.

use crate::checkpoint::registry::{Architecture, MODELS, nearest};
use crate::checkpoint::weights::{
    DownloadProgress, WeightOptions, hash_checkpoint, locate, obtain,
};
use crate::{ModelEntry, ModelError, WeightPrecision};
use neurogauge_core::ModelIdentity;
use std::path::{Path, PathBuf};

/// Models that can do the same thing: some of the registry's, and a stand-in without weights.
#[derive(Clone, Copy)]
pub(crate) struct ModelKind {
    /// Which architectures can do it.
    pub(crate) has: fn(Architecture) -> bool,
    /// The id that asks for the stand-in.
    pub(crate) stand_in: &'static str,
    /// Which model that is.
    pub(crate) stand_in_identity: fn() -> ModelIdentity,
}

/// A model whose weights are at hand, not yet loaded.
#[derive(Debug, Clone)]
pub(crate) struct Located {
    pub(crate) identity: ModelIdentity,
    /// The registry's entry and the file of weights; the stand-in has none.
    pub(crate) weights: Option<(&'static ModelEntry, PathBuf)>,
}

impl Located {
    /// The same model with its weights rounded, which its id then says.
    pub(crate) fn rounded(self, precision: WeightPrecision) -> Self {
        Located {
            identity: precision.marked(self.identity),
            ..self
        }
    }
}

impl ModelKind {
    /// Every id of the registry's models of this kind, and the stand-in's.
    pub(crate) fn ids(self) -> Vec<&'static str> {
        let entries = self.entries().map(|entry| entry.id);
        entries.chain([self.stand_in]).collect()
    }

    /// The registry's models of this kind.
    pub(crate) fn entries(self) -> impl Iterator<Item = &'static ModelEntry> {
        let models = MODELS.iter();
        models.filter(move |entry| (self.has)(entry.architecture))
    }

    /// Looks on this machine only.
    pub(crate) fn locate(
        self,
        id: &str,
        options: &WeightOptions,
    ) -> Result<Option<Located>, ModelError> {
        if id == self.stand_in {
            return Ok(Some(self.located_stand_in()));
        }
        let entry = self.find(id)?;
        Ok(locate(entry, options)?.map(|files| Located {
            identity: entry.identity(files.sha256),
            weights: Some((entry, files.weights)),
        }))
    }

    /// Downloads what is not on this machine, where that is allowed.
    pub(crate) fn obtain(
        self,
        id: &str,
        options: &WeightOptions,
        progress: &dyn DownloadProgress,
    ) -> Result<Located, ModelError> {
        if id == self.stand_in {
            return Ok(self.located_stand_in());
        }
        let entry = self.find(id)?;
        let files = obtain(entry, options, progress)?;
        Ok(Located {
            identity: entry.identity(files.sha256),
            weights: Some((entry, files.weights)),
        })
    }

    /// The model `id` with the weights of any checkpoint that fits; its identity is `<id>-custom` with the SHA-256 of the
    /// file.
    pub(crate) fn custom(self, id: &str, path: &Path) -> Result<Located, ModelError> {
        let entry = self.find(id)?;
        let sha256 = hash_checkpoint(path)?;
        Ok(Located {
            identity: ModelIdentity {
                id: format!("{}-custom", entry.id),
                revision: String::new(),
                sha256,
                stand_in: false,
            },
            weights: Some((entry, path.to_owned())),
        })
    }

    fn located_stand_in(self) -> Located {
        Located {
            identity: (self.stand_in_identity)(),
            weights: None,
        }
    }

    fn find(self, id: &str) -> Result<&'static ModelEntry, ModelError> {
        self.entries().find(|entry| entry.id == id).ok_or_else(|| {
            let ids = self.ids();
            ModelError::UnknownModel {
                id: id.to_owned(),
                nearest: nearest(id, ids.iter().copied()).to_owned(),
                known: ids.join(", "),
            }
        })
    }
}
