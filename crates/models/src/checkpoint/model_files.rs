//! Finds the models of a kind by id: captioners, detectors, parsers, text encoders, image models.

use crate::checkpoint::torch_random::{TruncatedNormal, Untrained};
use crate::checkpoint::weights::{
    DownloadProgress, LocalModel, WeightOptions, hash_checkpoint, hash_checkpoints, locate, obtain,
};
use crate::registry::{Architecture, MODELS, ModelEntry};
use crate::{DeviceChoice, ModelError, WeightPrecision};
use neurogauge_core::ModelIdentity;
use std::collections::BTreeMap;
use std::marker::PhantomData;
use std::path::{Path, PathBuf};

/// Suffix of a model's id if its weights are the user's own.
pub(crate) const CUSTOM: &str = "-custom";
/// Separates a model's id from the seed of its random weights.
pub(crate) const UNTRAINED: &str = "-untrained-";

/// Strips an id of what describes its weights: the user's own, random or rounded.
pub(crate) fn base_id(id: &str) -> &str {
    let (id, _) = WeightPrecision::split(id);
    let id = id.strip_suffix(CUSTOM).unwrap_or(id);
    id.split_once(UNTRAINED).map_or(id, |(base, _)| base)
}

/// Is this the identity of a model whose weights are the user's own?
pub(crate) fn is_custom(identity: &ModelIdentity) -> bool {
    identity.id.contains(CUSTOM)
}

/// The files of these names that exist in the folder of a checkpoint.
pub(crate) fn beside(weights: &Path, names: &[&str]) -> Vec<PathBuf> {
    names.iter().map(|name| weights.with_file_name(name)).filter(|path| path.is_file()).collect()
}

/// What differs between the kinds of models, e.g. captioners.
pub trait ModelKind: Sized {
    /// Follows the list of known ids in the error for an unknown one.
    const OTHER_IDS: &'static str = "";

    /// The placeholder model without weights: the id that users ask for, and the model's own id.
    const PLACEHOLDER: Option<[&'static str; 2]> = None;

    /// Is the device part of the id? Otherwise the code that loads a model sets it.
    const ID_SAYS_DEVICE: bool = true;

    fn includes(architecture: Architecture) -> bool;

    /// Other files that affect the results of a user's checkpoint at `weights`: parts of the network, settings and the
    /// tokenizer.
    ///
    /// # Errors
    /// A file that is missing or cannot be read.
    fn further_files(entry: &ModelEntry, weights: &Path) -> Result<Vec<PathBuf>, ModelError> {
        Ok(beside(weights, entry.architecture.settings()))
    }

    /// The model with random weights that an id asks for; `None` if it asks for other weights.
    ///
    /// # Errors
    /// [`ModelError::UnknownModel`] for a model that has no random weights.
    fn untrained(_id: &str) -> Result<Option<Local<Self>>, ModelError> {
        Ok(None)
    }
}

/// Where a run's models get their weights from.
#[derive(Debug, Clone, Copy)]
pub struct WeightSource<'a> {
    /// Where published weights are looked for, and whether they may be downloaded.
    pub options: &'a WeightOptions,
    /// The user's checkpoints, each with the id of the model that it replaces.
    pub checkpoints: &'a BTreeMap<String, PathBuf>,
    /// The precision that weights are rounded to.
    pub precision: WeightPrecision,
    /// The device that models run on.
    pub device: DeviceChoice,
}

/// A model whose weights were found and are not loaded yet.
///
/// Its id is one of [`ids`](Self::ids), followed by `-custom` if the weights are the user's own, `-bf16` or `-f16` if
/// they are rounded, and a device ([`DeviceChoice`]) other than the default.
#[derive(Debug, Clone)]
pub struct Local<K> {
    pub(crate) identity: ModelIdentity,
    pub(crate) weights: Weights,
    kind: PhantomData<fn() -> K>,
}

/// Where the numbers come from.
#[derive(Debug, Clone)]
pub(crate) enum Weights {
    /// The placeholder model has no weights.
    None,
    /// A checkpoint of one of the registry's models.
    File { entry: &'static ModelEntry, path: PathBuf },
    Random {
        entry: &'static ModelEntry,
        constructor: Untrained,
        seed: u64,
        truncated_normal: TruncatedNormal,
    },
}

impl<K: ModelKind> Local<K> {
    /// The ids of all models of this kind in the registry, and the placeholder's.
    pub fn ids() -> Vec<&'static str> {
        Self::entries().map(|entry| entry.id).chain(K::PLACEHOLDER.map(|[id, _]| id)).collect()
    }

    /// The placeholder of this kind: the id that users ask for, and its identity.
    pub fn placeholder() -> Option<(&'static str, ModelIdentity)> {
        K::PLACEHOLDER.map(|[id, own]| (id, ModelIdentity::placeholder(own, "1")))
    }

    /// All models of this kind in the registry.
    pub fn entries() -> impl Iterator<Item = &'static ModelEntry> {
        MODELS.iter().filter(|entry| K::includes(entry.architecture))
    }

    /// The registry's model `id`, which must be of this kind.
    ///
    /// # Errors
    /// [`ModelError::UnknownModel`].
    pub fn entry(id: &str) -> Result<&'static ModelEntry, ModelError> {
        Self::entries().find(|entry| entry.id == id).ok_or_else(|| Self::unknown(id))
    }

    /// The error for an unknown id of this kind.
    pub fn unknown(id: &str) -> ModelError {
        let ids = Self::ids();
        ModelError::unknown_model(id, ids.iter().copied(), &(ids.join(", ") + K::OTHER_IDS))
    }

    /// The identity of the model `id`, if it is known without its files: for a placeholder, for random weights, and if
    /// the whole SHA-256 of the weights is published.
    ///
    /// # Errors
    /// [`ModelError::UnknownModel`].
    pub fn known_identity(id: &str) -> Result<Option<ModelIdentity>, ModelError> {
        if let Some(model) = Self::without_files(id)? {
            return Ok(Some(model.identity));
        }
        let entry = Self::entry(id)?;
        let sha256 = entry.weights().sha256.full();
        Ok(sha256.map(|sha256| entry.identity(sha256.to_owned())))
    }

    /// Looks on this machine only: for the user's own checkpoint, or for the published one.
    ///
    /// # Errors
    /// [`ModelError::UnknownModel`]; a file that cannot be read; what [`locate`](crate::weights::locate) reports.
    pub fn find(id: &str, source: &WeightSource<'_>) -> Result<Option<Self>, ModelError> {
        let found = match source.own(id) {
            Some(path) => Some(Self::custom(id, path)?),
            None => Self::locate(id, source.options)?,
        };
        Ok(found.map(|model| model.rounded(source.precision).placed(source.device)))
    }

    /// Like [`find`](Self::find), but missing weights are downloaded if allowed.
    ///
    /// # Errors
    /// As in [`find`](Self::find) and [`obtain`](crate::weights::obtain).
    pub fn find_or_download(
        id: &str,
        source: &WeightSource<'_>,
        progress: &dyn DownloadProgress,
    ) -> Result<Self, ModelError> {
        let found = match source.own(id) {
            Some(path) => Self::custom(id, path)?,
            None => Self::obtain(id, source.options, progress)?,
        };
        Ok(found.rounded(source.precision).placed(source.device))
    }

    /// Like [`find`](Self::find), for a plan: published weights may be missing on this machine. The model then has its
    /// published identity, [misses its weights](Self::misses_weights), and cannot be loaded.
    ///
    /// # Errors
    /// As in [`find`](Self::find).
    pub fn find_or_expect(id: &str, source: &WeightSource<'_>) -> Result<Self, ModelError> {
        if let Some(found) = Self::find(id, source)? {
            return Ok(found);
        }
        let entry = Self::entry(id)?;
        let sha256 = entry.weights().sha256.full().unwrap_or_default().to_owned();
        let dir = source.options.cached(entry).unwrap_or_default();
        let weights = dir.join(entry.weights().path);
        Ok(Self::published(entry, LocalModel { dir, weights, sha256 })
            .rounded(source.precision)
            .placed(source.device))
    }

    /// Are its weights missing, as [`find_or_expect`](Self::find_or_expect) allows?
    pub fn misses_weights(&self) -> bool {
        self.file().is_some_and(|(_, weights)| !weights.exists())
    }

    /// Looks for the published weights, on this machine only.
    ///
    /// # Errors
    /// [`ModelError::UnknownModel`], and the errors of [`locate`](crate::weights::locate).
    pub fn locate(id: &str, options: &WeightOptions) -> Result<Option<Self>, ModelError> {
        if let Some(model) = Self::without_files(id)? {
            return Ok(Some(model));
        }
        let entry = Self::entry(id)?;
        Ok(locate(entry, options)?.map(|files| Self::published(entry, files)))
    }

    /// Like [`locate`](Self::locate), but missing weights are downloaded if allowed.
    ///
    /// # Errors
    /// [`ModelError::UnknownModel`], and the errors of [`obtain`](crate::weights::obtain).
    pub fn obtain(id: &str, options: &WeightOptions, progress: &dyn DownloadProgress) -> Result<Self, ModelError> {
        if let Some(model) = Self::without_files(id)? {
            return Ok(model);
        }
        let entry = Self::entry(id)?;
        Ok(Self::published(entry, obtain(entry, options, progress)?))
    }

    /// The model `id` with the weights of any checkpoint that fits. If its network reads a `config.json` and a
    /// `tokenizer.json`, those beside the checkpoint are used. Its identity is `<id>-custom` with the SHA-256 of the
    /// file, or of the list of hashes of an index and its files (`sha256sum INDEX FILES... | sha256sum`). That list
    /// also contains separate files with parts of the network, and files beside the checkpoint that affect its results.
    ///
    /// If several libraries publish the same network, files of all of them fit; a file's tensor names tell which
    /// library wrote it.
    ///
    /// # Errors
    /// [`ModelError::UnknownModel`]; a file that cannot be read.
    pub fn custom(id: &str, path: &Path) -> Result<Self, ModelError> {
        let entry = Self::entry(id)?;
        let identity = ModelIdentity {
            id: format!("{}{CUSTOM}", entry.id),
            revision: String::new(),
            sha256: match &K::further_files(entry, path)?[..] {
                [] => hash_checkpoint(path)?,
                further => hash_checkpoints(path, further)?,
            },
            stand_in: false,
        };
        let path = path.to_owned();
        Ok(Self::new(identity, Weights::File { entry, path }))
    }

    /// Rounds the model's weights (`weight-precision`), which becomes part of its id. A placeholder has no
    /// weights.
    ///
    /// ```
    /// use neurogauge_models::{LocalImageModel, WeightOptions, WeightPrecision};
    /// let found = LocalImageModel::locate("resnet18-untrained-42", &WeightOptions::default())?.unwrap();
    /// let rounded = found.rounded(WeightPrecision::Bf16);
    /// assert_eq!(rounded.identity().id, "resnet18-untrained-42-bf16");
    /// # Ok::<(), neurogauge_models::ModelError>(())
    /// ```
    #[must_use]
    pub fn rounded(self, precision: WeightPrecision) -> Self {
        Local {
            identity: precision.marked(self.identity),
            ..self
        }
    }

    /// Sets the model's device, which becomes part of its id. Image models get the device when they are loaded.
    #[must_use]
    pub fn placed(self, device: DeviceChoice) -> Self {
        if !K::ID_SAYS_DEVICE {
            return self;
        }
        Local {
            identity: device.marked(self.identity),
            ..self
        }
    }

    /// Identifies the weights.
    pub fn identity(&self) -> &ModelIdentity {
        &self.identity
    }

    /// The registry's model and its weights file; `None` for a placeholder and for random weights.
    pub(crate) fn file(&self) -> Option<(&'static ModelEntry, &Path)> {
        match &self.weights {
            Weights::File { entry, path } => Some((entry, path)),
            Weights::None | Weights::Random { .. } => None,
        }
    }

    pub(crate) fn new(identity: ModelIdentity, weights: Weights) -> Self {
        Local {
            identity,
            weights,
            kind: PhantomData,
        }
    }

    fn published(entry: &'static ModelEntry, files: LocalModel) -> Self {
        let path = files.weights;
        Self::new(entry.identity(files.sha256), Weights::File { entry, path })
    }

    fn without_files(id: &str) -> Result<Option<Self>, ModelError> {
        match Self::placeholder() {
            Some((placeholder, identity)) if placeholder == id => Ok(Some(Self::new(identity, Weights::None))),
            _ => K::untrained(id),
        }
    }
}

impl WeightSource<'_> {
    /// The user's own checkpoint for a model.
    fn own(&self, id: &str) -> Option<&Path> {
        self.checkpoints.get(id).map(PathBuf::as_path)
    }
}
