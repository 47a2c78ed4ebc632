//! Which metrics a run computes, and what each is computed from.

use crate::Error;
use crate::locate::Located;
use crate::lpips::{self, LpipsPlan};
use crate::perceive::{FeatureRecipe, Perceivable, Plan};
use crate::pool_input::PoolInput;
use crate::scene_graph_tools::GraphTools;
use neurogauge_formats::official_layout::{self, OfficialLayout};
use neurogauge_metrics::{Compute, LISTS, METRICS, Metric, find, list};
use neurogauge_models::LocalImageModel;

/// Where the values of a metric come from.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Origin {
    /// Compared here.
    Computed,
    /// From the feature matrices of this name, given or perceived.
    Features(String),
    /// Per-pair values that SEED's layout already holds.
    Imported,
}

#[derive(Debug, Clone)]
pub(crate) struct Selected {
    pub(crate) metric: &'static Metric,
    pub(crate) origin: Origin,
}

pub(crate) struct Selection {
    /// In registry order, parts before composites.
    pub(crate) metrics: Vec<Selected>,
    /// Feature matrices that are made of the images first.
    pub(crate) perceived: Vec<FeatureRecipe>,
    /// Networks that compare the images of each pair.
    pub(crate) lpips: Vec<LpipsPlan>,
    /// What scene graphs are compared with.
    pub(crate) graph_tools: GraphTools,
    /// Metrics left out because an input is missing.
    pub(crate) skipped: Vec<&'static str>,
    /// Metrics left out because the weights of a model are missing, with the model.
    pub(crate) without_weights: Vec<(&'static str, String)>,
}

impl Selection {
    /// Does a metric compare captions here?
    pub(crate) fn compares_captions(&self) -> bool {
        self.metrics.iter().any(|selected| {
            selected.origin == Origin::Computed
                && matches!(selected.metric.compute, Compute::Captions(_))
        })
    }

    /// Are scene graphs compared here?
    pub(crate) fn compares_graphs(&self) -> bool {
        let mut selected = self.metrics.iter();
        selected.any(|s| matches!(s.metric.compute, Compute::SceneGraphs(_)))
    }

    /// Does anything need captions: a metric of theirs, a parser, the filter of nouns?
    pub(crate) fn needs_captions(&self) -> bool {
        self.compares_captions() || (self.graph_tools.needs_captions() && self.compares_graphs())
    }

    /// Does a metric compare detections here?
    pub(crate) fn compares_detections(&self) -> bool {
        self.metrics.iter().any(|selected| {
            selected.origin == Origin::Computed
                && matches!(selected.metric.compute, Compute::Detections(_))
        })
    }

    /// A sentence on what was left out, and one on which weights would bring it in.
    pub(crate) fn skipped_notes(&self) -> Vec<String> {
        let mut notes = Vec::new();
        if !self.skipped.is_empty() {
            notes.push(format!(
                "left out: {}; --metrics NAME says what a metric needs",
                self.skipped.join(", ")
            ));
        }
        if !self.without_weights.is_empty() {
            let metrics: Vec<&str> = self.without_weights.iter().map(|(id, _)| *id).collect();
            let mut models: Vec<&str> = Vec::new();
            for (_, model) in &self.without_weights {
                if !models.contains(&model.as_str()) {
                    models.push(model);
                }
            }
            notes.push(format!(
                "left out, for want of weights on this machine: {}; `neurogauge models fetch MODEL` \
                 gets them (MODEL: {}), and so does asking for a metric by name with --metrics",
                metrics.join(", "),
                models.join(", ")
            ));
        }
        notes
    }

    /// How the features are made that pairs are told from a pool by.
    pub(crate) fn perceived_of_pool(&self) -> Vec<FeatureRecipe> {
        let is_of_pool = |recipe: &&FeatureRecipe| {
            let origin = Origin::Features(recipe.name());
            let mut metrics = self.metrics.iter();
            metrics.any(|s| s.metric.compute.needs_pool() && s.origin == origin)
        };
        self.perceived.iter().filter(is_of_pool).cloned().collect()
    }

    /// How a feature matrix is made of the images, if it is.
    pub(crate) fn recipe(&self, features: &str) -> Option<&FeatureRecipe> {
        self.perceived
            .iter()
            .find(|recipe| recipe.name() == features)
    }
}

/// The metrics asked for (and the parts of composites), or all that the inputs allow.
pub(crate) fn select(
    asked: Option<&[String]>,
    located: &Located,
    perceivable: &mut Perceivable<'_, '_>,
    graph_tools: GraphTools,
) -> Result<Selection, Error> {
    let wanted = wanted(asked)?;
    refuse_lacking(&wanted, located, perceivable, &graph_tools)?;
    let beside = companions(|metric| wanted.contains(&metric.spec.id));
    let all_companions = companions(|_| true);
    let mut selection = Selection {
        metrics: Vec::new(),
        perceived: Vec::new(),
        lpips: Vec::new(),
        graph_tools,
        skipped: Vec::new(),
        without_weights: Vec::new(),
    };
    for metric in METRICS {
        let id = metric.spec.id;
        let is_wanted = wanted.contains(&id);
        if asked.is_some() && !is_wanted && !beside.contains(&id) {
            continue;
        }
        if let Some(origin) = origin(metric, located, &selection.metrics, &selection.graph_tools) {
            selection.metrics.push(Selected { metric, origin });
            continue;
        }
        match plan(metric, located, perceivable, is_wanted)? {
            Plan::WithoutWeights(model) => selection.without_weights.push((id, model)),
            Plan::Ready(recipe) => {
                let origin = Origin::Features(recipe.name());
                selection.metrics.push(Selected { metric, origin });
                if !selection.perceived.contains(&recipe) {
                    selection.perceived.push(recipe);
                }
            }
            Plan::Lpips(plan) => {
                let origin = Origin::Computed;
                selection.metrics.push(Selected { metric, origin });
                selection.lpips.push(plan);
            }
            Plan::Unknown if is_wanted => {
                let needs = needs(metric, located, &selection.graph_tools);
                return Err(Error::Usage(format!("{id} needs {needs}")));
            }
            // A note on BASIC-L says enough of its levels.
            Plan::Unknown if matches!(metric.compute, Compute::Masks(_)) => {}
            // One on Object F1 does of its variant.
            Plan::Unknown if matches!(metric.compute, Compute::CategoryNames(_)) => {}
            // A note on the metric they stand beside says enough.
            Plan::Unknown if all_companions.contains(&id) => {}
            // So does one on BASIC-H.
            Plan::Unknown if matches!(metric.compute, Compute::SceneGraphs(_)) => {}
            Plan::Unknown => selection.skipped.push(id),
        }
    }
    if selection.metrics.is_empty() {
        return Err(Error::Usage(
            "nothing to score: give --gt and --recon (images), --observations, or captions, \
             detections or features of both sides"
                .into(),
        ));
    }
    refuse_idle_pool(&selection, located)?;
    Ok(selection)
}

/// Ids of the metrics that are asked for by name, of parts of composites too.
pub(crate) fn wanted(asked: Option<&[String]>) -> Result<Vec<&'static str>, Error> {
    let mut wanted = Vec::new();
    for name in asked.into_iter().flatten() {
        match list(name) {
            Some(ids) => ids
                .iter()
                .filter_map(|id| find(id))
                .for_each(|metric| want(metric, &mut wanted)),
            None => want(known(name)?, &mut wanted),
        }
    }
    Ok(wanted)
}

/// An error if a metric that was asked for lacks an input that no model can make up for: better said
/// before weights are looked for, let alone downloaded.
fn refuse_lacking(
    wanted: &[&str],
    located: &Located,
    perceivable: &mut Perceivable<'_, '_>,
    graph_tools: &GraphTools,
) -> Result<(), Error> {
    for metric in METRICS.iter().filter(|m| wanted.contains(&m.spec.id)) {
        let is_composite = matches!(metric.compute, Compute::Scores { .. });
        if !is_composite
            && origin(metric, located, &[], graph_tools).is_none()
            && matches!(plan(metric, located, perceivable, false)?, Plan::Unknown)
        {
            let (id, needs) = (metric.spec.id, needs(metric, located, graph_tools));
            return Err(Error::Usage(format!("{id} needs {needs}")));
        }
    }
    Ok(())
}

/// The metrics that stand beside those that `of` picks.
fn companions(of: impl Fn(&Metric) -> bool) -> Vec<&'static str> {
    let picked = METRICS.iter().filter(|metric| of(metric));
    let beside = picked.map(|metric| match metric.compute {
        Compute::Identification { beside, .. } => beside,
        _ => &[],
    });
    beside.flatten().copied().collect()
}

/// An error if there is a pool that nothing is told from.
fn refuse_idle_pool(selection: &Selection, located: &Located) -> Result<(), Error> {
    let mut selected = selection.metrics.iter();
    let is_used = selected.any(|selected| selected.metric.compute.needs_pool());
    match &located.pool {
        Some(PoolInput::Features { folder, models }) if !is_used => Err(Error::Usage(format!(
            "--pool {}: nothing is told from it; it has the features {}, and identification needs \
             a file of the same name there and in the features folders of both sides, such as \
             clip.npy",
            folder.display(),
            models.join(", ")
        ))),
        Some(PoolInput::Images(path)) if !is_used => Err(Error::Usage(format!(
            "--pool {}: nothing is told from these images; they are looked at by the models that \
             look at the images of both sides (--gt, --recon) for alexnet2, alexnet5, inception or \
             clip, whose weights must be here, and not where features of the pairs are given",
            path.display()
        ))),
        _ => Ok(()),
    }
}

fn known(id: &str) -> Result<&'static Metric, Error> {
    find(id).ok_or_else(|| {
        let lists = LISTS.iter().map(|(name, _)| *name);
        let ids = METRICS.iter().map(|metric| metric.spec.id);
        let ids: Vec<&str> = ids.chain(lists).collect();
        Error::Usage(format!(
            "--metrics: no metric is called {id:?}; known: {}",
            ids.join(", ")
        ))
    })
}

fn want(metric: &'static Metric, wanted: &mut Vec<&'static str>) {
    if let Compute::Scores { from, .. } = metric.compute {
        for part in from.iter().filter_map(|part| find(part)) {
            want(part, wanted);
        }
    }
    if !wanted.contains(&metric.spec.id) {
        wanted.push(metric.spec.id);
    }
}

fn origin(
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

/// Names of the feature matrices that a metric can be computed from, the preferred one first.
fn feature_names(compute: &Compute) -> &'static [&'static str] {
    match compute {
        Compute::Features { models, .. } | Compute::Identification { models, .. } => models,
        _ => &[],
    }
}

/// How what a metric compares can be made of the images.
fn plan(
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

fn needs(metric: &Metric, located: &Located, graph_tools: &GraphTools) -> String {
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_notes_say_what_is_missing_and_how_to_get_it() {
        let model = |id: &str| id.to_owned();
        let selection = Selection {
            metrics: Vec::new(),
            perceived: Vec::new(),
            lpips: Vec::new(),
            graph_tools: GraphTools::default(),
            skipped: vec!["cap_sim"],
            without_weights: vec![
                ("alexnet2", model("alexnet")),
                ("alexnet5", model("alexnet")),
                ("effnet", model("efficientnet_b1")),
            ],
        };
        let [skipped, without_weights] = &selection.skipped_notes()[..] else {
            panic!("two notes");
        };
        assert!(skipped.starts_with("left out: cap_sim;"), "{skipped}");
        for part in [
            "alexnet2, alexnet5, effnet",
            "neurogauge models fetch",
            "(MODEL: alexnet, efficientnet_b1)",
        ] {
            assert!(without_weights.contains(part), "{without_weights}");
        }
    }
}
