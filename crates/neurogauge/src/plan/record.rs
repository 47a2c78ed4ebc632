//! What `run.json` says about a run before anything is computed.

use super::resolve::RunObservers;
use crate::Error;
use crate::dataset::Dataset;
use crate::lpips::LpipsRecipe;
use crate::observers::served::AskedRecord;
use crate::observers::{Observer, text_embeddings};
use crate::progress::Progress;
use crate::request::ScoreRequest;
use crate::results::Provenance;
use crate::run_record::{MetricRecord, RunPlan, RunRecord, SCHEMA, Step};
use crate::selection::{MetricSource, Selected, Selection};
use crate::settings::RunSettings;
use neurogauge_core::{ByKind, Holder, LabelList, ModelIdentity, ObservationKind, Role, Side};
use neurogauge_formats::image_limit::{DEFAULT_MAX_PIXELS, max_pixels};
use neurogauge_metrics::Compute;
use neurogauge_models::DeviceChoice;
use serde::Serialize;
use std::collections::BTreeSet;

pub(super) fn record(
    request: &ScoreRequest,
    selection: &Selection,
    observers: &RunObservers<'_>,
    dataset: &Dataset,
    labels: &LabelList,
    settings: &RunSettings,
    progress: &dyn Progress,
) -> Result<RunRecord, Error> {
    let identity = |encoder: &str| text_embeddings::identity(encoder, settings, progress);
    let compares_phrases = request.options.basic_h.needs_embeddings()
        && selection.compares(ObservationKind::SceneGraphs);
    let encoders = ByKind::from_fn(|kind| match kind {
        ObservationKind::Captions if selection.compares(kind) => Some(&request.text_encoder),
        ObservationKind::SceneGraphs if compares_phrases => Some(&request.phrase_encoder),
        _ => None,
    });
    let mut comparing = ByKind::<Option<ModelIdentity>>::default();
    for (kind, encoder) in encoders.iter() {
        comparing[kind] = encoder.map(|encoder| identity(encoder)).transpose()?;
    }
    let RunObservers {
        asked,
        captioner,
        detector,
        segmenter,
        parser,
        ..
    } = observers;
    let captioned = captioner
        .as_ref()
        .map(|captioner| captioner.recipe().clone());
    let detected = detector.as_ref().map(|detector| detector.recipe().clone());
    let segmented = segmenter.as_ref().map(|models| models.recipe().clone());
    let parsed = parser.as_ref().map(|parser| parser.recipe().clone());
    let mut steps = Steps {
        dataset,
        steps: Vec::new(),
    };
    let asked = asked.iter().map(|observer| AskedRecord {
        recipe: observer.recipe().clone(),
        answered_by: BTreeSet::new(),
        n_cut_off: 0,
        failed: Vec::new(),
    });
    let asked: Vec<AskedRecord> = asked.collect();
    for AskedRecord { recipe, .. } in &asked {
        steps.of_sides(recipe.makes, &recipe.model, recipe)?;
    }
    if let Some(recipe) = &captioned {
        steps.of_sides(ObservationKind::Captions, &recipe.model, recipe)?;
    }
    if let Some(recipe) = &detected {
        steps.of_sides(ObservationKind::Detections, &recipe.model, recipe)?;
    }
    if let Some(recipe) = &segmented {
        steps.of_sides(ObservationKind::Masks, &recipe.model, recipe)?;
    }
    if let Some(recipe) = &parsed {
        steps.of_sides(ObservationKind::SceneGraphs, &recipe.model, recipe)?;
    }
    let of_pool = selection.perceived_of_pool();
    for recipe in &selection.perceived {
        let of = |of: Holder| (of, ObservationKind::Features, Some(recipe.name()));
        for side in Side::BOTH {
            steps.push(of(side.into()), &recipe.model, recipe)?;
        }
        if dataset.pool_images.is_some() && of_pool.contains(recipe) {
            steps.push(of(Holder::Pool), &recipe.model, recipe)?;
        }
    }
    let steps = steps.steps;

    // A model is named once, in the order in which captions, boxes, masks, graphs, phrases and features need it.
    let of_lpips = selection.lpips.iter().flat_map(LpipsRecipe::identities);
    let of_features = selection.perceived.iter().map(|recipe| &recipe.model);
    let in_order = asked.iter().map(|asked| &asked.recipe.model);
    let in_order = in_order.chain(captioned.iter().map(|recipe| &recipe.model));
    let in_order = in_order
        .chain(&comparing[ObservationKind::Captions])
        .chain(detected.iter().map(|recipe| &recipe.model))
        .chain(
            segmented
                .iter()
                .flat_map(|recipe| [&recipe.detector, &recipe.model]),
        )
        .chain(parsed.iter().map(|recipe| &recipe.model))
        .chain(&comparing[ObservationKind::SceneGraphs]);
    let mut models: Vec<ModelIdentity> = Vec::new();
    for model in in_order.chain(of_features).chain(of_lpips) {
        if !models.contains(model) {
            models.push(model.clone());
        }
    }
    let placeholders = Placeholders::of(dataset, &steps);
    let mut metrics: Vec<MetricRecord> = Vec::new();
    for selected in &selection.metrics {
        let spec = &selected.metric.spec;
        let of_graphs_here = match selected.metric.compute {
            Compute::SceneGraphs(_) => selection.graph_tools.conventions(),
            _ => Vec::new(),
        };
        let encoder = selected
            .metric
            .compute
            .kind()
            .and_then(|kind| comparing[kind].as_ref());
        let by_placeholder = selected.source == MetricSource::Compared
            && encoder.is_some_and(|encoder| encoder.stand_in);
        metrics.push(MetricRecord {
            id: spec.id.to_owned(),
            origin: match &selected.source {
                MetricSource::Compared => "computed".to_owned(),
                MetricSource::Recorded(_) => "imported".to_owned(),
                MetricSource::Features(name) if selection.recipe(name).is_some() => {
                    format!("perceived/{name}")
                }
                MetricSource::Features(name) => format!("features/{name}"),
            },
            stand_in: by_placeholder || placeholders.are_under(selected, &metrics),
            conventions: spec
                .conventions
                .iter()
                .chain(&of_graphs_here)
                .map(|id| (*id).to_owned())
                .collect(),
        });
    }
    let mut record = RunRecord {
        provenance: Provenance {
            inputs: dataset.inputs.clone(),
            ..Provenance::new(SCHEMA, "score", Some(request.bootstrap.seed.0))
        },
        complete: false,
        request: request.clone(),
        label_names: labels.names().to_vec(),
        label_groups: labels.groups().clone(),
        models,
        device: device(selection),
        perceived: selection.perceived.clone(),
        without_features: Vec::new(),
        asked,
        captioned,
        uncaptioned: Vec::new(),
        detected,
        undetected: Vec::new(),
        segmented,
        unsegmented: Vec::new(),
        parsed,
        unparsed: Vec::new(),
        metrics,
        n_pairs: dataset.stems.len(),
        fingerprint: String::new(),
        pools: Vec::new(),
        repeated_stimuli: Vec::new(),
        warnings: Vec::new(),
        max_pixels: Some(max_pixels()).filter(|n| *n != DEFAULT_MAX_PIXELS),
        outputs: std::collections::BTreeMap::new(),
        plan: Some(RunPlan {
            steps,
            left_out: selection.left_out.clone(),
        }),
    };
    record.fingerprint = record.compute_fingerprint();
    Ok(record)
}

/// The steps of a plan, one after the other.
struct Steps<'a> {
    dataset: &'a Dataset,
    steps: Vec<Step>,
}

impl Steps<'_> {
    fn of_sides(
        &mut self,
        kind: ObservationKind,
        model: &ModelIdentity,
        recipe: &impl Serialize,
    ) -> Result<(), Error> {
        let mut sides = kind.sides().iter();
        sides.try_for_each(|side| self.push(((*side).into(), kind, None), model, recipe))
    }

    fn push(
        &mut self,
        (of, kind, features): (Holder, ObservationKind, Option<String>),
        model: &ModelIdentity,
        recipe: &impl Serialize,
    ) -> Result<(), Error> {
        let reads = Role::new(of, kind.made_of().unwrap_or(kind));
        // What is made here is of the same items as what it is made of.
        let input = self.dataset.input(reads);
        let input = input.filter(|input| !input.items.iter().any(|(stem, _)| stem.is_empty()));
        let n_items = input.map_or(self.dataset.stems.len(), |input| input.items.len());
        let recipe = serde_json::to_value(recipe).map_err(|error| {
            Error::Usage(format!(
                "{}: its recipe cannot be written: {error}",
                model.id
            ))
        })?;
        self.steps.push(Step {
            reads,
            writes: Role::new(of, kind),
            features,
            model: model.clone(),
            recipe,
            n_items,
            n_known: None,
        });
        Ok(())
    }
}

/// What only shows that the pipeline runs: of each kind, whether it is a placeholder, made by one or made of one.
struct Placeholders<'a> {
    dataset: &'a Dataset,
    steps: &'a [Step],
    kinds: ByKind<bool>,
}

impl<'a> Placeholders<'a> {
    fn of(dataset: &'a Dataset, steps: &'a [Step]) -> Self {
        let mut kinds = ByKind::from_fn(|kind| dataset.is_stand_in(kind.id()));
        for step in steps.iter().filter(|step| step.features.is_none()) {
            let (from, to) = (step.reads.kind, step.writes.kind);
            kinds[to] |= step.model.stand_in || kinds[from];
        }
        Placeholders {
            dataset,
            steps,
            kinds,
        }
    }

    /// Does a metric rest on a placeholder?
    fn are_under(&self, selected: &Selected, before: &[MetricRecord]) -> bool {
        match (&selected.source, &selected.metric.compute) {
            (MetricSource::Recorded(_), _) => {
                let id = selected.metric.spec.id;
                self.dataset.is_stand_in(&format!("recorded/{id}"))
            }
            (MetricSource::Features(name), _) => {
                let mut steps = self.steps.iter();
                match steps.find(|step| step.features.as_ref() == Some(name)) {
                    Some(step) => step.model.stand_in || self.kinds[ObservationKind::Images],
                    None => self
                        .dataset
                        .is_stand_in(&format!("{}/{name}", ObservationKind::Features)),
                }
            }
            (_, Compute::Scores { from, .. }) => before
                .iter()
                .any(|record| record.stand_in && from.contains(&record.id.as_str())),
            (_, compute) => compute.kind().is_some_and(|kind| self.kinds[kind]),
        }
    }
}

/// Where image models run, if any does: placeholders among them run on the processor.
fn device(selection: &Selection) -> Option<DeviceChoice> {
    let features = selection.perceived.iter().map(|recipe| recipe.device);
    let devices = features.chain(selection.lpips.iter().map(|plan| plan.device));
    devices.max_by_key(|&device| device != DeviceChoice::Cpu)
}
