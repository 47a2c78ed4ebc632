//! Turns a request into a plan, and into everything that is needed to execute it.

use super::default_observers;
use super::record::record;
use crate::dataset::Dataset;
use crate::observations::{Located, locate, refuse_missing};
use crate::observers::Observer;
use crate::observers::captions::CaptionObserver;
use crate::observers::detections::DetectionObserver;
use crate::observers::features::Models;
use crate::observers::masks::{MaskObserver, MaskPrompts};
use crate::observers::scene_graphs::{DEFAULT_PARSER, GraphObserver};
use crate::observers::served::ServedObserver;
use crate::observers::text_embeddings::{self, check_instruction};
use crate::option_names::{
    CAPTIONER, CAPTIONER_MODEL, DETECTOR, FROM_RUN, GT, MASK_PROMPTS_STIMULUS, MASKS, MLLM,
    OBSERVATIONS, PARSER_T5, RECON,
};
use crate::progress::Progress;
use crate::request::ScoreRequest;
use crate::run_record::RunRecord;
use crate::scene_graph_tools::GraphTools;
use crate::selection::{Encoders, Perceivable, Selection, select, wanted};
use crate::settings::RunSettings;
use crate::{Error, lpips};
use neurogauge_core::inspection::content::SAME_SOURCE;
use neurogauge_core::option_words::option;
use neurogauge_core::{Input, InputPaths, LabelList, ObservationKind, Side, Sides};
use neurogauge_models::registry;
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
    /// Models behind a server, one for each kind that is asked for.
    pub(crate) asked: Vec<ServedObserver>,
    pub(crate) captioner: Option<CaptionObserver>,
    pub(crate) detector: Option<DetectionObserver>,
    pub(crate) segmenter: Option<MaskObserver>,
    pub(crate) parser: Option<GraphObserver>,
    pub(crate) models: Option<Models<'a>>,
}

/// Lets an observer make a kind, which is not given, of what it reads, which is there.
fn observe(kind: ObservationKind, inputs: &InputPaths, located: &mut Located) -> Result<(), Error> {
    let (asked, does, needs) = match kind {
        ObservationKind::Captions => (CAPTIONER, "describes the images", of_images()),
        ObservationKind::Categories | ObservationKind::CategoryNames => {
            (MLLM, "says what the images hold", of_images())
        }
        ObservationKind::VqaScores => (MLLM, "says whether reconstructions show it", of_images()),
        ObservationKind::Detections => (DETECTOR, "looks at the images", of_images()),
        ObservationKind::Masks => (MASKS, "makes masks of the images", of_images()),
        _ => (PARSER_T5, "parses captions", of_captions()),
    };
    if let Some(path) = inputs.given(kind).next() {
        return Err(Error::Usage(format!(
            "{asked} {does}, and there are {} already ({}); leave one of them away",
            kind.noun(),
            path.display()
        )));
    }
    if kind.made_of().is_some_and(|made_of| !located.has(made_of)) {
        return Err(Error::Usage(format!("{asked} needs {needs}")));
    }
    located.observe(kind);
    Ok(())
}

/// An error if nobody says what masks are to be asked for.
fn check_categories(prompts: MaskPrompts, located: &Located) -> Result<(), Error> {
    let has = |side: Side| {
        located.has(ObservationKind::Categories) || located.categories.side(side).is_some()
    };
    let of_both = prompts == MaskPrompts::Own;
    if has(Side::Gt) && (has(Side::Recon) || !of_both) {
        return Ok(());
    }
    let [gt, recon] = Side::BOTH.map(|side| Input::Of(side, ObservationKind::Categories).flag());
    let instead = match has(Side::Gt) {
        true => format!(
            "; {MASK_PROMPTS_STIMULUS} asks reconstructions for the categories of their stimuli"
        ),
        false => String::new(),
    };
    Err(Error::Usage(format!(
        "{MASKS} asks each image for its categories, and {} have none (categories.json in {OBSERVATIONS}, or {gt} and \
         {recon}){instead}",
        match (has(Side::Gt), of_both && !has(Side::Recon)) {
            (false, true) => "the images",
            (false, false) => "the stimuli",
            (true, _) => "the reconstructions",
        }
    )))
}

fn of_images() -> String {
    format!("images of both sides ({GT}, {RECON})")
}

fn of_captions() -> String {
    let [gt, recon] = Side::BOTH.map(|side| Input::Of(side, ObservationKind::Captions).flag());
    format!(
        "captions of both sides (captions.json in {OBSERVATIONS}, or {gt} and {recon}), or {} and {CAPTIONER_MODEL}; graphs \
         may come from files as well: {}",
        of_images(),
        option("parser", "file")
    )
}

/// An error for what is asked for and does not exist: inputs, metrics, models. Better said before anything is read, let alone
/// downloaded.
fn refuse_unknown(request: &ScoreRequest) -> Result<(), Error> {
    refuse_missing(&request.inputs)?;
    wanted(request.metrics.as_deref())?;
    text_embeddings::check(&request.text_encoder)?;
    for model in request.models.checkpoints.keys() {
        registry::find(model)?;
    }
    Ok(())
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
    refuse_unknown(&request)?;
    let unchanged = expected.filter(|_| !settings.accept_changes);
    let same = |record: &RunRecord| {
        record.label_names == labels.names() && record.label_groups == *labels.groups()
    };
    if unchanged.is_some_and(|record| !same(record)) {
        return Err(Error::Usage(format!(
            "{FROM_RUN}: the label list {} has changed since the run was recorded",
            request.labels
        )));
    }
    let instruction = request.text_instruction.as_deref();
    check_instruction(&request.text_encoder, instruction)?;
    let mut located = locate(&request.inputs, &labels)?;
    request.models.device.check()?;
    default_observers::fill_in(&mut request, &located)?;
    let asks = |kind| {
        request
            .mllm
            .iter()
            .any(|choice| choice.asks.contains(&kind))
    };
    if !asks(ObservationKind::VqaScores) {
        located.refuse_captions_of_one_side()?;
    }
    let inputs = &request.inputs;
    let mut served = Vec::new();
    for choice in &request.mllm {
        for &kind in &choice.asks {
            observe(kind, inputs, &mut located)?;
        }
        served.extend(ServedObserver::all(choice, settings, progress)?);
    }
    let mut captioner = None;
    if let Some(choice) = &request.captioner {
        observe(ObservationKind::Captions, inputs, &mut located)?;
        captioner = Some(CaptionObserver::find(choice, settings, progress)?);
    }
    let mut detector = None;
    if let Some(choice) = &request.detector {
        observe(ObservationKind::Detections, inputs, &mut located)?;
        detector = Some(DetectionObserver::find(
            choice, &labels, settings, progress,
        )?);
    }
    let mut segmenter = None;
    if let Some(choice) = &request.segmenter {
        observe(ObservationKind::Masks, inputs, &mut located)?;
        check_categories(choice.prompts, &located)?;
        segmenter = Some(MaskObserver::find(choice, settings, progress)?);
    }
    let mut parser = None;
    if let Some((options, reads_subcaptions)) = request.graph_parser.reading() {
        observe(ObservationKind::SceneGraphs, inputs, &mut located)?;
        let punkt = inputs.get(Input::Punkt);
        let found = GraphObserver::find(DEFAULT_PARSER, options, punkt, settings, progress)?;
        parser = Some(found.with_subcaptions(reads_subcaptions));
    }
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
    if !selection.has_seeds_way {
        request.perception.seed = None;
    }
    for note in selection.skipped_notes() {
        progress.note(&note);
    }
    let scores = ObservationKind::VqaScores;
    let asks_scores = located.is_observed(scores) && selection.compares(scores);
    if asks_scores && !located.has_captions_of_stimuli() {
        return Err(Error::Usage(format!(
            "{} are asked with the captions of the stimuli: they need {}",
            scores.noun(),
            of_captions()
        )));
    }
    let needs_captions = selection.needs_captions() || asks_scores;
    served.retain(|observer| match observer.recipe().makes {
        ObservationKind::Captions => needs_captions,
        ObservationKind::Categories => selection.compares(ObservationKind::Masks),
        kind => selection.compares(kind),
    });
    let observers = RunObservers {
        asked: served,
        captioner: captioner.filter(|_| needs_captions),
        detector: detector.filter(|_| selection.compares(ObservationKind::Detections)),
        segmenter: segmenter.filter(|_| selection.compares(ObservationKind::Masks)),
        parser: parser.filter(|_| selection.compares(ObservationKind::SceneGraphs)),
        models: Some(models),
    };
    let images = located.files(ObservationKind::Images).cloned();
    let dataset = Dataset::open(&selection, &mut located, &request, &labels, progress)?;
    let mut doubts = dataset.warnings.iter();
    if let Some(doubt) = doubts.find(|doubt| doubt.code == SAME_SOURCE) {
        progress.warn(&doubt.to_string());
    }
    if let Some(change) = unchanged.and_then(|record| record.first_change(&dataset.inputs)) {
        return Err(change);
    }
    let record = record(
        &request, &selection, &observers, &dataset, &labels, settings, progress,
    )?;
    for input in &dataset.inputs {
        progress.detail(&format!(
            "{}: {} {} of {}",
            input.role,
            input.items.len(),
            if input.items.len() == 1 {
                "item"
            } else {
                "items"
            },
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
        labels,
        images,
        selection,
        dataset,
        observers,
        record,
    })
}
