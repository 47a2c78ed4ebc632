//! Image models by id: which there are, where their weights lie, and how they are loaded.

use crate::registry::nearest;
use crate::stand_in::MeanColours;
use crate::weights::{DownloadProgress, WeightOptions, locate, obtain};
use crate::{ImageModel, ModelEntry, ModelError, registry};
use neurogauge_core::ModelIdentity;
use std::path::{Path, PathBuf};

/// The id under which [`MeanColours`] is found.
pub const STAND_IN_IMAGE_MODEL: &str = "stand-in";

/// Makes a model of the folder that holds its verified files.
type Load = fn(&Path, &ModelIdentity) -> Result<Box<dyn ImageModel>, ModelError>;

/// The registry entries that are image models, and how each is loaded.
const LOADERS: &[(&str, Load)] = &[];

/// An image model whose verified weights are on this machine, not yet loaded.
///
/// ```
/// use neurogauge_models::{LocalImageModel, STAND_IN_IMAGE_MODEL, WeightOptions};
/// let found = LocalImageModel::locate(STAND_IN_IMAGE_MODEL, &WeightOptions::default())?.unwrap();
/// assert_eq!(found.identity().id, "mean-colours");
/// assert_eq!(found.load()?.layers(), ["grid16", "grid4"]);
/// # Ok::<(), neurogauge_models::ModelError>(())
/// ```
#[derive(Debug, Clone)]
pub struct LocalImageModel {
    identity: ModelIdentity,
    /// Nothing for the stand-in.
    files: Option<(Load, PathBuf)>,
}

impl LocalImageModel {
    /// Every id that is known.
    pub fn ids() -> Vec<&'static str> {
        let real = LOADERS.iter().map(|(id, _)| *id);
        real.chain([STAND_IN_IMAGE_MODEL]).collect()
    }

    /// Looks on this machine only.
    ///
    /// # Errors
    /// [`ModelError::UnknownModel`], and those of [`locate`].
    pub fn locate(id: &str, options: &WeightOptions) -> Result<Option<Self>, ModelError> {
        if id == STAND_IN_IMAGE_MODEL {
            return Ok(Some(Self::stand_in()));
        }
        let (load, entry) = find(id)?;
        let dir = locate(entry, options)?;
        Ok(dir.map(|dir| Self::at(entry, load, dir)))
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
        if id == STAND_IN_IMAGE_MODEL {
            return Ok(Self::stand_in());
        }
        let (load, entry) = find(id)?;
        Ok(Self::at(entry, load, obtain(entry, options, progress)?))
    }

    fn stand_in() -> Self {
        LocalImageModel {
            identity: MeanColours::new().identity().clone(),
            files: None,
        }
    }

    fn at(entry: &ModelEntry, load: Load, dir: PathBuf) -> Self {
        LocalImageModel {
            identity: ModelIdentity {
                id: entry.id.to_owned(),
                revision: entry.revision.to_owned(),
                sha256: entry.weights().sha256.to_owned(),
                stand_in: false,
            },
            files: Some((load, dir)),
        }
    }

    /// Which weights these are.
    pub fn identity(&self) -> &ModelIdentity {
        &self.identity
    }

    /// Reads the weights.
    ///
    /// # Errors
    /// Those of reading a checkpoint.
    pub fn load(&self) -> Result<Box<dyn ImageModel>, ModelError> {
        match &self.files {
            None => Ok(Box::new(MeanColours::new())),
            Some((load, dir)) => load(dir, &self.identity),
        }
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

fn find(id: &str) -> Result<(Load, &'static ModelEntry), ModelError> {
    match LOADERS.iter().find(|(known, _)| *known == id) {
        Some((_, load)) => Ok((*load, registry::find(id)?)),
        None => {
            let ids = LocalImageModel::ids();
            Err(ModelError::UnknownModel {
                id: id.to_owned(),
                nearest: nearest(id, ids.iter().copied()).to_owned(),
                known: ids.join(", "),
            })
        }
    }
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
        for id in ["stand_in", "all-MiniLM-L6-v2"] {
            let error = LocalImageModel::locate(id, &options).unwrap_err();
            let message = error.to_string();
            assert!(message.contains("Known models: "), "{message}");
            assert!(message.contains("stand-in"), "{message}");
        }
    }

    #[test]
    fn every_loader_belongs_to_a_registry_entry_with_known_preprocessing() {
        for id in LOADERS.iter().map(|(id, _)| id) {
            assert_eq!(registry::find(id).unwrap().id, *id);
            crate::ImagePreset::Published
                .preprocessing(id, None)
                .unwrap();
        }
    }
}
