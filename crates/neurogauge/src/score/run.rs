//! One run from its request to its folder, or the repetition of one.

use super::finished::{Run, export_if_asked, outputs, overlay_if_asked, read_back};
use super::record::{MadeHere, record};
use crate::compute::{Computed, Context, compute};
use crate::dataset::Dataset;
use crate::observations::{InputPaths, locate};
use crate::perceive::{Models, Perceivable, perceive_inputs};
use crate::progress::Progress;
use crate::request::{RunSettings, ScoreRequest};
use crate::run_folder::RunFolder;
use crate::run_record::{RunRecord, SCHEMA};
use crate::scene_graph_tools::GraphTools;
use crate::selection::select;
use crate::{
    Error, caption_embeddings, captioning, default_models, detecting, lpips, observed_by, parsing,
    summary,
};
use neurogauge_core::ObservationKind;
use neurogauge_formats::json;
use std::path::Path;

/// Scores reconstructions against stimuli and writes the run folder.
///
/// A run that is already finished with the same inputs, models and options is read back; an
/// interrupted one goes on where it stopped.
pub fn score(
    request: &ScoreRequest,
    settings: &RunSettings,
    progress: &dyn Progress,
) -> Result<Run, Error> {
    score_checked(request, settings, None, progress)
}

/// Repeats the run that a `run.json` records, after checking that its inputs are unchanged.
///
/// `moved` names inputs that lie elsewhere now.
pub fn repeat(
    run_json: &Path,
    moved: &InputPaths,
    settings: &RunSettings,
    progress: &dyn Progress,
) -> Result<Run, Error> {
    let record: RunRecord = json::read(run_json)?;
    if record.schema != SCHEMA {
        return Err(Error::Usage(format!(
            "{}: schema {} (this version reads {SCHEMA})",
            run_json.display(),
            record.schema
        )));
    }
    if record.versions != RunRecord::versions() {
        progress.note(&format!(
            "recorded by {:?}, repeated by {:?}: numbers may differ in the last bits",
            record.versions,
            RunRecord::versions()
        ));
    }
    let mut request = record.request.clone();
    request.inputs = request.inputs.overridden(moved);
    request.metrics = Some(
        record
            .metrics
            .iter()
            .map(|metric| metric.id.clone())
            .collect(),
    );
    score_checked(&request, settings, Some(&record), progress)
}

fn score_checked(
    request: &ScoreRequest,
    settings: &RunSettings,
    expected: Option<&RunRecord>,
    progress: &dyn Progress,
) -> Result<Run, Error> {
    let mut request = request.with_absolute_paths();
    let labels = request.label_list()?;
    if expected.is_some_and(|record| record.label_names != labels.names()) {
        return Err(Error::Usage(format!(
            "--from-run: the label list {} has changed since the run was recorded",
            request.labels
        )));
    }
    let instruction = request.text_instruction.as_deref();
    caption_embeddings::check_instruction(&request.text_encoder, instruction)?;
    let mut located = locate(&request.inputs, &labels)?;
    settings.device.check()?;
    default_models::fill_in(&mut request, &located)?;
    let captioner = captioning::choose(&request, &mut located, settings, progress)?;
    let detector = detecting::choose(&request, &labels, &mut located, settings, progress)?;
    let parser = parsing::choose(&request, &mut located, settings, progress)?;
    let mut models = Models::new(settings, progress);
    let lpips_heads = lpips::open_heads(&settings.lpips_heads)?;
    let mut perceivable = Perceivable {
        options: &request.perception,
        models: &mut models,
        lpips_heads: &lpips_heads,
    };
    let graph_tools = GraphTools::find(&request, located.has(ObservationKind::Captions))?;
    let selection = select(
        request.metrics.as_deref(),
        &located,
        &mut perceivable,
        graph_tools,
    )?;
    for note in selection.skipped_notes() {
        progress.note(&note);
    }
    let images = located.files(ObservationKind::Images).cloned();
    let captioner = captioner.filter(|_| selection.needs_captions());
    let detector = detector.filter(|_| selection.compares_detections());
    let parser = parser.filter(|_| selection.compares_graphs());
    let mut dataset = Dataset::open(&selection, &mut located, &request, &labels, progress)?;
    if let Some(change) = expected.and_then(|record| record.first_change(&dataset.inputs)) {
        return Err(change);
    }
    let made = MadeHere {
        captioned: captioner.as_ref().map(|describer| &describer.recipe),
        detected: detector.as_ref().map(|describer| &describer.recipe),
        parsed: parser.as_ref().map(|parser| &parser.recipe),
    };
    let mut record = record(
        &request, &selection, made, &dataset, &labels, settings, progress,
    )?;
    if let Some(expected) = expected {
        note_other_models(expected, &record, progress);
    }
    let folder = RunFolder::create(&settings.out)?;
    if let Some(finished) = folder.finished(&record.fingerprint)? {
        if captioner.is_some() && settings.export_official {
            captioning::read_captions(&mut dataset, &folder)?;
        }
        if detector.is_some() && settings.export_official {
            detecting::read_detections(&mut dataset, &labels, &folder);
        }
        let run = read_back(folder, finished)?;
        export_if_asked(&run, &dataset, settings, progress)?;
        overlay_if_asked(&run, &dataset, images.as_ref(), settings)?;
        return Ok(run);
    }
    if folder.holds_finished_run() {
        progress.note(&format!(
            "{}: held a finished run with other inputs or options; it is replaced",
            settings.out.display()
        ));
    }
    folder.write_record(&record)?;
    observed_by::take_over(&settings.observed_by, &folder)?;

    if let Some(captioner) = captioner {
        record.uncaptioned =
            captioning::caption_inputs(captioner, &mut dataset, &folder, settings, progress)?;
    }
    if let Some(detector) = detector {
        let dataset = &mut dataset;
        record.undetected =
            detecting::detect_inputs(detector, dataset, &labels, &folder, settings, progress)?;
    }
    if let Some(parser) = parser {
        record.unparsed = parsing::parse_inputs(parser, &mut dataset, &folder, settings, progress)?;
    }
    perceive_inputs(&selection, &mut dataset, &folder, models, progress)?;
    let context = Context {
        request: &request,
        settings,
        dataset: &dataset,
        labels: &labels,
        folder: &folder,
        progress,
    };
    let Computed {
        scores,
        warnings,
        pools,
    } = compute(&selection, &context)?;
    record.warnings = warnings;
    record.pools = pools;
    let summaries = summary::summarise(&scores, &record, &request.bootstrap)?;
    let table = summary::table(folder.name(), &summaries, &record);
    let record = folder.finish(record, &scores, outputs(&summaries, &table)?)?;
    let run = Run {
        folder,
        record,
        scores,
        summaries,
        table,
        resumed: false,
    };
    export_if_asked(&run, &dataset, settings, progress)?;
    overlay_if_asked(&run, &dataset, images.as_ref(), settings)?;
    Ok(run)
}

/// Says which models of a recorded run are not those of this one, or ran elsewhere.
fn note_other_models(expected: &RunRecord, record: &RunRecord, progress: &dyn Progress) {
    if let (Some(then), Some(now)) = (expected.device, record.device)
        && then != now
    {
        progress.note(&format!(
            "recorded with image models on {then}, repeated on {now}: numbers may differ in the last bits"
        ));
    }
    for then in &expected.models {
        if !record.models.contains(then) {
            progress.note(&format!(
                "recorded with {} (SHA-256 {}), which is not among the models of this repetition: numbers \
                 may differ",
                then.id, then.sha256
            ));
        }
    }
}
