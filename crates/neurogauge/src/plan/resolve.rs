//! From a request to a plan, and to what it takes to follow it.

use super::record::record;
use crate::dataset::Dataset;
use crate::execute::inputs::{choose_captioner, choose_detector, choose_parser};
use crate::observations::{Sides, locate};
use crate::observers::captions::CaptionObserver;
use crate::observers::detections::DetectionObserver;
use crate::observers::features::{Models, Perceivable};
use crate::observers::scene_graphs::GraphObserver;
use crate::observers::text_embeddings::check_instruction;
use crate::option_names::FROM_RUN;
use crate::progress::Progress;
use crate::request::{RunSettings, ScoreRequest};
use crate::run_record::RunRecord;
use crate::scene_graph_tools::GraphTools;
use crate::selection::{Selection, select};
use crate::{Error, default_models, lpips};
use neurogauge_core::{LabelList, ObservationKind};
use std::path::PathBuf;

/// A plan, and what it takes to follow it: the inputs, open and hashed, and the observers.
pub(crate) struct Resolved<'a> {
    /// With absolute paths, and with the models that it leaves open.
    pub(crate) request: ScoreRequest,
    pub(crate) labels: LabelList,
    /// The images of both sides, where they are given.
    pub(crate) images: Option<Sides<PathBuf>>,
    pub(crate) selection: Selection,
    pub(crate) dataset: Dataset,
    pub(crate) observers: RunObservers<'a>,
    /// `run.json` before anything is observed; its plan is the plan.
    pub(crate) record: RunRecord,
}

/// The observers of a run: those that its plan needs.
pub(crate) struct RunObservers<'a> {
    pub(crate) captioner: Option<CaptionObserver>,
    pub(crate) detector: Option<DetectionObserver>,
    pub(crate) parser: Option<GraphObserver>,
    pub(crate) models: Option<Models<'a>>,
}

/// Locates the inputs, selects the metrics, finds the models and opens what is needed. Nothing is observed or written.
pub(crate) fn resolve<'a>(
    request: &ScoreRequest,
    settings: &RunSettings,
    expected: Option<&RunRecord>,
    progress: &'a dyn Progress,
) -> Result<Resolved<'a>, Error> {
    let mut request = request.with_absolute_paths();
    let settings = &settings.with_models(&request.models);
    let labels = request.label_list()?;
    let unchanged = expected.filter(|_| !settings.accept_changes);
    if unchanged.is_some_and(|record| record.label_names != labels.names()) {
        return Err(Error::Usage(format!(
            "{FROM_RUN}: the label list {} has changed since the run was recorded",
            request.labels
        )));
    }
    let instruction = request.text_instruction.as_deref();
    check_instruction(&request.text_encoder, instruction)?;
    let mut located = locate(&request.inputs, &labels)?;
    request.models.device.check()?;
    default_models::fill_in(&mut request, &located)?;
    let captioner = choose_captioner(&request, &mut located, settings, progress)?;
    let detector = choose_detector(&request, &labels, &mut located, settings, progress)?;
    let parser = choose_parser(&request, &mut located, settings, progress)?;
    let mut models = Models::new(settings, progress);
    let lpips_heads = lpips::open_heads(&request.models.lpips_heads)?;
    let mut perceivable = Perceivable {
        options: &request.perception,
        models: &mut models,
        lpips_heads: &lpips_heads,
    };
    let graph_tools = GraphTools::find(&request, located.has(ObservationKind::Captions))?;
    let asked = request.metrics.as_deref();
    let selection = select(asked, &located, &mut perceivable, graph_tools)?;
    for note in selection.skipped_notes() {
        progress.note(&note);
    }
    let observers = RunObservers {
        captioner: captioner.filter(|_| selection.needs_captions()),
        detector: detector.filter(|_| selection.compares(ObservationKind::Detections)),
        parser: parser.filter(|_| selection.compares(ObservationKind::SceneGraphs)),
        models: Some(models),
    };
    let images = located.files(ObservationKind::Images).cloned();
    let dataset = Dataset::open(&selection, &mut located, &request, &labels, progress)?;
    if let Some(change) = unchanged.and_then(|record| record.first_change(&dataset.inputs)) {
        return Err(change);
    }
    let record = record(
        &request, &selection, &observers, &dataset, &labels, settings, progress,
    )?;
    Ok(Resolved {
        request,
        labels,
        images,
        selection,
        dataset,
        observers,
        record,
    })
}
