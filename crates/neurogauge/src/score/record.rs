//! What `run.json` says of a run before anything is computed.

use super::stand_ins::{rests_on_graph_stand_in, rests_on_stand_in};
use crate::captioning::CaptionRecipe;
use crate::dataset::Dataset;
use crate::detecting::DetectionRecipe;
use crate::lpips::LpipsPlan;
use crate::parsing::GraphRecipe;
use crate::progress::Progress;
use crate::request::{RunSettings, ScoreRequest};
use crate::run_record::{MetricRecord, RunRecord, SCHEMA};
use crate::selection::{Origin, Selected, Selection};
use crate::{Error, caption_embeddings};
use neurogauge_core::{LabelList, ModelIdentity};
use neurogauge_metrics::Compute;
use neurogauge_models::DeviceChoice;

/// How the run's own observations are made.
#[derive(Clone, Copy)]
pub(super) struct MadeHere<'a> {
    pub(super) captioned: Option<&'a CaptionRecipe>,
    pub(super) detected: Option<&'a DetectionRecipe>,
    pub(super) parsed: Option<&'a GraphRecipe>,
}

pub(super) fn record(
    request: &ScoreRequest,
    selection: &Selection,
    made: MadeHere<'_>,
    dataset: &Dataset,
    labels: &LabelList,
    settings: &RunSettings,
    progress: &dyn Progress,
) -> Result<RunRecord, Error> {
    let identity = |encoder: &str| caption_embeddings::identity(encoder, settings, progress);
    let encoder = (selection.compares_captions())
        .then(|| identity(&request.text_encoder))
        .transpose()?;
    let of_captions: Vec<ModelIdentity> = made
        .captioned
        .map(|recipe| recipe.model.clone())
        .into_iter()
        .chain(encoder)
        .collect();
    let detector = made.detected.map(|recipe| recipe.model.clone());
    let phrase_encoder = compares_phrases(request, selection)
        .then(|| identity(&request.phrase_encoder))
        .transpose()?;
    let of_graphs_here = selection.graph_tools.conventions();
    let of_graphs = |selected: &Selected| match selected.metric.compute {
        Compute::SceneGraphs(_) => of_graphs_here.iter(),
        _ => [].iter(),
    };
    let mut metrics: Vec<MetricRecord> = Vec::new();
    for selected in &selection.metrics {
        let spec = &selected.metric.spec;
        metrics.push(MetricRecord {
            id: spec.id.to_owned(),
            origin: match &selected.origin {
                Origin::Computed => "computed".to_owned(),
                Origin::Imported => "imported".to_owned(),
                Origin::Features(name) if selection.recipe(name).is_some() => {
                    format!("perceived/{name}")
                }
                Origin::Features(name) => format!("features/{name}"),
            },
            stand_in: rests_on_stand_in(
                selected,
                selection,
                dataset,
                (&of_captions[..], detector.as_ref()),
                &metrics,
            ) || rests_on_graph_stand_in(
                selected,
                dataset,
                made,
                phrase_encoder.as_ref(),
            ),
            conventions: spec
                .conventions
                .iter()
                .chain(of_graphs(selected))
                .map(|id| (*id).to_owned())
                .collect(),
        });
    }
    let mut models = of_captions;
    models.extend(detector);
    models.extend(made.parsed.map(|recipe| recipe.model.clone()));
    if let Some(encoder) = phrase_encoder
        && !models.contains(&encoder)
    {
        models.push(encoder);
    }
    for recipe in &selection.perceived {
        if !models.contains(&recipe.model) {
            models.push(recipe.model.clone());
        }
    }
    for model in selection.lpips.iter().flat_map(LpipsPlan::identities) {
        if !models.contains(model) {
            models.push(model.clone());
        }
    }
    let mut record = RunRecord {
        schema: SCHEMA,
        complete: false,
        versions: RunRecord::versions(),
        request: request.clone(),
        label_names: labels.names().to_vec(),
        inputs: dataset.inputs.clone(),
        models,
        device: device(selection),
        perceived: selection.perceived.clone(),
        captioned: made.captioned.cloned(),
        uncaptioned: Vec::new(),
        detected: made.detected.cloned(),
        undetected: Vec::new(),
        parsed: made.parsed.cloned(),
        unparsed: Vec::new(),
        metrics,
        n_pairs: dataset.stems.len(),
        fingerprint: String::new(),
        pools: Vec::new(),
        warnings: Vec::new(),
        outputs: std::collections::BTreeMap::new(),
    };
    record.fingerprint = record.compute_fingerprint();
    Ok(record)
}

/// Where image models run, if any does: stand-ins among them run on the processor.
fn device(selection: &Selection) -> Option<DeviceChoice> {
    let features = selection.perceived.iter().map(|recipe| recipe.device);
    let devices = features.chain(selection.lpips.iter().map(|plan| plan.device));
    devices.max_by_key(|&device| device != DeviceChoice::Cpu)
}

/// Are phrases of scene graphs compared by their embeddings?
fn compares_phrases(request: &ScoreRequest, selection: &Selection) -> bool {
    request.options.basic_h.needs_embeddings() && selection.compares_graphs()
}
