//! One run from its request to its folder, or the repetition of one.

use super::finished::{Run, export_if_asked, outputs, overlay_if_asked, read_back};
use crate::compute::{Computed, Context, compute};
use crate::observations::InputPaths;
use crate::plan::{Resolved, resolve};
use crate::progress::Progress;
use crate::request::{RunSettings, ScoreRequest};
use crate::run_folder::RunFolder;
use crate::run_record::{OLDEST_SCHEMA, RunRecord, SCHEMA};
use crate::{Error, summary};
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

/// What [`score`] would do: `run.json` before anything is observed, computed or written.
///
/// # Errors
/// Those of [`score`] that come before the first item is observed.
pub fn plan_score(
    request: &ScoreRequest,
    settings: &RunSettings,
    progress: &dyn Progress,
) -> Result<RunRecord, Error> {
    Ok(resolve(request, settings, None, progress)?.record)
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
    if !(OLDEST_SCHEMA..=SCHEMA).contains(&record.schema) {
        return Err(Error::Usage(format!(
            "{}: schema {} (this version reads {OLDEST_SCHEMA} to {SCHEMA})",
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

/// Resolves the request to a plan, executes it, compares what was observed, and finishes the run.
fn score_checked(
    request: &ScoreRequest,
    settings: &RunSettings,
    expected: Option<&RunRecord>,
    progress: &dyn Progress,
) -> Result<Run, Error> {
    let mut resolved = resolve(request, settings, expected, progress)?;
    if let Some(expected) = expected {
        note_other_models(expected, &resolved.record, progress);
    }
    let folder = RunFolder::create(&settings.out)?;
    let finished = folder.finished(&resolved.record.fingerprint)?;
    let run = match finished {
        Some(finished) => {
            if settings.export_official {
                resolved.open_observed(&folder)?;
            }
            read_back(folder, finished)?
        }
        None => {
            if folder.holds_finished_run() {
                progress.note(&format!(
                    "{}: held a finished run with other inputs or options; it is replaced",
                    settings.out.display()
                ));
            }
            folder.write_record(&resolved.record)?;
            let record = resolved.execute(&folder, settings, progress)?;
            compared(&resolved, record, folder, settings, progress)?
        }
    };
    export_if_asked(&run, &resolved.dataset, settings, progress)?;
    overlay_if_asked(&run, &resolved.dataset, resolved.images.as_ref(), settings)?;
    Ok(run)
}

/// Compares what was observed, sums it up and writes it.
fn compared(
    resolved: &Resolved<'_>,
    mut record: RunRecord,
    folder: RunFolder,
    settings: &RunSettings,
    progress: &dyn Progress,
) -> Result<Run, Error> {
    let context = Context {
        request: &resolved.request,
        settings,
        dataset: &resolved.dataset,
        labels: &resolved.labels,
        folder: &folder,
        progress,
    };
    let Computed {
        scores,
        warnings,
        pools,
    } = compute(&resolved.selection, &context)?;
    record.warnings = warnings;
    record.pools = pools;
    let summaries = summary::summarise(&scores, &record, &resolved.request.bootstrap)?;
    let table = summary::table(folder.name(), &summaries, &record);
    let record = folder.finish(record, &scores, outputs(&summaries, &table)?)?;
    Ok(Run {
        folder,
        record,
        scores,
        summaries,
        table,
        resumed: false,
    })
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
