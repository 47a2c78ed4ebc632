//! Features that a run can compute if they are not given.

use crate::Error;
use crate::lpips::{self, LpipsRecipe, LpipsSource};
use crate::observers::features::{FeatureRecipe, Models, PerceptionOptions};
use neurogauge_core::Group;
use neurogauge_models::{
    ImagePreset, LayerRequest, LocalImageModel, LpipsHeads, PLACEHOLDER_IMAGE_MODEL, model_of_family,
};

/// Layers of the placeholder that replace early and late layers.
const PLACEHOLDER_LAYERS: (&str, &str) = ("grid16", "grid4");

/// The suffix of the names of matrices whose images are prepared as for SEED.
const SEEDS_WAY: &str = ".official";

impl PerceptionOptions {
    /// How images are prepared for SEED.
    pub(crate) fn of_seed(&self) -> ImagePreset {
        self.seed.unwrap_or(self.preset)
    }

    /// The layer of a matrix by its name, how its images are prepared, and the suffix that distinguishes it from other
    /// matrices of the layer.
    pub(crate) fn prepared<'a>(&self, features: &'a str) -> (&'a str, ImagePreset, Option<&'static str>) {
        match features.strip_suffix(SEEDS_WAY) {
            Some(layer) => (layer, self.of_seed(), Some(&SEEDS_WAY[1..])),
            None => (features, self.preset, None),
        }
    }
}

/// How a metric's inputs can be made.
#[derive(Debug, Clone)]
pub(crate) enum FeatureSource {
    /// No known image model makes it.
    Unknown,
    /// This model makes it, but its weights are not on this machine.
    WithoutWeights(String),
    Ready(FeatureRecipe),
    /// By comparing the images of each pair with this network.
    Lpips(LpipsRecipe),
}

/// The features that a run can compute.
pub(crate) struct Perceivable<'a, 'm> {
    pub(crate) options: &'a PerceptionOptions,
    pub(crate) models: &'a mut Models<'m>,
    pub(crate) lpips_heads: &'a [LpipsHeads],
}

impl Perceivable<'_, '_> {
    /// How the features called `<model>.<layer>` (such as `efficientnet_b1.avgpool`) of a metric of this group can be
    /// made. If the metric was requested by name, missing weights are downloaded if allowed.
    pub(crate) fn plan(&mut self, features: &str, group: Group, was_asked_for: bool) -> Result<FeatureSource, Error> {
        let (features, preset, variant) = self.options.prepared(features);
        let Some((model, layer)) = features.split_once('.') else {
            return Ok(FeatureSource::Unknown);
        };
        let (model, layer) = match group {
            Group::LowLevel if self.options.stand_in => (PLACEHOLDER_IMAGE_MODEL, PLACEHOLDER_LAYERS.0),
            _ if self.options.stand_in => (PLACEHOLDER_IMAGE_MODEL, PLACEHOLDER_LAYERS.1),
            _ => (model_of_family(model), layer),
        };
        if !LocalImageModel::knows(model) {
            return Ok(FeatureSource::Unknown);
        }
        let Some(found) = self.models.find(model, was_asked_for)? else {
            return Ok(FeatureSource::WithoutWeights(model.to_owned()));
        };
        let identity = found.identity().clone();
        let LayerRequest { layer, pooling } = LayerRequest::named(model, layer);
        Ok(FeatureSource::Ready(FeatureRecipe {
            preprocessing: (preset.for_model(&identity.id)).preprocessing(&identity.id, self.options.antialias)?,
            variant: variant.map(str::to_owned),
            device: self.models.device_of(&identity),
            model: identity,
            layer,
            pooling,
        }))
    }

    /// The recipe with the images prepared as for the EffNet in SEED.
    pub(crate) fn seed_preprocessing(&self, recipe: FeatureRecipe) -> Result<FeatureRecipe, Error> {
        let PerceptionOptions { antialias, .. } = *self.options;
        let preset = self.options.of_seed();
        Ok(FeatureRecipe {
            preprocessing: preset.preprocessing(&recipe.model.id, antialias)?,
            ..recipe
        })
    }

    /// How the images of each pair can be compared by the network of `metric`.
    pub(crate) fn plan_lpips(&mut self, metric: &str, was_asked_for: bool) -> Result<FeatureSource, Error> {
        let source = lpips::source(metric, self.lpips_heads, self.models, was_asked_for)?;
        Ok(match source {
            LpipsSource::NoHeads => FeatureSource::Unknown,
            LpipsSource::WithoutWeights(model) => FeatureSource::WithoutWeights(model),
            LpipsSource::Ready(recipe) => FeatureSource::Lpips(*recipe),
        })
    }
}
