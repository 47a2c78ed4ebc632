//! Image models by id: which there are, where their weights come from, and how they are loaded.

use crate::architectures::{build, has_no_use, renamed};
use crate::checkpoint::Checkpoint;
use crate::layouts::recognised;
use crate::registry::{MODELS, nearest};
use crate::stand_in::MeanColours;
use crate::torch_random::{TruncatedNormal, Untrained};
use crate::weights::{
    DownloadProgress, LocalModel, WeightOptions, hash_checkpoint, locate, obtain,
};
use crate::{DeviceChoice, ImageModel, ModelEntry, ModelError, WeightPrecision};
use neurogauge_core::ModelIdentity;
use std::path::{Path, PathBuf};

/// The id under which [`MeanColours`] is found.
pub const STAND_IN_IMAGE_MODEL: &str = "stand-in";

/// Between the id of a model and the seed of its random weights.
const UNTRAINED: &str = "-untrained-";
/// After the seed: truncated normal draws as PyTorch up to 2.11 made them.
const INVERSE_ERF: &str = "-inverse-erf";
/// After the id of a model whose weights are the user's own.
const CUSTOM: &str = "-custom";

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

/// The id of the model that an identity's id is a variant of: with other weights, with random or rounded ones.
pub(crate) fn base_id(id: &str) -> &str {
    let (id, _) = WeightPrecision::split(id);
    let id = id.strip_suffix(CUSTOM).unwrap_or(id);
    id.split_once(UNTRAINED).map_or(id, |(base, _)| base)
}

fn image_models() -> impl Iterator<Item = &'static ModelEntry> {
    MODELS
        .iter()
        .filter(|entry| entry.architecture.is_of_image_features())
}

fn find(id: &str) -> Result<&'static ModelEntry, ModelError> {
    image_models().find(|entry| entry.id == id).ok_or_else(|| {
        let ids = LocalImageModel::ids();
        ModelError::UnknownModel {
            id: id.to_owned(),
            nearest: nearest(id, ids.iter().copied()).to_owned(),
            known: format!(
                "{}; and MODEL{UNTRAINED}SEED for random weights",
                ids.join(", ")
            ),
        }
    })
}

fn architecture(id: &str) -> Result<&'static str, ModelError> {
    find(id).map(|entry| entry.architecture.name())
}

/// The model with random weights that the id names, if it names one.
fn untrained(id: &str) -> Result<Option<LocalImageModel>, ModelError> {
    let Some((base, seed)) = id.split_once(UNTRAINED) else {
        return Ok(None);
    };
    let entry = find(base)?;
    let (seed, truncated_normal) = match seed.strip_suffix(INVERSE_ERF) {
        Some(seed) => (seed, TruncatedNormal::InverseErf),
        None => (seed, TruncatedNormal::Rejection),
    };
    let constructor = Untrained::ALL.into_iter().find(|it| it.name() == base);
    let (Some(constructor), Ok(seed)) = (constructor, seed.parse()) else {
        let known: Vec<String> = Untrained::ALL
            .iter()
            .map(|it| format!("{}{UNTRAINED}SEED", it.name()))
            .collect();
        return Err(ModelError::UnknownModel {
            id: id.to_owned(),
            nearest: nearest(id, known.iter().map(String::as_str)).to_owned(),
            known: known.join(", "),
        });
    };
    Ok(Some(LocalImageModel {
        identity: ModelIdentity {
            id: id.to_owned(),
            revision: format!("torch.manual_seed({seed}) and torchvision's constructor"),
            sha256: String::new(),
            stand_in: false,
        },
        weights: Weights::Random {
            id: entry.id,
            constructor,
            seed,
            truncated_normal,
        },
    }))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::weights::NoProgress;

    #[test]
    fn the_stand_in_needs_no_weights_and_unknown_models_are_refused_with_the_known_ones() {
        let options = WeightOptions::default();
        let model = load_image_model(STAND_IN_IMAGE_MODEL, &options, &NoProgress).unwrap();
        assert!(model.identity().stand_in);

        // A text encoder is no image model, though the registry has it.
        for id in ["stand_in", "all-MiniLM-L6-v2", "resnet18-untrained-x"] {
            let error = LocalImageModel::locate(id, &options).unwrap_err();
            let message = error.to_string();
            assert!(message.contains("Known models: "), "{message}");
        }
    }

    #[test]
    fn rounded_weights_are_what_the_network_gets() {
        let found = LocalImageModel::locate("resnet18-untrained-1", &WeightOptions::default());
        let found = found.unwrap().unwrap();
        let first = |model: &LocalImageModel| {
            let (_, mut checkpoint) = model.checkpoint().unwrap().unwrap();
            checkpoint
                .take_values("conv1.weight", &[64, 3, 7, 7])
                .unwrap()
        };
        let plain = first(&found);
        let rounded = first(&found.rounded(WeightPrecision::Bf16));
        // Their lower half is gone, and the nearest kept: at most half of 2^-7 away.
        for (plain, rounded) in plain.iter().zip(&rounded) {
            assert_eq!(rounded.to_bits() & 0xffff, 0);
            assert!((plain - rounded).abs() <= plain.abs() / 256.0);
        }
        assert_ne!(plain, rounded);
        let stand_in = LocalImageModel::locate(STAND_IN_IMAGE_MODEL, &WeightOptions::default());
        let stand_in = stand_in.unwrap().unwrap().rounded(WeightPrecision::F16);
        assert_eq!(stand_in.identity().id, "mean-colours");
    }

    #[test]
    fn every_image_model_has_published_preprocessing_and_so_have_its_variants() {
        for entry in image_models() {
            for id in [entry.id.to_owned(), format!("{}{CUSTOM}", entry.id)] {
                let preset = crate::ImagePreset::Published;
                preset.preprocessing(&id, None).unwrap();
            }
        }
        assert_eq!(base_id("vit_b_16-untrained-0-inverse-erf"), "vit_b_16");
        assert_eq!(base_id("swav_resnet50-custom"), "swav_resnet50");
        assert_eq!(base_id("swav_resnet50-custom-f16"), "swav_resnet50");
    }
}
