//! The sources of a metric: given observations, or observations made from the images.

use super::feature_source::{FeatureSource, Perceivable};
use super::{MetricSource, Selected};
use crate::Error;
use crate::observations::{Located, PoolInput};
use crate::scene_graph_tools::GraphTools;
use neurogauge_core::ObservationKind;
use neurogauge_formats::official_layout::{self, OfficialLayout};
use neurogauge_metrics::{CaptionWords, Compute, Metric};
use neurogauge_models::LayerRequest;

pub(super) fn source(
    metric: &Metric,
    located: &Located,
    before: &[Selected],
    graph_tools: &GraphTools,
) -> Option<MetricSource> {
    let computed = match metric.compute {
        // Images alone do not do.
        Compute::Perceptual { .. } => false,
        Compute::Features { models, .. } | Compute::Frames { models, .. } | Compute::Identification { models, .. } => {
            let of_pool = match &located.pool {
                Some(PoolInput::Features { models, .. }) => &models[..],
                _ => &[],
            };
            let has = |held: &[String], model: &str| held.iter().any(|name| name == model);
            let found = models.iter().find(|model| {
                let is_of_pool = !metric.compute.needs_pool() || has(of_pool, model);
                has(&located.feature_models, model) && is_of_pool
            });
            if let Some(model) = found {
                return Some(MetricSource::Features((*model).to_owned()));
            }
            false
        }
        Compute::CaptionsOfImages { images, .. } => {
            let mut names = images.iter();
            let found = names.find(|name| located.feature_models.iter().any(|held| held == *name));
            let name = found.filter(|_| has_texts(metric, located))?;
            return Some(MetricSource::Features((*name).to_owned()));
        }
        Compute::Scores { from, .. } => from.iter().all(|part| before.iter().any(|s| s.metric.spec.id == *part)),
        Compute::SceneGraphs(_) if graph_tools.lacking.is_some() => false,
        Compute::CaptionWords {
            words: CaptionWords::Nltk,
            ..
        } if graph_tools.dictionary.is_none() => false,
        _ => metric.compute.kind().is_some_and(|kind| located.has(kind)),
    };
    if computed {
        return Some(MetricSource::Compared);
    }
    recorded_source(metric, located)
}

/// The values of a metric in SEED's layout, if any.
pub(super) fn recorded_source(metric: &Metric, located: &Located) -> Option<MetricSource> {
    let (_, layout) = located.official.as_ref()?;
    recorded(layout, metric.spec.id).map(|_| MetricSource::Recorded(None))
}

/// The values of a metric in SEED's layout, and their file.
pub(crate) fn recorded<'a>(layout: &'a OfficialLayout, metric: &str) -> Option<(&'static str, &'a [(String, f64)])> {
    let (file, values) = match metric {
        "object_f1" => (official_layout::OBJECT_F1, &layout.object_f1),
        "effnet" => (official_layout::EFFNET, &layout.effnet_distance),
        "cap_sim" => (official_layout::CAP_SIM, &layout.cap_sim),
        _ => return None,
    };
    Some((file, values.as_deref()?))
}

/// Are there the texts that a metric compares with images?
fn has_texts(metric: &Metric, located: &Located) -> bool {
    let kind = metric.compute.kind();
    kind.is_some_and(|kind| located.has(kind))
}

/// How a metric's inputs can be made from the images.
pub(super) fn plan(
    metric: &Metric,
    located: &Located,
    perceivable: &mut Perceivable<'_, '_>,
    was_asked_for: bool,
) -> Result<FeatureSource, Error> {
    if !located.has(ObservationKind::Images) {
        return Ok(FeatureSource::Unknown);
    }
    if metric.compute.texts_of_images().is_some() && !has_texts(metric, located) {
        return Ok(FeatureSource::Unknown);
    }
    if let Compute::Perceptual { model } = metric.compute {
        return perceivable.plan_lpips(model, was_asked_for);
    }
    let Some(features) = metric.compute.features().first() else {
        return Ok(FeatureSource::Unknown);
    };
    let group = metric.spec.group;
    if metric.compute.needs_pool() {
        match &located.pool {
            None => return Ok(FeatureSource::Unknown),
            Some(PoolInput::Images(_)) => {}
            Some(PoolInput::Features { models, .. }) => {
                // Not worth a download unless the pool has them too.
                let is_held = match perceivable.plan(features, group, false)? {
                    FeatureSource::Ready(recipe) => models.contains(&recipe.name()),
                    _ => models.iter().any(|model| model == features),
                };
                if !is_held {
                    return Ok(FeatureSource::Unknown);
                }
            }
        }
    }
    // Metrics of the registry only name existing layers.
    if metric.spec.id.contains(':')
        && was_asked_for
        && let Some((model, layer)) = features.split_once('.')
    {
        let layer = LayerRequest::named(model, layer);
        perceivable.models.check_layers(model, &[layer])?;
    }
    perceivable.plan(features, group, was_asked_for)
}
