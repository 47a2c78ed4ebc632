//! Selects the metrics of a run from the request and the inputs.

use super::Decider;
use super::seed_preprocessing::{EFFNET, EFFNET_OF_SEED, SeedPreprocessing};
use crate::Error;
use crate::foreground::refuse_without_region;
use crate::observations::{Located, PoolInput};
use crate::option_names::{GT, METRICS_OPTION, OBSERVATIONS, POOL, RECON};
use crate::run_record::LeftOut;
use crate::selected::{MetricSource, Selected, Selection, encoder_of};
use neurogauge_core::ObservationKind;
use neurogauge_core::option_words::option;
use neurogauge_metrics::{Compute, LISTS, METRICS, Metric, find, list};
use neurogauge_models::registry::did_you_mean;

impl Decider<'_, '_> {
    /// The requested metrics (and the parts of composites), or all that the inputs and the weights on this machine
    /// allow. If a missing text encoder is the only reason that no metric is left, its metrics count as requested.
    pub(crate) fn select(mut self) -> Result<Selection, Error> {
        let mut selection = self.gather()?;
        if selection.metrics.is_empty() {
            self.leaves_out = false;
            selection = self.gather()?;
        }
        if selection.metrics.is_empty() {
            return Err(Error::Usage(format!(
                "nothing to score: give {GT} and {RECON} (images), {OBSERVATIONS}, or captions, \
                 detections or features of both sides; {} keeps the run in a folder",
                option("out", "RUN")
            )));
        }
        refuse_idle_pool(&selection, self.located)?;
        refuse_without_region(&selection, self.request)?;
        Ok(selection)
    }

    /// The metrics of a run.
    fn gather(&mut self) -> Result<Selection, Error> {
        let asked = self.request.metrics.as_deref();
        let mut wanted = wanted(asked)?;
        let has_encoder = match find("cap_sim") {
            Some(metric) => self.takes_recorded(metric) || self.unavailable_encoder(metric)?.is_none(),
            None => true,
        };
        let seed_preprocessing = self.seed_preprocessing(&wanted, has_encoder)?;
        if seed_preprocessing == SeedPreprocessing::Beside {
            wanted.extend(asked.map(|_| EFFNET_OF_SEED));
        }
        self.refuse_lacking(&wanted)?;
        let mut selection = Selection {
            metrics: Vec::new(),
            has_seeds_way: seed_preprocessing != SeedPreprocessing::AsAll || wanted.contains(&EFFNET_OF_SEED),
            graph_tools: self.graph_tools.clone(),
            left_out: Vec::new(),
            without_encoder: Vec::new(),
            implied: Vec::new(),
        };
        for metric in candidates(&wanted) {
            let id = metric.spec.id;
            let is_wanted = wanted.contains(&id);
            let is_left_out = match asked {
                Some(_) => !is_wanted && !repeats_one_of(&wanted, metric),
                None => {
                    let of_pairs = metric.compute.kind().filter(|kind| kind.is_of_pairs());
                    let is_given = of_pairs.is_some_and(|kind| self.located.has(kind));
                    let is_beside = id == EFFNET_OF_SEED && seed_preprocessing == SeedPreprocessing::Beside;
                    metric.spec.on_request && !is_beside && !is_given
                }
            };
            if is_left_out {
                continue;
            }
            let mut source = self.decide(metric, &selection.metrics, is_wanted)?;
            let left_out = |reason: String, model: Option<String>| LeftOut {
                metric: id.to_owned(),
                reason,
                model,
            };
            match &mut source {
                MetricSource::Recorded(Some(_)) => selection.without_encoder.extend(metric.compute.kind()),
                MetricSource::Features(_, Some(recipe))
                    if id == EFFNET && seed_preprocessing == SeedPreprocessing::Alone =>
                {
                    let options = self.request.perception;
                    recipe.preprocessing = options.of_seed().preprocessing(&recipe.model.id, options.antialias)?;
                }
                MetricSource::WithoutWeights(model) => {
                    // Its other inputs are there if it only lacks its encoder.
                    let encodes = encoder_of(metric, self.request).is_some();
                    selection.without_encoder.extend(metric.compute.kind().filter(|_| encodes));
                    let reason = format!("the weights of {model} are not on this machine");
                    selection.left_out.push(left_out(reason, Some(std::mem::take(model))));
                    continue;
                }
                MetricSource::Lacking(needs) if is_wanted => return Err(lacking(id, needs)),
                MetricSource::Lacking(needs) => {
                    selection.left_out.push(left_out(format!("needs {needs}"), None));
                    selection.implied.extend(is_implied(metric).then_some(id));
                    continue;
                }
                _ => {}
            }
            selection.metrics.push(Selected { metric, source });
        }
        Ok(selection)
    }

    /// Fails if a requested metric lacks an input that no model can make, before weights are searched for or
    /// downloaded.
    fn refuse_lacking(&mut self, wanted: &[&str]) -> Result<(), Error> {
        for metric in candidates(wanted).filter(|m| wanted.contains(&m.spec.id)) {
            let is_composite = matches!(metric.compute, Compute::Scores { .. });
            if !is_composite && let MetricSource::Lacking(needs) = self.decide(metric, &[], false)? {
                return Err(lacking(metric.spec.id, &needs));
            }
        }
        Ok(())
    }
}

fn lacking(id: &str, needs: &str) -> Error {
    Error::Usage(format!("{id} needs {needs}"))
}

/// Ids of the metrics requested by name, including the parts of composites.
pub(crate) fn wanted(asked: Option<&[String]>) -> Result<Vec<&'static str>, Error> {
    let mut wanted = Vec::new();
    for metric in named(asked.unwrap_or_default())? {
        want(metric, &mut wanted);
    }
    Ok(wanted)
}

/// The metrics that these names and lists stand for, without parts of composites.
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

pub fn unknown_metric(id: &str) -> String {
    let lists = LISTS.iter().map(|(name, _)| *name);
    let ids: Vec<&str> = METRICS.iter().map(|metric| metric.spec.id).chain(lists).collect();
    match did_you_mean(id, &ids) {
        none if none.is_empty() => format!(
            "no metric is called {id:?}; known: {}; and MODEL:LAYER for identification by a model's features",
            ids.join(", ")
        ),
        meant => format!("no metric is called {id:?}{meant}; `neurogauge list metrics` lists all"),
    }
}

/// The metrics of the registry, followed by requested metrics of other models' features.
fn candidates<'a>(wanted: &'a [&'a str]) -> impl Iterator<Item = &'static Metric> + 'a {
    METRICS.iter().chain(wanted.iter().filter(|id| id.contains(':')).filter_map(|id| find(id)))
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

/// Does a note on another metric (BASIC-L, BASIC-H, Object F1, or identification by the same features) also cover this
/// one?
fn is_implied(metric: &Metric) -> bool {
    let of_another = [ObservationKind::Masks, ObservationKind::CategoryNames, ObservationKind::SceneGraphs];
    let is_of_another = metric.compute.kind().is_some_and(|kind| of_another.contains(&kind));
    // BASIC's parts are composites too, and each has a separate note.
    let is_composite = |id: &&str| find(id).is_some_and(|m| matches!(m.compute, Compute::Scores { .. }));
    let is_of_composites = match metric.compute {
        Compute::Scores { from, .. } => from.iter().all(is_composite),
        _ => false,
    };
    is_of_another || is_of_composites || metric.is_twin()
}

/// Is it identification among a pool that repeats a wanted identification among the pairs? It is reported with that one.
fn repeats_one_of(wanted: &[&str], metric: &Metric) -> bool {
    let is_same = |of: &Metric| {
        matches!(of.compute, Compute::Identification { .. }) && of.compute.features() == metric.compute.features()
    };
    metric.compute.needs_pool() && wanted.iter().filter_map(|id| find(id)).any(is_same)
}

/// Fails if a pool is given that no metric uses.
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
