//! Image models by id: which there are, where their weights come from, and how they are loaded.

mod ids;
#[cfg(test)]
mod tests;

use crate::architectures::{build, has_no_use, recognised, renamed};
use crate::checkpoint::Checkpoint;
use crate::checkpoint::torch_random::{TruncatedNormal, Untrained};
use crate::checkpoint::weights::{
    DownloadProgress, LocalModel, WeightOptions, hash_checkpoint, locate, obtain,
};
use crate::observers::placeholders::MeanColours;
use crate::{DeviceChoice, ImageModel, ModelEntry, ModelError, WeightPrecision};
use ids::{CUSTOM, architecture, find, image_models, untrained};
use neurogauge_core::ModelIdentity;
use std::path::{Path, PathBuf};

pub(crate) use ids::base_id;

/// The id under which [`MeanColours`] is found.
pub const STAND_IN_IMAGE_MODEL: &str = "stand-in";

/// An image model whose weights are at hand, not yet loaded.
///
/// Ids: those of the registry's image models; `<id>-untrained-<seed>`, the weights that PyTorch's
/// `manual_seed(seed)` and torchvision's constructor give (with `-inverse-erf` behind it, as PyTorch up to
/// 2.11 drew truncated normals); `stand-in`.
///
/// ```
/// use neurogauge_models::{LocalImageModel, STAND_IN_IMAGE_MODEL, WeightOptions};
/// let options = WeightOptions::default();
/// let found = LocalImageModel::locate(STAND_IN_IMAGE_MODEL, &options)?.unwrap();
/// assert_eq!(found.identity().id, "mean-colours");
/// assert_eq!(found.load()?.layers(), ["grid16", "grid4"]);
///
/// let untrained = LocalImageModel::locate("resnet18-untrained-42", &options)?.unwrap();
/// assert!(untrained.load()?.layers().contains(&"layer4"));
/// # Ok::<(), neurogauge_models::ModelError>(())
/// ```
#[derive(Debug, Clone)]
pub struct LocalImageModel {
    identity: ModelIdentity,
    weights: Weights,
}

/// Where the numbers come from.
#[derive(Debug, Clone)]
enum Weights {
    StandIn,
    /// A checkpoint of the model of this id.
    File {
        id: &'static str,
        path: PathBuf,
    },
    Random {
        id: &'static str,
        constructor: Untrained,
        seed: u64,
        truncated_normal: TruncatedNormal,
    },
}

impl LocalImageModel {
    /// Every id of the registry's image models, and the stand-in's.
    pub fn ids() -> Vec<&'static str> {
        let entries = image_models().map(|entry| entry.id);
        entries.chain([STAND_IN_IMAGE_MODEL]).collect()
    }

    /// Is there a model of this id (random weights included)?
    pub fn knows(id: &str) -> bool {
        Self::ids().contains(&id) || matches!(untrained(id), Ok(Some(_)))
    }

    /// The id of the model that an id is a variant of, with other weights or with random ones; else the id itself.
    pub fn base(id: &str) -> &str {
        base_id(id)
    }

    /// The seed of the random weights that an id names, if it names any.
    ///
    /// ```
    /// use neurogauge_models::LocalImageModel;
    /// assert_eq!(LocalImageModel::seed("resnet18-untrained-42"), Some(42));
    /// assert_eq!(LocalImageModel::seed("resnet18"), None);
    /// ```
    pub fn seed(id: &str) -> Option<u64> {
        match untrained(id).ok()??.weights {
            Weights::Random { seed, .. } => Some(seed),
            Weights::StandIn | Weights::File { .. } => None,
        }
    }

    /// Looks on this machine only.
    ///
    /// # Errors
    /// [`ModelError::UnknownModel`], and those of [`locate`].
    pub fn locate(id: &str, options: &WeightOptions) -> Result<Option<Self>, ModelError> {
        if let Some(model) = Self::without_files(id)? {
            return Ok(Some(model));
        }
        let entry = find(id)?;
        Ok(locate(entry, options)?.map(|files| Self::published(entry, files)))
    }

    /// Downloads what is not on this machine, where that is allowed.
    ///
    /// # Errors
    /// [`ModelError::UnknownModel`], and those of [`obtain`].
    pub fn obtain(
        id: &str,
        options: &WeightOptions,
        progress: &dyn DownloadProgress,
    ) -> Result<Self, ModelError> {
        if let Some(model) = Self::without_files(id)? {
            return Ok(model);
        }
        let entry = find(id)?;
        Ok(Self::published(entry, obtain(entry, options, progress)?))
    }

    /// The network of model `id` with the weights of any checkpoint that fits; its identity is
    /// `<id>-custom` with the SHA-256 of the file (as [`LocalCaptioner::custom`](crate::LocalCaptioner::custom) has it).
    ///
    /// Where timm or transformers have the same network, their files fit too; whose a file is, its tensors
    /// tell when it is loaded, and a `config.json` beside it must not contradict what is computed here.
    /// Layers keep the names that they have in `id`, and images are prepared as for `id`.
    ///
    /// # Errors
    /// [`ModelError::UnknownModel`]; a file that cannot be read.
    pub fn custom(id: &str, path: &Path) -> Result<Self, ModelError> {
        let entry = find(id)?;
        let sha256 = hash_checkpoint(path)?;
        Ok(LocalImageModel {
            identity: ModelIdentity {
                id: format!("{id}{CUSTOM}"),
                revision: String::new(),
                sha256,
                stand_in: false,
            },
            weights: Weights::File {
                id: entry.id,
                path: path.to_owned(),
            },
        })
    }

    /// The same model with its weights rounded (`weight-precision`), which its id then says. The stand-in has none.
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
        LocalImageModel {
            identity: precision.marked(self.identity),
            ..self
        }
    }

    fn without_files(id: &str) -> Result<Option<Self>, ModelError> {
        if id == STAND_IN_IMAGE_MODEL {
            return Ok(Some(LocalImageModel {
                identity: MeanColours::new().identity().clone(),
                weights: Weights::StandIn,
            }));
        }
        untrained(id)
    }

    fn published(entry: &'static ModelEntry, files: LocalModel) -> Self {
        LocalImageModel {
            identity: entry.identity(files.sha256),
            weights: Weights::File {
                id: entry.id,
                path: files.weights,
            },
        }
    }

    /// Which weights these are.
    pub fn identity(&self) -> &ModelIdentity {
        &self.identity
    }

    /// Reads the weights.
    ///
    /// # Errors
    /// A file that is cut short or no checkpoint; a tensor that is absent, superfluous or of another
    /// shape.
    pub fn load(&self) -> Result<Box<dyn ImageModel>, ModelError> {
        self.load_on(DeviceChoice::Cpu)
    }

    /// Reads the weights onto a device. The stand-in, which has none, runs on the processor.
    ///
    /// # Errors
    /// Those of [`load`](Self::load) and of [`DeviceChoice::check`].
    pub fn load_on(&self, device: DeviceChoice) -> Result<Box<dyn ImageModel>, ModelError> {
        let placement = device.placement()?;
        let Some((id, checkpoint)) = self.checkpoint()? else {
            return Ok(Box::new(MeanColours::new()));
        };
        let mut checkpoint = checkpoint.placed(placement);
        let model = build(id, &mut checkpoint, self.identity.clone())?;
        checkpoint.finish(|tensor| has_no_use(id, tensor))?;
        Ok(model)
    }

    /// The id of the registry's model that these weights fit, and the weights; the stand-in has none.
    pub(crate) fn checkpoint(&self) -> Result<Option<(&'static str, Checkpoint)>, ModelError> {
        let precision = WeightPrecision::of(&self.identity);
        Ok(Some(match &self.weights {
            Weights::StandIn => return Ok(None),
            Weights::File { id, path } => {
                let name = architecture(id)?;
                let checkpoint = Checkpoint::open(path, name, precision)?;
                let checkpoint = checkpoint.renamed(|tensor| renamed(id, tensor))?;
                (*id, recognised(id, checkpoint)?)
            }
            Weights::Random {
                id,
                constructor,
                seed,
                truncated_normal,
            } => {
                let tensors = constructor.tensors(*seed, *truncated_normal).into_iter();
                let tensors = tensors.map(|tensor| (tensor.name, tensor.shape, tensor.values));
                let name = architecture(id)?;
                let checkpoint = Checkpoint::from_tensors(tensors.collect(), name)?;
                (*id, checkpoint.rounded(precision))
            }
        }))
    }
}

/// Loads an image model; weights that are not on this machine are downloaded where that is allowed.
///
/// # Errors
/// Those of [`LocalImageModel::obtain`] and [`LocalImageModel::load`].
pub fn load_image_model(
    id: &str,
    options: &WeightOptions,
    progress: &dyn DownloadProgress,
) -> Result<Box<dyn ImageModel>, ModelError> {
    LocalImageModel::obtain(id, options, progress)?.load()
}
