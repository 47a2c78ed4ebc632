//! The content of `run.json` before anything is computed.

use super::choose::{encoder_of_images, encoders_of, models_in_order};
use crate::Error;
use crate::compute::Items;
use crate::dataset::Dataset;
use crate::execute::{Step, StepOutcome, StepOutput, outputs_of};
use crate::lpips::LpipsRecipe;
use crate::progress::Progress;
use crate::protocol::Protocol;
use crate::request::ScoreRequest;
use crate::results::Provenance;
use crate::run_record::{MetricRecord, PartsRecord, RecordedStep, RunPlan, RunRecord, SCHEMA, StepPart};
use crate::selection::{MetricSource, Selected, Selection};
use crate::settings::RunSettings;
use neurogauge_core::{ByKind, LabelList, ObservationKind};
use neurogauge_formats::image_limit::{DEFAULT_MAX_PIXELS, max_pixels};
use neurogauge_metrics::Compute;
use neurogauge_models::DeviceChoice;

pub(super) fn record(
    request: &ScoreRequest,
    selection: &Selection,
    observers: &[Box<dyn Step + '_>],
    (dataset, items): (&Dataset, Option<&Items>),
    labels: &LabelList,
    settings: &RunSettings,
    progress: &dyn Progress,
) -> Result<RunRecord, Error> {
    let comparing = encoders_of(request, selection, settings, progress)?;
    let of_lpips = selection.lpips.iter().flat_map(LpipsRecipe::identities);
    let of_images = encoder_of_images(request, selection, settings, progress)?;
    let others = of_lpips.cloned().chain(of_images.clone());
    let models = models_in_order(observers, &comparing, others);
    let steps = steps(observers, dataset)?;
    let placeholders = Placeholders::of(dataset, &steps);
    let mut metrics: Vec<MetricRecord> = Vec::new();
    for selected in &selection.metrics {
        let spec = &selected.metric.spec;
        let of_graphs_here = match selected.metric.compute {
            Compute::SceneGraphs(_) => selection.graph_tools.conventions(),
            _ => Vec::new(),
        };
        let encoder = selected.metric.compute.kind().and_then(|kind| comparing[kind].as_ref());
        let is_compared = selected.source == MetricSource::Compared;
        let encoder = match selected.metric.compute.texts_of_images() {
            Some(_) => of_images.as_ref(),
            None => encoder.filter(|_| is_compared),
        };
        let by_placeholder = encoder.is_some_and(|encoder| encoder.stand_in);
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
            conventions: spec.conventions.iter().chain(&of_graphs_here).map(|id| (*id).to_owned()).collect(),
        });
    }
    let ids = items.map_or(&dataset.stems, |items| &items.stems);
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
        metrics,
        n_pairs: dataset.stems.len(),
        parts: items.map(|items| PartsRecord {
            axes: dataset.axes.clone(),
            n_items: items.stems.len(),
        }),
        protocol: Protocol::of(ids, &dataset.inputs).map(|(_, found)| found),
        fingerprint: String::new(),
        pools: Vec::new(),
        repeated_stimuli: Vec::new(),
        clusters: None,
        null_levels: std::collections::BTreeMap::new(),
        unreadable: Vec::new(),
        findings: Vec::new(),
        max_pixels: Some(max_pixels()).filter(|n| *n != DEFAULT_MAX_PIXELS),
        outputs: std::collections::BTreeMap::new(),
        plan: RunPlan {
            steps,
            left_out: selection.left_out.clone(),
        },
    };
    record.fingerprint = record.compute_fingerprint();
    Ok(record)
}

/// The steps of observers, before they run.
fn steps(observers: &[Box<dyn Step + '_>], dataset: &Dataset) -> Result<Vec<RecordedStep>, Error> {
    let outputs = outputs_of(observers, dataset).into_iter();
    let steps = observers.iter().zip(outputs).map(|(observer, outputs)| {
        let part = |output: StepOutput| {
            Ok(StepPart {
                n_items: observer.n_items(&output, dataset)?,
                output,
                n_cached: None,
            })
        };
        Ok(RecordedStep {
            parts: outputs.into_iter().map(part).collect::<Result<_, Error>>()?,
            model: observer.model().clone(),
            recipe: observer.recipe()?,
            outcome: StepOutcome::default(),
        })
    });
    steps.collect()
}

/// The kinds of observations that are placeholders, made by one or made from one.
pub(crate) fn stand_in_kinds(dataset: &Dataset, steps: &[RecordedStep]) -> Vec<ObservationKind> {
    let kinds = Placeholders::of(dataset, steps).kinds;
    let all = ObservationKind::ALL.into_iter();
    all.filter(|kind| kinds[*kind]).collect()
}

/// For each kind, whether it is a placeholder, made by one or made from one.
struct Placeholders<'a> {
    dataset: &'a Dataset,
    steps: &'a [RecordedStep],
    kinds: ByKind<bool>,
}

impl<'a> Placeholders<'a> {
    fn of(dataset: &'a Dataset, steps: &'a [RecordedStep]) -> Self {
        let mut kinds = ByKind::from_fn(|kind| dataset.is_stand_in(kind.id()));
        // Each step follows the steps that make its inputs.
        for step in steps.iter().filter(|step| step.makes() != ObservationKind::Features) {
            let mut read = step.parts.iter().flat_map(|part| &part.output.reads);
            kinds[step.makes()] |= step.model.stand_in || read.any(|role| kinds[role.kind]);
        }
        Placeholders { dataset, steps, kinds }
    }

    /// Does a metric use a placeholder?
    fn are_under(&self, selected: &Selected, before: &[MetricRecord]) -> bool {
        match (&selected.source, &selected.metric.compute) {
            (MetricSource::Recorded(_), _) => {
                let id = selected.metric.spec.id;
                self.dataset.is_stand_in(&format!("recorded/{id}"))
            }
            (MetricSource::Features(name), _) => {
                let writes = |part: &StepPart| part.output.features.as_ref() == Some(name);
                let mut steps = self.steps.iter();
                match steps.find(|step| step.parts.iter().any(writes)) {
                    Some(step) => step.model.stand_in || self.kinds[ObservationKind::Images],
                    None => self.dataset.is_stand_in(&format!("features/{name}")),
                }
            }
            (_, Compute::Scores { from, .. }) => {
                before.iter().any(|record| record.stand_in && from.contains(&record.id.as_str()))
            }
            (_, compute) => compute.kind().is_some_and(|kind| self.kinds[kind]),
        }
    }
}

/// The device of image models, if any runs; placeholders run on the CPU.
fn device(selection: &Selection) -> Option<DeviceChoice> {
    let features = selection.perceived.iter().map(|recipe| recipe.device);
    let devices = features.chain(selection.lpips.iter().map(|plan| plan.device));
    devices.max_by_key(|&device| device != DeviceChoice::Cpu)
}
