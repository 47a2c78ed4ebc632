//! Turns a request into a plan, with everything that is needed to execute it.

use super::choose;
use super::order::ordered;
use super::record::record;
use crate::compute::Items;
use crate::dataset::{Dataset, InputRecord};
use crate::execute::Step;
use crate::kinds;
use crate::observations::{locate, refuse_missing};
use crate::observers::features::{FeaturePass, Models, PerceptionOptions};
use crate::observers::text_embeddings::{self, check_instruction};
use crate::option_names::{FROM_RUN, PARTS_FRAME};
use crate::progress::Progress;
use crate::request::{ScoreRequest, refuse_unnamed};
use crate::run_record::RunRecord;
use crate::scene_graph_tools::GraphTools;
use crate::selection::{Encoders, Perceivable, Selected, Selection, select, wanted};
use crate::settings::RunSettings;
use crate::{Error, lpips, mask_overlays};
use neurogauge_core::inspection::content::SAME_SOURCE;
use neurogauge_core::{Input, LabelList, ObservationKind, Sides};
use neurogauge_metrics::Compute;
use neurogauge_models::registry;
use std::path::PathBuf;

/// A plan, with the inputs, open and hashed, and the observers that execute it.
pub(crate) struct Resolved {
    /// With absolute paths, and with default models filled in.
    pub(crate) request: ScoreRequest,
    /// The images of both sides, if given.
    pub(crate) images: Option<Sides<PathBuf>>,
    pub(crate) selection: Selection,
    pub(crate) dataset: Dataset,
    /// The items, if the pairs are their parts.
    pub(crate) items: Option<Items>,
    /// In the order in which they run, as the steps of the record's plan.
    pub(crate) observers: Vec<Box<dyn Step>>,
    /// `run.json` before anything is observed; its plan is the plan.
    pub(crate) record: RunRecord,
}

/// An error for requested inputs, metrics or models that do not exist, before anything is read or downloaded.
fn refuse_unknown(request: &ScoreRequest) -> Result<(), Error> {
    refuse_missing(&request.inputs)?;
    wanted(request.metrics.as_deref())?;
    text_embeddings::check(&request.text_encoder)?;
    for model in request.models.checkpoints.keys() {
        registry::find(model)?;
    }
    Ok(())
}

/// Locates the inputs, selects the metrics, finds the models and opens the needed inputs. Nothing is observed or
/// written.
pub(crate) fn resolve(
    request: &ScoreRequest,
    settings: &RunSettings,
    expected: Option<&RunRecord>,
    progress: &dyn Progress,
) -> Result<Resolved, Error> {
    let request = request.with_absolute_paths();
    refuse_unnamed(request.inputs.iter().map(|(_, path)| path))?;
    let settings = &settings.with_models(&request.models);
    let labels = request.label_list()?;
    refuse_unknown(&request)?;
    let unchanged = expected.filter(|_| !settings.accept_changes);
    let list = request.labels.clone();
    let check_labels = |labels: &LabelList| match unchanged {
        Some(record) if record.label_names != labels.names() || record.label_groups != *labels.groups() => {
            Err(Error::Usage(format!("{FROM_RUN}: the label list {list} has changed since the run was recorded")))
        }
        _ => Ok(()),
    };
    if !request.labels.is_empty() {
        check_labels(&labels)?;
    }
    let instruction = request.text_instruction.as_deref();
    check_instruction(&request.text_encoder, instruction)?;
    let mut located = locate(&request.inputs, &labels)?;
    request.models.device.check()?;
    let request = choose::complete(&request, &located)?;
    let observers = choose::choose(&request, &labels, &mut located, settings, progress)?;
    let mut models = Models::new(settings, progress);
    let lpips_heads = lpips::open_heads(&request.models.lpips_heads)?;
    let mut perceivable = Perceivable {
        options: &request.perception,
        models: &mut models,
        lpips_heads: &lpips_heads,
    };
    let graph_tools = GraphTools::find(&request, located.has(ObservationKind::Captions))?;
    let asked = request.metrics.as_deref();
    let encoders = Encoders {
        request: &request,
        settings,
        located: &located,
    };
    let selection = select(asked, &encoders, &mut perceivable, graph_tools)?;
    for note in selection.skipped_notes() {
        progress.note(&note);
    }
    choose::check_captions(&selection, &located)?;
    let mut observers = choose::needed(observers, &selection);
    let passes = FeaturePass::all(
        &selection.perceived,
        &selection.perceived_of_pool(),
        request.perception.odd_frames,
        &mut models,
    );
    for pass in passes {
        observers.push(Box::new(pass));
    }
    // A run that does not prepare images as for SEED does not record that option.
    let seed = request.perception.seed.filter(|_| selection.has_seeds_way);
    let request = ScoreRequest {
        perception: PerceptionOptions {
            seed,
            ..request.perception
        },
        ..request
    };
    let images = located.files(ObservationKind::Images).cloned();
    let mut dataset = kinds::open(&selection, &mut located, &request, &labels, progress)?;
    let labels = dataset.resources.labels.clone();
    let mut compared = selection.metrics.iter();
    let of_frames = |selected: &&Selected| matches!(selected.metric.compute, Compute::Frames { .. });
    if let Some(selected) = compared.find(of_frames).filter(|_| !dataset.has_frames()) {
        return Err(Error::Usage(format!(
            "{} compares the frames of a clip, and these images are no frames of clips; expected {PARTS_FRAME}, or another pattern with \
             {{frame}} in it",
            selected.metric.spec.id
        )));
    }
    mask_overlays::check(&settings.overlays, &selection, &dataset)?;
    let chosen = request.inputs.get(Input::ChosenSamples);
    let items = Items::of(&dataset, request.samples, chosen)?;
    if let Some(path) = chosen {
        let role = Input::ChosenSamples.to_string();
        dataset.inputs.push(InputRecord::of_file(role, path)?);
    }
    if let Some(path) = request.cluster.file() {
        let file = InputRecord::of_file("clusters".to_owned(), path)?;
        dataset.inputs.push(file);
    }
    if let Some(null) = request.null {
        null.check(items.is_some())?;
    }
    let stems = items.as_ref().map_or(&dataset.stems, |items| &items.stems);
    let (clusters, alike) = request.cluster.of(stems, request.stimulus_pattern.is_none())?;
    dataset.findings.extend(alike);
    let mut doubts = dataset.findings.iter();
    if let Some(doubt) = doubts.find(|doubt| doubt.code == SAME_SOURCE) {
        progress.warn(&doubt.to_string());
    }
    if let Some(change) = unchanged.and_then(|record| record.first_change(&dataset.inputs)) {
        return Err(change);
    }
    check_labels(&labels)?;
    let observers = ordered(observers, &dataset, settings.step_order);
    let record = RunRecord {
        clusters,
        ..record(&request, &selection, &observers, (&dataset, items.as_ref()), &labels, settings, progress)?
    };
    for input in &dataset.inputs {
        progress.detail(&format!(
            "{}: {} {} of {}",
            input.role,
            input.items.len(),
            if input.items.len() == 1 { "item" } else { "items" },
            input.path
        ));
    }
    for model in &record.models {
        progress.detail(&format!(
            "model {}: {}",
            model.id,
            if model.stand_in {
                "a placeholder, without weights".to_owned()
            } else if model.sha256.is_empty() {
                "behind a server, which knows its weights".to_owned()
            } else {
                format!("SHA-256 of the weights {}", model.sha256)
            }
        ));
    }
    Ok(Resolved {
        request,
        images,
        selection,
        dataset,
        items,
        observers,
        record,
    })
}
