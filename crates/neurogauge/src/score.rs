//! `neurogauge score`: inputs in, run folder out.

use crate::captioning::CaptionRecipe;
use crate::compute::{Computed, Context, compute};
use crate::dataset::Dataset;
use crate::detecting::DetectionRecipe;
use crate::locate::{Sides, locate};
use crate::lpips::LpipsPlan;
use crate::parsing::GraphRecipe;
use crate::perceive::{Models, Perceivable, perceive_inputs};
use crate::progress::Progress;
use crate::request::{InputPaths, RunSettings, ScoreRequest};
use crate::run_folder::RunFolder;
use crate::run_record::{MetricRecord, RunRecord, SCHEMA};
use crate::scene_graph_tools::GraphTools;
use crate::selection::{Origin, Selected, Selection, select};
use crate::summary::{self, MetricSummary};
use crate::{
    Error, caption_embeddings, captioning, default_models, detecting, export, lpips, mask_overlays,
    observed_by, parsing,
};
use neurogauge_core::{LabelList, ModelIdentity, ScoreTable};
use neurogauge_formats::json;
use neurogauge_metrics::Compute;
use neurogauge_models::DeviceChoice;
use neurogauge_report::{Format, Table, render};
use std::path::{Path, PathBuf};

/// A finished run.
#[derive(Debug)]
pub struct Run {
    /// Where it lies.
    pub folder: RunFolder,
    /// The content of `run.json`.
    pub record: RunRecord,
    /// Every outcome.
    pub scores: ScoreTable,
    /// Every metric summed up.
    pub summaries: Vec<MetricSummary>,
    /// The table that the command prints.
    pub table: Table,
    /// Was everything there already?
    pub resumed: bool,
}

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
    let graph_tools = GraphTools::find(&request, located.has_captions())?;
    let selection = select(
        request.metrics.as_deref(),
        &located,
        &mut perceivable,
        graph_tools,
    )?;
    for note in selection.skipped_notes() {
        progress.note(&note);
    }
    let images = located.images.clone();
    let captioner = captioner.filter(|_| selection.needs_captions());
    let detector = detector.filter(|_| selection.compares_detections());
    let parser = parser.filter(|_| selection.compares_graphs());
    let mut dataset = Dataset::open(&selection, located, &request, &labels, progress)?;
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

fn export_if_asked(
    run: &Run,
    dataset: &Dataset,
    settings: &RunSettings,
    progress: &dyn Progress,
) -> Result<(), Error> {
    if settings.export_official {
        for warning in export::official(run, dataset)? {
            progress.note(&warning.to_string());
        }
    }
    Ok(())
}

fn overlay_if_asked(
    run: &Run,
    dataset: &Dataset,
    images: Option<&Sides<PathBuf>>,
    settings: &RunSettings,
) -> Result<(), Error> {
    let options = &run.record.request.options.basic_l;
    mask_overlays::write(&settings.overlays, dataset, images, options, &run.folder)
}

fn read_back(folder: RunFolder, record: RunRecord) -> Result<Run, Error> {
    let scores = folder.scores()?;
    let summaries = summary::summarise(&scores, &record, &record.request.bootstrap)?;
    let table = summary::table(folder.name(), &summaries, &record);
    Ok(Run {
        folder,
        record,
        scores,
        summaries,
        table,
        resumed: true,
    })
}

/// A finished run, read from its folder.
pub fn load_run(root: &Path) -> Result<Run, Error> {
    let folder = RunFolder::open(root)?;
    let record = folder.record()?;
    read_back(folder, record)
}

fn outputs(
    summaries: &[MetricSummary],
    table: &Table,
) -> Result<Vec<(&'static str, Vec<u8>)>, Error> {
    let entries = summary::to_json(summaries, table.level);
    let json = json::to_bytes(Path::new("summary.json"), &entries)?;
    let rendered =
        |format| -> Result<Vec<u8>, Error> { Ok(render(table, format, None)?.into_bytes()) };
    Ok(vec![
        ("summary.json", json),
        ("summary.md", rendered(Format::Markdown)?),
        ("summary.tex", rendered(Format::Latex)?),
        ("summary.csv", rendered(Format::Csv)?),
    ])
}

/// How the run's own observations are made.
#[derive(Clone, Copy)]
struct MadeHere<'a> {
    captioned: Option<&'a CaptionRecipe>,
    detected: Option<&'a DetectionRecipe>,
    parsed: Option<&'a GraphRecipe>,
}

fn record(
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

fn rests_on_graph_stand_in(
    selected: &Selected,
    dataset: &Dataset,
    made: MadeHere<'_>,
    encoder: Option<&ModelIdentity>,
) -> bool {
    let captioner = made.parsed.and(made.captioned).map(|recipe| &recipe.model);
    matches!(selected.metric.compute, Compute::SceneGraphs(_))
        && (dataset.is_stand_in("scene_graphs")
            || [encoder, captioner]
                .into_iter()
                .flatten()
                .any(|model| model.stand_in))
}

fn rests_on_stand_in(
    selected: &Selected,
    selection: &Selection,
    dataset: &Dataset,
    (of_captions, detector): (&[ModelIdentity], Option<&ModelIdentity>),
    before: &[MetricRecord],
) -> bool {
    match (&selected.origin, &selected.metric.compute) {
        (Origin::Imported, _) => {
            dataset.is_stand_in(&format!("recorded/{}", selected.metric.spec.id))
        }
        (Origin::Features(name), _) => match selection.recipe(name) {
            Some(recipe) => recipe.model.stand_in || dataset.is_stand_in("images"),
            None => dataset.is_stand_in(&format!("features/{name}")),
        },
        (_, Compute::Pixels(_) | Compute::Perceptual { .. }) => dataset.is_stand_in("images"),
        (_, Compute::Detections(_)) => {
            dataset.is_stand_in("detections") || detector.is_some_and(|model| model.stand_in)
        }
        (_, Compute::CategoryNames(_)) => dataset.is_stand_in("vlm_categories"),
        (_, Compute::Masks(_)) => dataset.is_stand_in("masks"),
        (_, Compute::Captions(_)) => {
            dataset.is_stand_in("captions") || of_captions.iter().any(|model| model.stand_in)
        }
        (_, Compute::Scores { from, .. }) => before
            .iter()
            .any(|record| record.stand_in && from.contains(&record.id.as_str())),
        (
            _,
            Compute::Features { .. } | Compute::Identification { .. } | Compute::SceneGraphs(_),
        ) => false,
    }
}
