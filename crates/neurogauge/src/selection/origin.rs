//! What a metric can be computed from, given or made of the images, and what it needs where it cannot.

use super::{Origin, Selected};
use crate::Error;
use crate::locate::Located;
use crate::lpips;
use crate::perceive::{Perceivable, Plan};
use crate::pool_input::PoolInput;
use crate::scene_graph_tools::GraphTools;
use neurogauge_formats::official_layout::{self, OfficialLayout};
use neurogauge_metrics::{Compute, Metric};
use neurogauge_models::LocalImageModel;

pub(super) fn origin(
    metric: &Metric,
    located: &Located,
    before: &[Selected],
    graph_tools: &GraphTools,
) -> Option<Origin> {
    let official = located.official.as_ref().map(|(_, layout)| layout);
    let computed = match metric.compute {
        Compute::Pixels(_) => located.images.is_some(),
        // Images alone do not do.
        Compute::Perceptual { .. } => false,
        Compute::Detections(_) => {
            located.detections.is_some()
                || located.made.detections
                || official.is_some_and(|layout| {
                    layout.gt_detections.is_some() && layout.recon_detections.is_some()
                })
        }
        Compute::CategoryNames(_) => located.category_names.is_some(),
        Compute::Masks(_) => located.masks.is_some(),
        Compute::Captions(_) => located.has_captions(),
        Compute::SceneGraphs(_) => located.has_scene_graphs() && graph_tools.lacking.is_none(),
        Compute::Features { models, .. } | Compute::Identification { models, .. } => {
            let of_pairs = located.features.as_ref().map(|(_, models)| models);
            let of_pool = match &located.pool {
                Some(PoolInput::Features { models, .. }) => Some(models),
                _ => None,
            };
            let has = |held: Option<&Vec<String>>, model: &str| {
                held.is_some_and(|held| held.iter().any(|name| name == model))
            };
            let found = models.iter().find(|model| {
                has(of_pairs, model) && (!metric.compute.needs_pool() || has(of_pool, model))
            });
            if let Some(model) = found {
                return Some(Origin::Features((*model).to_owned()));
            }
            false
        }
        Compute::Scores { from, .. } => from
            .iter()
            .all(|part| before.iter().any(|s| s.metric.spec.id == *part)),
    };
    if computed {
        return Some(Origin::Computed);
    }
    official
        .and_then(|layout| recorded(layout, metric.spec.id))
        .map(|_| Origin::Imported)
}

/// The values that SEED's layout holds for a metric, and the file they are in.
pub(crate) fn recorded<'a>(
    layout: &'a OfficialLayout,
    metric: &str,
) -> Option<(&'static str, &'a [(String, f64)])> {
    let (file, values) = match metric {
        "object_f1" => (official_layout::OBJECT_F1, &layout.object_f1),
        "effnet" => (official_layout::EFFNET, &layout.effnet_distance),
        "cap_sim" => (official_layout::CAP_SIM, &layout.cap_sim),
        _ => return None,
    };
    Some((file, values.as_deref()?))
}

/// How what a metric compares can be made of the images.
pub(super) fn plan(
    metric: &Metric,
    located: &Located,
    perceivable: &mut Perceivable<'_, '_>,
    was_asked_for: bool,
) -> Result<Plan, Error> {
    if let (Compute::Perceptual { model }, Some(_)) = (metric.compute, &located.images) {
        return perceivable.plan_lpips(model, was_asked_for);
    }
    let (Some(features), Some(_)) = (feature_names(&metric.compute).first(), &located.images)
    else {
        return Ok(Plan::Unknown);
    };
    let group = metric.spec.group;
    if metric.compute.needs_pool() {
        match &located.pool {
            None => return Ok(Plan::Unknown),
            Some(PoolInput::Images(_)) => {}
            Some(PoolInput::Features { models, .. }) => {
                // Not worth a download unless the pool has them too.
                let is_held = match perceivable.plan(features, group, false)? {
                    Plan::Ready(recipe) => models.contains(&recipe.name()),
                    _ => models.iter().any(|model| model == features),
                };
                if !is_held {
                    return Ok(Plan::Unknown);
                }
            }
        }
    }
    perceivable.plan(features, group, was_asked_for)
}

pub(super) fn needs(metric: &Metric, located: &Located, graph_tools: &GraphTools) -> String {
    let needs = metric.compute.needs();
    if let Compute::SceneGraphs(_) = metric.compute {
        return match &graph_tools.lacking {
            Some(lacking) if located.has_scene_graphs() => lacking.clone(),
            _ => format!("{needs}, or captions of both sides and --parser t5"),
        };
    }
    let of_images = |model| format!("{needs}, or images of both sides (--gt, --recon) and {model}");
    match metric.compute {
        Compute::Captions(_) => return of_images("--captioner MODEL"),
        Compute::Detections(_) => return of_images("--detector MODEL"),
        _ => {}
    }
    if let Compute::Perceptual { model } = metric.compute {
        return format!("{needs}{}", lpips::where_heads_are(model));
    }
    match feature_names(&metric.compute)
        .first()
        .and_then(|name| name.split_once('.'))
    {
        Some((model, _)) if LocalImageModel::ids().contains(&model) => {
            if metric.compute.needs_pool() {
                format!("{needs}, or images of both sides and of others (--gt, --recon, --pool)")
            } else {
                format!("{needs}, or images of both sides (--gt, --recon)")
            }
        }
        _ => needs,
    }
}

/// Names of the feature matrices that a metric can be computed from, the preferred one first.
fn feature_names(compute: &Compute) -> &'static [&'static str] {
    match compute {
        Compute::Features { models, .. } | Compute::Identification { models, .. } => models,
        _ => &[],
    }
}
