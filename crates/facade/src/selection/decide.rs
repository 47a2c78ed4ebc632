//! Decides for each metric where its values come from, or why it has none.

use super::needs::{lacking_tool, needs};
use crate::Error;
use crate::lpips;
use crate::observations::{Located, PoolInput, recorded};
use crate::observers::features::{FeatureRecipe, Models, PerceptionOptions};
use crate::request::ScoreRequest;
use crate::scene_graph_tools::GraphTools;
use crate::selected::{MetricSource, Selected};
use crate::settings::RunSettings;
use neurogauge_core::{Group, ObservationKind};
use neurogauge_metrics::{Compute, Metric};
use neurogauge_models::{
    ImagePreset, LayerRequest, LocalImageModel, LpipsHeads, PLACEHOLDER_IMAGE_MODEL, model_of_family,
};

/// Layers of the placeholder that stand for early and late layers.
const PLACEHOLDER_LAYERS: (&str, &str) = ("grid16", "grid4");

/// The suffix of the names of matrices whose images are prepared as for SEED.
const SEEDS_WAY: &str = ".official";

impl PerceptionOptions {
    pub(crate) fn of_seed(&self) -> ImagePreset {
        self.seed.unwrap_or(self.preset)
    }

    /// The layer of a matrix, from its name; how its images are prepared; and the suffix that distinguishes it from
    /// other matrices of the layer.
    pub(crate) fn prepared<'a>(&self, features: &'a str) -> (&'a str, ImagePreset, Option<&'static str>) {
        match features.strip_suffix(SEEDS_WAY) {
            Some(layer) => (layer, self.of_seed(), Some(&SEEDS_WAY[1..])),
            None => (features, self.preset, None),
        }
    }
}

/// The basis of decisions: the request, the existing inputs, and the models on this machine.
pub(crate) struct Decider<'a, 'm> {
    pub(super) request: &'a ScoreRequest,
    pub(super) settings: &'a RunSettings,
    pub(super) located: &'a Located,
    models: &'a mut Models<'m>,
    lpips_heads: Vec<LpipsHeads>,
    pub(super) graph_tools: GraphTools,
    /// Is a metric left out if its text encoder has no weights on this machine?
    pub(super) leaves_out: bool,
}

impl<'a, 'm> Decider<'a, 'm> {
    pub(crate) fn of(
        request: &'a ScoreRequest,
        settings: &'a RunSettings,
        located: &'a Located,
        models: &'a mut Models<'m>,
    ) -> Result<Self, Error> {
        Ok(Decider {
            request,
            settings,
            located,
            models,
            lpips_heads: lpips::open_heads(&request.models.lpips_heads)?,
            graph_tools: GraphTools::find(request, located.has(ObservationKind::Captions))?,
            leaves_out: request.metrics.is_none(),
        })
    }

    /// Decides for a metric, given the metrics selected `before`. If it was requested by name, missing weights are
    /// downloaded if allowed. If its text encoder has no weights here, the values in SEED's layout are taken, if any.
    pub(super) fn decide(
        &mut self,
        metric: &Metric,
        before: &[Selected],
        was_asked_for: bool,
    ) -> Result<MetricSource, Error> {
        let Some(source) = self.given(metric, before) else {
            let made = self.made(metric, was_asked_for)?;
            return Ok(made.unwrap_or_else(|| MetricSource::Lacking(needs(metric, self.located, &self.graph_tools))));
        };
        let unavailable = match source {
            MetricSource::Compared => self.unavailable_encoder(metric)?,
            _ => None,
        };
        Ok(match unavailable.map(str::to_owned) {
            None => source,
            Some(encoder) if self.takes_recorded(metric) => MetricSource::Recorded(Some(encoder)),
            Some(encoder) => MetricSource::WithoutWeights(encoder),
        })
    }

    /// The source of a metric that needs no more image models, if there is one.
    pub(super) fn given(&self, metric: &Metric, before: &[Selected]) -> Option<MetricSource> {
        let is_compared = match metric.compute {
            // Images alone are not enough.
            Compute::Perceptual { .. } => false,
            Compute::Scores { from, .. } => from.iter().all(|part| before.iter().any(|s| s.metric.spec.id == *part)),
            compute if !compute.features().is_empty() => {
                return self.given_features(metric).or_else(|| self.recorded(metric));
            }
            _ => self.has_kind(metric) && lacking_tool(metric, &self.graph_tools).is_none(),
        };
        match is_compared {
            true => Some(MetricSource::Compared),
            false => self.recorded(metric),
        }
    }

    fn has_kind(&self, metric: &Metric) -> bool {
        metric.compute.kind().is_some_and(|kind| self.located.has(kind))
    }

    fn given_features(&self, metric: &Metric) -> Option<MetricSource> {
        let of_pool = match &self.located.pool {
            Some(PoolInput::Features { models, .. }) => &models[..],
            _ => &[],
        };
        let has = |held: &[String], model: &str| held.iter().any(|name| name == model);
        let found = metric.compute.features().iter().find(|model| {
            let is_of_pool = !metric.compute.needs_pool() || has(of_pool, model);
            has(&self.located.feature_models, model) && is_of_pool
        })?;
        let has_texts = metric.compute.texts_of_images().is_none() || self.has_kind(metric);
        has_texts.then(|| MetricSource::Features((*found).to_owned(), None))
    }

    /// The values of a metric in SEED's layout, if it has them.
    pub(super) fn recorded(&self, metric: &Metric) -> Option<MetricSource> {
        let (_, layout) = self.located.official.as_ref()?;
        recorded(layout, metric.spec.id).map(|_| MetricSource::Recorded(None))
    }

    /// How a metric's inputs can be made from the images; `None` if no known model makes them.
    pub(super) fn made(&mut self, metric: &Metric, was_asked_for: bool) -> Result<Option<MetricSource>, Error> {
        let lacks_texts = metric.compute.texts_of_images().is_some() && !self.has_kind(metric);
        if lacks_texts || !self.located.has(ObservationKind::Images) {
            return Ok(None);
        }
        if let Compute::Perceptual { model } = metric.compute {
            let Some(heads) = self.lpips_heads.iter().find(|heads| heads.net().metric() == model) else {
                return Ok(None);
            };
            let recipe = lpips::recipe(heads, self.models, was_asked_for)?;
            let without = || MetricSource::WithoutWeights(heads.net().backbone().to_owned());
            return Ok(Some(recipe.map_or_else(without, MetricSource::Network)));
        }
        let Some(features) = metric.compute.features().first() else {
            return Ok(None);
        };
        let group = metric.spec.group;
        match &self.located.pool {
            _ if !metric.compute.needs_pool() => {}
            None => return Ok(None),
            Some(PoolInput::Images(_)) => {}
            Some(PoolInput::Features { models, .. }) => {
                // The features are not worth a download unless the pool has them too.
                let is_held = match self.features(features, group, false)? {
                    Some(MetricSource::Features(name, _)) => models.contains(&name),
                    _ => models.iter().any(|model| model == features),
                };
                if !is_held {
                    return Ok(None);
                }
            }
        }
        // Metrics of the registry name only existing layers.
        if metric.spec.id.contains(':')
            && was_asked_for
            && let Some((model, layer)) = features.split_once('.')
        {
            self.models.check_layers(model, &[LayerRequest::named(model, layer)])?;
        }
        self.features(features, group, was_asked_for)
    }

    /// How features named `<model>.<layer>` (such as `efficientnet_b1.avgpool`) can be made for a metric of this group.
    fn features(&mut self, features: &str, group: Group, was_asked_for: bool) -> Result<Option<MetricSource>, Error> {
        let options = self.request.perception;
        let (features, preset, variant) = options.prepared(features);
        let Some((model, layer)) = features.split_once('.') else {
            return Ok(None);
        };
        let (model, layer) = match group {
            Group::LowLevel if options.stand_in => (PLACEHOLDER_IMAGE_MODEL, PLACEHOLDER_LAYERS.0),
            _ if options.stand_in => (PLACEHOLDER_IMAGE_MODEL, PLACEHOLDER_LAYERS.1),
            _ => (model_of_family(model), layer),
        };
        if !LocalImageModel::knows(model) {
            return Ok(None);
        }
        let Some(found) = self.models.find(model, was_asked_for)? else {
            return Ok(Some(MetricSource::WithoutWeights(model.to_owned())));
        };
        let identity = found.identity().clone();
        let LayerRequest { layer, pooling } = LayerRequest::named(model, layer);
        let recipe = FeatureRecipe {
            preprocessing: preset.for_model(&identity.id).preprocessing(&identity.id, options.antialias)?,
            variant: variant.map(str::to_owned),
            device: self.models.device_of(&identity),
            model: identity,
            layer,
            pooling,
        };
        Ok(Some(MetricSource::Features(recipe.name(), Some(recipe))))
    }
}
