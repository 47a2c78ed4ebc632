//! Which features a run can have although nobody has computed them.

use super::recipe::FeatureRecipe;
use super::request::PerceptionOptions;
use crate::Error;
use neurogauge_core::Group;
use neurogauge_models::{
    Pooling, STAND_IN_IMAGE_MODEL, WeightOptions, image_model_identity, image_model_ids,
    image_model_is_here,
};
use std::cell::RefCell;
use std::collections::BTreeMap;

/// Layers of the stand-in in place of early layers and of late ones.
const STAND_IN_LAYERS: (&str, &str) = ("grid16", "grid4");

/// What could be perceived: the options, and where weights may be.
pub(crate) struct Perceivable<'a> {
    options: &'a PerceptionOptions,
    weights: WeightOptions,
    /// Whether the weights of a model are here; looking means hashing them.
    here: RefCell<BTreeMap<String, bool>>,
}

/// How a feature matrix would come about.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Plan {
    /// No image model gives these features.
    Unknown,
    /// With a model whose weights are not on this machine.
    WithoutWeights(FeatureRecipe),
    /// With a model that can be loaded.
    Ready(FeatureRecipe),
}

impl<'a> Perceivable<'a> {
    pub(crate) fn new(options: &'a PerceptionOptions, weights: WeightOptions) -> Self {
        Perceivable {
            options,
            weights,
            here: RefCell::default(),
        }
    }

    /// How the features called `<model>.<layer>` (such as `efficientnet_b1.avgpool`) of a metric of
    /// this group can be had.
    pub(crate) fn plan(&self, features: &str, group: Group) -> Result<Plan, Error> {
        let Some((model, layer)) = features.split_once('.') else {
            return Ok(Plan::Unknown);
        };
        let (model, layer) = match group {
            Group::LowLevel if self.options.stand_in => (STAND_IN_IMAGE_MODEL, STAND_IN_LAYERS.0),
            _ if self.options.stand_in => (STAND_IN_IMAGE_MODEL, STAND_IN_LAYERS.1),
            _ => (model, layer),
        };
        if !image_model_ids().contains(&model) {
            return Ok(Plan::Unknown);
        }
        let identity = image_model_identity(model)?;
        let options = self.options;
        let recipe = FeatureRecipe {
            preprocessing: options
                .preset
                .preprocessing(&identity.id, options.antialias)?,
            model: identity,
            layer: layer.to_owned(),
            pooling: Pooling::None,
        };
        Ok(if self.is_here(model)? {
            Plan::Ready(recipe)
        } else {
            Plan::WithoutWeights(recipe)
        })
    }

    fn is_here(&self, model: &str) -> Result<bool, Error> {
        if let Some(here) = self.here.borrow().get(model) {
            return Ok(*here);
        }
        let here = image_model_is_here(model, &self.weights)?;
        self.here.borrow_mut().insert(model.to_owned(), here);
        Ok(here)
    }
}
