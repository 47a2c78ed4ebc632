//! Selects the metrics of a run from the request and the inputs.

use super::feature_source::{FeatureSource, Perceivable};
use super::needs::needs;
use super::seed_preprocessing::{EFFNET, EFFNET_OF_SEED, SeedPreprocessing};
use super::source::{plan, recorded_source, source};
use super::{Encoders, MetricSource, Selected, Selection};
use crate::Error;
use crate::model_weights::may_download;
use crate::observations::{Located, PoolInput};
use crate::option_names::{GT, METRICS_OPTION, OBSERVATIONS, POOL, RECON};
use crate::run_record::LeftOut;
use crate::scene_graph_tools::GraphTools;
use neurogauge_core::ObservationKind;
use neurogauge_core::option_words::option;
use neurogauge_metrics::{Compute, LISTS, METRICS, Metric, find, list};
use neurogauge_models::registry::did_you_mean;

/// The requested metrics (and the parts of composites), or all that the inputs and the weights on this machine allow.
/// If only a missing encoder of texts leaves no metric, its metrics count as requested.
pub(crate) fn select(
    asked: Option<&[String]>,
    encoders: &Encoders<'_>,
    perceivable: &mut Perceivable<'_, '_>,
    graph_tools: GraphTools,
) -> Result<Selection, Error> {
    let located = encoders.located;
    let leaves_out = asked.is_none();
    let mut selection = gather(asked, encoders, leaves_out, perceivable, graph_tools.clone())?;
    if selection.metrics.is_empty() {
        selection = gather(asked, encoders, false, perceivable, graph_tools)?;
    }
    if selection.metrics.is_empty() {
        return Err(Error::Usage(format!(
            "nothing to score: give {GT} and {RECON} (images), {OBSERVATIONS}, or captions, \
             detections or features of both sides; {} keeps the run in a folder",
            option("out", "RUN")
        )));
    }
    refuse_idle_pool(&selection, located)?;
    Ok(selection)
}

/// The metrics of a run. Metrics whose encoder has no weights here get their values from SEED's layout, if it has them;
/// otherwise they are left out if `leaves_out` is set.
fn gather(
    asked: Option<&[String]>,
    encoders: &Encoders<'_>,
    leaves_out: bool,
    perceivable: &mut Perceivable<'_, '_>,
    graph_tools: GraphTools,
) -> Result<Selection, Error> {
    let located = encoders.located;
    let takes_recorded = asked.is_none() || !may_download(encoders.settings);
    let is_recorded = |metric: &Metric| takes_recorded && recorded_source(metric, located).is_some();
    let lacking = |metric: &Metric| match leaves_out || is_recorded(metric) {
        true => encoders.lacking(metric),
        false => Ok(None),
    };
    let mut wanted = wanted(asked)?;
    let has_encoder = match find("cap_sim") {
        Some(metric) => is_recorded(metric) || lacking(metric)?.is_none(),
        None => true,
    };
    let seed_preprocessing = SeedPreprocessing::of(asked, &wanted, located, perceivable, &graph_tools, has_encoder)?;
    if seed_preprocessing == SeedPreprocessing::Beside {
        wanted.extend(asked.map(|_| EFFNET_OF_SEED));
    }
    refuse_lacking(&wanted, located, perceivable, &graph_tools)?;
    let reported_with = reported_with(|metric| wanted.contains(&metric.spec.id));
    let mut selection = Selection {
        metrics: Vec::new(),
        perceived: Vec::new(),
        has_seeds_way: seed_preprocessing != SeedPreprocessing::AsAll || wanted.contains(&EFFNET_OF_SEED),
        lpips: Vec::new(),
        graph_tools,
        left_out: Vec::new(),
        without_encoder: Vec::new(),
        implied: Vec::new(),
    };
    for metric in candidates(&wanted) {
        let id = metric.spec.id;
        let is_wanted = wanted.contains(&id);
        let is_left_out = match asked {
            Some(_) => !is_wanted && !reported_with.contains(&id),
            None => {
                let scores = ObservationKind::VqaScores;
                let is_given = located.has(scores) && metric.compute.kind() == Some(scores);
                let is_beside = id == EFFNET_OF_SEED && seed_preprocessing == SeedPreprocessing::Beside;
                metric.spec.on_request && !is_beside && !is_given
            }
        };
        if is_left_out {
            continue;
        }
        if let Some(mut source) = source(metric, located, &selection.metrics, &selection.graph_tools) {
            if source == MetricSource::Compared
                && let Some(encoder) = lacking(metric)?
            {
                selection.without_encoder.extend(metric.compute.kind());
                if !is_recorded(metric) {
                    selection.left_out.push(without_weights(id, encoder));
                    continue;
                }
                source = MetricSource::Recorded(Some(encoder.to_owned()));
            }
            selection.metrics.push(Selected { metric, source });
            continue;
        }
        match plan(metric, located, perceivable, is_wanted)? {
            FeatureSource::WithoutWeights(model) => {
                selection.left_out.push(without_weights(id, &model));
            }
            FeatureSource::Ready(mut recipe) => {
                if id == EFFNET && seed_preprocessing == SeedPreprocessing::Alone {
                    recipe = perceivable.seed_preprocessing(recipe)?;
                }
                let source = MetricSource::Features(recipe.name());
                selection.metrics.push(Selected { metric, source });
                if !selection.perceived.contains(&recipe) {
                    selection.perceived.push(recipe);
                }
            }
            FeatureSource::Lpips(plan) => {
                let source = MetricSource::Compared;
                selection.metrics.push(Selected { metric, source });
                selection.lpips.push(plan);
            }
            FeatureSource::Unknown if is_wanted => {
                let needs = needs(metric, located, &selection.graph_tools);
                return Err(Error::Usage(format!("{id} needs {needs}")));
            }
            FeatureSource::Unknown => {
                let needs = needs(metric, located, &selection.graph_tools);
                selection.left_out.push(LeftOut {
                    metric: id.to_owned(),
                    reason: format!("needs {needs}"),
                    model: None,
                });
                selection.implied.extend(is_implied(metric).then_some(id));
            }
        }
    }
    Ok(selection)
}

fn without_weights(metric: &str, model: &str) -> LeftOut {
    LeftOut {
        metric: metric.to_owned(),
        reason: format!("the weights of {model} are not on this machine"),
        model: Some(model.to_owned()),
    }
}

/// Ids of the metrics requested by name, including the parts of composites.
pub(crate) fn wanted(asked: Option<&[String]>) -> Result<Vec<&'static str>, Error> {
    let mut wanted = Vec::new();
    for metric in named(asked.unwrap_or_default())? {
        want(metric, &mut wanted);
    }
    Ok(wanted)
}

/// The metrics that these names and lists of names mean, without parts of composites.
pub(crate) fn named(names: &[String]) -> Result<Vec<&'static Metric>, Error> {
    let mut metrics = Vec::new();
    for name in names {
        match list(name) {
            Some(ids) => metrics.extend(ids.iter().filter_map(|id| find(id))),
            None => metrics.push(known(name)?),
        }
    }
    Ok(metrics)
}

fn known(id: &str) -> Result<&'static Metric, Error> {
    find(id).ok_or_else(|| Error::Usage(format!("{METRICS_OPTION}: {}", unknown_metric(id))))
}

/// The message for an unknown metric id.
pub fn unknown_metric(id: &str) -> String {
    let lists = LISTS.iter().map(|(name, _)| *name);
    let ids: Vec<&str> = METRICS.iter().map(|metric| metric.spec.id).chain(lists).collect();
    match did_you_mean(id, &ids) {
        none if none.is_empty() => format!(
            "no metric is called {id:?}; known: {}; and MODEL:LAYER for identification by a model's features",
            ids.join(", ")
        ),
        meant => format!("no metric is called {id:?}{meant}; `neurogauge metrics` lists all"),
    }
}

/// The metrics of the registry, followed by requested metrics of other models' features.
fn candidates<'a>(wanted: &'a [&'a str]) -> impl Iterator<Item = &'static Metric> + 'a {
    let others = wanted.iter().filter(|id| id.contains(':'));
    METRICS.iter().chain(others.filter_map(|id| find(id)))
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

/// Does a note on another metric (BASIC-L, BASIC-H, Object F1, or the metric it is reported with) also cover this one?
fn is_implied(metric: &Metric) -> bool {
    let of_another = [ObservationKind::Masks, ObservationKind::CategoryNames, ObservationKind::SceneGraphs];
    let is_of_another = metric.compute.kind().is_some_and(|kind| of_another.contains(&kind));
    // BASIC's parts are composites, too, and each has a separate note.
    let is_composite = |id: &&str| find(id).is_some_and(|m| matches!(m.compute, Compute::Scores { .. }));
    let is_of_composites = match metric.compute {
        Compute::Scores { from, .. } => from.iter().all(is_composite),
        _ => false,
    };
    is_of_another || is_of_composites || reported_with(|_| true).contains(&metric.spec.id)
}

/// The metrics that are reported with the metrics that `of` selects.
fn reported_with(of: impl Fn(&Metric) -> bool) -> Vec<&'static str> {
    let picked = METRICS.iter().filter(|metric| of(metric));
    let with = picked.map(|metric| match metric.compute {
        Compute::Identification { reported_with, .. } => reported_with,
        _ => &[],
    });
    with.flatten().copied().collect()
}

/// An error if a requested metric lacks an input that no model can make, before weights are searched or downloaded.
fn refuse_lacking(
    wanted: &[&str],
    located: &Located,
    perceivable: &mut Perceivable<'_, '_>,
    graph_tools: &GraphTools,
) -> Result<(), Error> {
    for metric in candidates(wanted).filter(|m| wanted.contains(&m.spec.id)) {
        let is_composite = matches!(metric.compute, Compute::Scores { .. });
        if !is_composite
            && source(metric, located, &[], graph_tools).is_none()
            && matches!(plan(metric, located, perceivable, false)?, FeatureSource::Unknown)
        {
            let (id, needs) = (metric.spec.id, needs(metric, located, graph_tools));
            return Err(Error::Usage(format!("{id} needs {needs}")));
        }
    }
    Ok(())
}

/// An error if there is a pool that no metric uses.
fn refuse_idle_pool(selection: &Selection, located: &Located) -> Result<(), Error> {
    let mut selected = selection.metrics.iter();
    let is_used = selected.any(|selected| selected.metric.compute.needs_pool());
    match &located.pool {
        Some(PoolInput::Features { folder, models }) if !is_used => Err(Error::Usage(format!(
            "{POOL} {}: no metric uses it; it has the features {}, and identification needs \
             a file of the same name there and in the features folders of both sides, such as \
             clip.npy",
            folder.display(),
            models.join(", ")
        ))),
        Some(PoolInput::Images(path)) if !is_used => Err(Error::Usage(format!(
            "{POOL} {}: no metric uses these images; they are seen by the models that \
             look at the images of both sides ({GT}, {RECON}) for alexnet2, alexnet5, inception or \
             clip, whose weights must be here, and not where features of the pairs are given",
            path.display()
        ))),
        _ => Ok(()),
    }
}
