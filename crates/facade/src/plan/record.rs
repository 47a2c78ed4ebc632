//! `run.json` before anything is computed.

use super::observers::{Encoders, encoder_behind, models_in_order};
use super::opened::Opened;
use super::placeholders::Placeholders;
use crate::Error;
use crate::execute::{Step, StepInputs, StepOutcome, StepOutput, outputs_of};
use crate::protocol::Protocol;
use crate::request::ScoreRequest;
use crate::results::Provenance;
use crate::run_record::{MetricRecord, PartsRecord, RecordedStep, RunPlan, RunRecord, SCHEMA, StepPart};
use crate::selected::{MetricSource, Selection};
use neurogauge_formats::image_limit::{DEFAULT_MAX_PIXELS, max_pixels};
use neurogauge_metrics::GraphFunction;
use neurogauge_models::DeviceChoice;

pub(super) fn record(
    request: &ScoreRequest,
    selection: &Selection,
    observers: &[Box<dyn Step>],
    encoders: &Encoders,
    Opened { dataset, items }: &Opened,
) -> Result<RunRecord, Error> {
    let of_lpips = selection.networks().flat_map(|recipe| recipe.identities());
    let models = models_in_order(observers, encoders, of_lpips.cloned());
    let steps = steps(observers, dataset)?;
    let placeholders = Placeholders::of(dataset, &steps);
    let mut metrics: Vec<MetricRecord> = Vec::new();
    for selected in &selection.metrics {
        let spec = &selected.metric.spec;
        let of_graphs_here = match selected.metric.compute.function::<GraphFunction>() {
            Some(_) => selection.graph_tools.conventions(),
            None => Vec::new(),
        };
        let by_placeholder = encoder_behind(selected, encoders).is_some_and(|encoder| encoder.stand_in);
        metrics.push(MetricRecord {
            id: spec.id.to_owned(),
            origin: match &selected.source {
                MetricSource::Compared | MetricSource::Network(_) => "computed".to_owned(),
                MetricSource::Recorded(_) => "imported".to_owned(),
                MetricSource::Features(name, Some(_)) => format!("perceived/{name}"),
                MetricSource::Features(name, None) => format!("features/{name}"),
                MetricSource::WithoutWeights(_) | MetricSource::Lacking(_) => "left out".to_owned(),
            },
            stand_in: by_placeholder || placeholders.are_under(selected, &metrics),
            conventions: spec.conventions().chain(of_graphs_here).map(str::to_owned).collect(),
        });
    }
    let ids = items.as_ref().map_or(&dataset.stems, |items| &items.stems);
    let mut record = RunRecord {
        provenance: Provenance {
            inputs: dataset.inputs.clone(),
            ..Provenance::new(SCHEMA, "score", Some(request.bootstrap.seed.0))
        },
        complete: false,
        request: request.clone(),
        label_names: dataset.resources.labels.names().to_vec(),
        label_groups: dataset.resources.labels.groups().clone(),
        models,
        device: device(selection),
        perceived: selection.perceived(|_| true),
        metrics,
        n_pairs: dataset.stems.len(),
        parts: items.as_ref().map(|items| PartsRecord {
            axes: dataset.axes.clone(),
            n_items: items.stems.len(),
        }),
        protocol: Protocol::of(ids, &dataset.inputs).map(|(_, found)| found),
        fingerprint: String::new(),
        pools: Vec::new(),
        averaged: Vec::new(),
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
    record.clusters.clone_from(&dataset.clusters);
    Ok(record)
}

/// The steps of observers, before they run.
fn steps(observers: &[Box<dyn Step>], dataset: &dyn StepInputs) -> Result<Vec<RecordedStep>, Error> {
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

/// The device of image models, if the run has any; placeholders run on the CPU.
fn device(selection: &Selection) -> Option<DeviceChoice> {
    let features = selection.perceived(|_| true).into_iter().map(|recipe| recipe.device);
    let devices = features.chain(selection.networks().map(|recipe| recipe.device));
    devices.max_by_key(|&device| device != DeviceChoice::Cpu)
}
