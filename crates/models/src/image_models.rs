//! Image models by id: which there are, which weights they have, and how they are loaded.

use crate::registry::edit_distance;
use crate::stand_in::MeanColours;
use crate::weights::{DownloadProgress, WeightOptions, locate, obtain};
use crate::{ImageModel, ModelError, registry};
use neurogauge_core::ModelIdentity;
use std::path::Path;

/// The id under which [`MeanColours`] is loaded.
pub const STAND_IN_IMAGE_MODEL: &str = "stand-in";

/// Makes a model of the folder that holds its verified files.
type Load = fn(&Path) -> Result<Box<dyn ImageModel>, ModelError>;

/// The registry entries that are image models, and how each is loaded.
const LOADERS: &[(&str, Load)] = &[];

/// The ids that [`load_image_model`] knows.
pub fn image_model_ids() -> Vec<&'static str> {
    let real = LOADERS.iter().map(|(id, _)| *id);
    real.chain([STAND_IN_IMAGE_MODEL]).collect()
}

/// Which weights a model has, without looking for them.
///
/// # Errors
/// [`ModelError::UnknownModel`].
///
/// ```
/// use neurogauge_models::{STAND_IN_IMAGE_MODEL, image_model_identity};
/// let identity = image_model_identity(STAND_IN_IMAGE_MODEL)?;
/// assert_eq!((identity.id.as_str(), identity.stand_in), ("mean-colours", true));
/// # Ok::<(), neurogauge_models::ModelError>(())
/// ```
pub fn image_model_identity(id: &str) -> Result<ModelIdentity, ModelError> {
    if id == STAND_IN_IMAGE_MODEL {
        return Ok(MeanColours::new().identity().clone());
    }
    find(id)?;
    let entry = registry::find(id)?;
    Ok(ModelIdentity {
        id: entry.id.to_owned(),
        revision: entry.revision.to_owned(),
        sha256: entry.weights().sha256.to_owned(),
        stand_in: false,
    })
}

/// Are the weights of a model on this machine?
///
/// # Errors
/// [`ModelError::UnknownModel`], and those of [`locate`].
pub fn image_model_is_here(id: &str, options: &WeightOptions) -> Result<bool, ModelError> {
    if id == STAND_IN_IMAGE_MODEL {
        return Ok(true);
    }
    find(id)?;
    Ok(locate(registry::find(id)?, options)?.is_some())
}

/// Loads an image model; weights that are not on this machine are downloaded where that is allowed.
///
/// # Errors
/// [`ModelError::UnknownModel`], those of [`obtain`], and those of reading a checkpoint.
pub fn load_image_model(
    id: &str,
    options: &WeightOptions,
    progress: &dyn DownloadProgress,
) -> Result<Box<dyn ImageModel>, ModelError> {
    if id == STAND_IN_IMAGE_MODEL {
        return Ok(Box::new(MeanColours::new()));
    }
    let load = find(id)?;
    load(&obtain(registry::find(id)?, options, progress)?)
}

fn find(id: &str) -> Result<Load, ModelError> {
    let known = LOADERS.iter().find(|(known, _)| *known == id);
    known.map(|(_, load)| *load).ok_or_else(|| {
        let ids = image_model_ids();
        let nearest = ids.iter().min_by_key(|known| edit_distance(id, known));
        ModelError::UnknownModel {
            id: id.to_owned(),
            nearest: nearest.copied().unwrap_or_default().to_owned(),
            known: ids.join(", "),
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::weights::NoProgress;

    #[test]
    fn the_stand_in_needs_no_weights_and_unknown_models_are_refused_with_the_known_ones() {
        let options = WeightOptions::default();
        assert!(image_model_is_here(STAND_IN_IMAGE_MODEL, &options).unwrap());
        let model = load_image_model(STAND_IN_IMAGE_MODEL, &options, &NoProgress).unwrap();
        assert_eq!(model.layers(), ["grid16", "grid4"]);

        // A text encoder is no image model, though the registry has it.
        for id in ["stand_in", "all-MiniLM-L6-v2"] {
            let error = image_model_identity(id).unwrap_err().to_string();
            assert!(
                error.contains("Known models: ") && error.contains("stand-in"),
                "{error}"
            );
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
