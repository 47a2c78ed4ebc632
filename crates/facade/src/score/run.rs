//! Runs a request, or repeats a recorded run.

use super::finished::{Run, export_if_asked, overlay_if_asked};
use super::null_levels::levels;
use crate::Error;
use crate::compute::{Computed, Context};
use crate::execute::PartDone;
use crate::kinds::{compare_images, compute};
use crate::memory_forecast::Phases;
use crate::model_weights::{ask_to_download, may_download};
use crate::plan::{DryRun, Resolved, resolve};
use crate::progress::Progress;
use crate::request::ScoreRequest;
use crate::results::Provenance;
use crate::run_folder::{RECORD, RunFolder};
use crate::run_record::RunRecord;
use crate::selection::given_captions;
use crate::settings::{ModelOverrides, RunSettings};
use neurogauge_core::option_words::option;
use neurogauge_core::{InputPaths, ModelIdentity, Silent};
use neurogauge_formats::folder_lock::FolderLock;
use neurogauge_models::{LocalCaptioner, ModelEntry};
use std::collections::BTreeMap;
use std::path::Path;

/// Scores reconstructions against stimuli and writes the run folder.
///
/// A run that is already finished with the same inputs, models and options is read back; an interrupted one, and one in
/// which items failed, continues where it stopped.
pub fn score(request: &ScoreRequest, settings: &RunSettings, progress: &dyn Progress) -> Result<Run, Error> {
    score_checked(request, settings, None, progress)
}

/// What [`score`] would do, before anything is observed, computed, downloaded or written.
///
/// # Errors
/// Errors of [`score`] that come before the first item is observed, except missing weights; a model behind a server
/// without an address.
pub fn plan_score(request: &ScoreRequest, settings: &RunSettings, progress: &dyn Progress) -> Result<DryRun, Error> {
    let settings = &RunSettings {
        is_dry_run: true,
        ..settings.clone()
    };
    let program = Phases::program();
    let mut resolved = resolve(request, settings, None, progress)?;
    let missing_weights = resolved.missing_weights(settings)?;
    resolved.count_cached(settings)?;
    Ok(DryRun {
        memory: resolved.memory(settings, program)?,
        record: resolved.record,
        missing_weights,
    })
}

/// Resolves a request. If weights are missing, all of them are named together, before the first download.
fn resolve_and_fetch(
    request: &ScoreRequest,
    settings: &RunSettings,
    expected: Option<&RunRecord>,
    progress: &dyn Progress,
) -> Result<Resolved, Error> {
    let deferring = RunSettings {
        defers_downloads: true,
        ..settings.clone()
    };
    let of_one = match resolve(request, &deferring, expected, progress) {
        Ok(resolved) => {
            // The encoder of texts is only read if a text is not in the store.
            let missing = resolved.missing_weights(settings)?;
            if !missing.is_empty() && may_download(settings) {
                ask_to_download(&missing, progress).map_err(|error| or_captions(error.into(), &missing))?;
            }
            return Ok(resolved);
        }
        Err(error) if error.is_of_missing_weights() => error,
        Err(error) => return Err(error),
    };
    let all = match plan_score(request, settings, &Silent) {
        Ok(all) => all,
        // Report other errors before a download, not after it.
        Err(error) if may_download(settings) => return Err(error),
        Err(_) => return Err(of_one),
    };
    if may_download(settings) {
        ask_to_download(&all.missing_weights, progress)
            .map_err(|error| or_captions(error.into(), &all.missing_weights))?;
        return resolve(request, settings, expected, progress);
    }
    let of_all = of_one.with_all_missing(&all.missing_weights);
    Err(or_captions(of_all, &all.missing_weights))
}

/// The error of missing weights; if a captioner is among them, with how captions are given instead.
fn or_captions(error: Error, missing: &[&ModelEntry]) -> Error {
    let is_captioner = |entry: &&&ModelEntry| LocalCaptioner::entries().any(|own| own == **entry);
    match missing.iter().find(is_captioner) {
        Some(captioner) => error.with_another_way(&format!(
            "Or give captions, so that {} is not needed: {}",
            captioner.id,
            given_captions()
        )),
        None => error,
    }
}

/// Writes the record of a planned run, which marks the folder as a run's.
pub(crate) fn begin(
    request: &ScoreRequest,
    settings: &RunSettings,
    progress: &dyn Progress,
) -> Result<RunRecord, Error> {
    let mut resolved = resolve_and_fetch(request, settings, None, progress)?;
    let folder = RunFolder::create(&settings.out)?;
    if folder.finished(&resolved.record)?.is_none() {
        folder.begin(&resolved.record, settings)?;
    }
    resolved.count_cached(settings)?;
    Ok(resolved.record)
}

/// Observes the items, and compares the images of the pairs, that are in the shard of the settings. `fingerprint` is
/// the plan's.
pub(crate) fn observe_part(
    request: &ScoreRequest,
    fingerprint: &str,
    settings: &RunSettings,
    progress: &dyn Progress,
) -> Result<PartDone, Error> {
    let settings = &settings.with_models(&request.models);
    let mut resolved = resolve_and_fetch(request, settings, None, progress)?;
    Error::check_plan(&settings.out, fingerprint, &resolved.record.fingerprint)?;
    let folder = RunFolder::create(&settings.out)?;
    let record = resolved.execute(&folder, settings, progress)?;
    let unreadable = compare_images(&resolved.context(&folder, settings, progress))?;
    let failed = record.failed_items().into_iter().flat_map(|(_, items)| items.to_vec());
    Ok(PartDone {
        n_items: (settings.shard).map_or(record.n_pairs, |shard| shard.items(record.n_pairs).len()),
        failed: failed.chain(unreadable).collect(),
    })
}

/// Repeats the run that a `run.json`, or the one in a folder, records, after checking that its inputs are unchanged.
///
/// `moved` has inputs that are elsewhere now; `models` has models that are elsewhere or are to run on another device.
pub fn repeat(
    run_json: &Path,
    moved: &InputPaths,
    models: &ModelOverrides,
    settings: &RunSettings,
    progress: &dyn Progress,
) -> Result<Run, Error> {
    let run_json = match run_json.is_dir() {
        true => &run_json.join(RECORD),
        false => run_json,
    };
    let record = RunRecord::read(run_json)?;
    if record.provenance.versions != Provenance::versions() {
        progress.note(&format!(
            "recorded by {}, repeated by {}: numbers may differ in the last bits",
            in_words(&record.provenance.versions),
            in_words(&Provenance::versions())
        ));
    }
    let mut request = record.request.clone();
    request.inputs = request.inputs.overridden(moved);
    request.models.set(models);
    request.metrics = Some(record.asked_again());
    score_checked(&request, settings, Some(&record), progress)
}

/// Versions in words, each after its name.
fn in_words(versions: &BTreeMap<String, String>) -> String {
    versions.iter().map(|(name, version)| format!("{name} {version}")).collect::<Vec<_>>().join(", ")
}

/// Resolves the request to a plan, executes it, compares the observations, and finishes the run.
fn score_checked(
    request: &ScoreRequest,
    settings: &RunSettings,
    expected: Option<&RunRecord>,
    progress: &dyn Progress,
) -> Result<Run, Error> {
    let settings = &settings.with_models(&request.models);
    let mut resolved = resolve_and_fetch(request, settings, expected, progress)?;
    if settings.export_official && resolved.items.is_some() {
        return Err(Error::Usage(format!(
            "{}: that layout has one reconstruction of each stimulus; expected a run without {}",
            option("export-layout", "official"),
            option("parts", "")
        )));
    }
    if let Some(expected) = expected {
        check_models(expected, &resolved.record, settings, progress)?;
    }
    // A run that cannot be done leaves no folder.
    if !RunFolder::is_at(&settings.out) {
        resolved.check_ready(settings)?;
    }
    let folder = RunFolder::create(&settings.out)?;
    let lock = FolderLock::exclusive(&settings.out)?;
    if let Some(warning) = lock.warning() {
        progress.warn(&warning.to_string());
    }
    let finished = folder.finished(&resolved.record)?;
    let run = match finished {
        Some(finished) => {
            if settings.export_official || !settings.overlays.is_empty() {
                resolved.open_observed(&folder)?;
            }
            let mut run = Run::read_back(folder, finished)?;
            run.restyle(settings.latex)?;
            run
        }
        None => {
            // The run that is there stays if this one cannot be done.
            resolved.check_ready(settings)?;
            folder.begin(&resolved.record, settings)?;
            let record = resolved.execute(&folder, settings, progress)?;
            let run = compared(&mut resolved, record, folder, settings, progress)?;
            if settings.overwrite {
                run.folder.remove_other_observations(&run.record)?;
            }
            run
        }
    };
    let images = resolved.images.as_ref();
    export_if_asked(&run, &resolved.dataset, images, settings, progress)?;
    overlay_if_asked(&run, &resolved.dataset, images, settings)?;
    Ok(run)
}

impl Resolved {
    /// The context of comparisons.
    pub(crate) fn context<'c>(
        &'c self,
        folder: &'c RunFolder,
        settings: &'c RunSettings,
        progress: &'c dyn Progress,
    ) -> Context<'c> {
        Context {
            request: &self.request,
            selection: &self.selection,
            settings,
            dataset: &self.dataset,
            items: self.items.as_ref(),
            clusters: self.record.clusters.as_ref(),
            folder,
            progress,
        }
    }
}

/// Compares the observations, summarises the scores and writes them.
fn compared(
    resolved: &mut Resolved,
    mut record: RunRecord,
    folder: RunFolder,
    settings: &RunSettings,
    progress: &dyn Progress,
) -> Result<Run, Error> {
    let context = resolved.context(&folder, settings, progress);
    let Computed {
        scores,
        findings,
        unreadable,
        pools,
        pseudo_values,
        repeated_stimuli,
        details,
    } = compute(&context)?;
    record.findings = findings;
    record.unreadable = unreadable;
    record.pools = pools;
    record.repeated_stimuli = repeated_stimuli;
    let (scores, pseudo_values, of_parts) = match &resolved.items {
        None => (scores, pseudo_values, None),
        Some(items) => {
            let (of_items, pseudo_values) = items.reduce(&scores, &pseudo_values);
            (of_items, pseudo_values, Some(scores))
        }
    };
    if let Some(null) = record.request.null {
        record.null_levels = levels(null, resolved, (&record, &folder), settings, progress)?;
    }
    Run::of(folder, record, scores, pseudo_values).finish(details, of_parts, settings.latex)
}

/// An error, or a note where changes are accepted, for models that differ from those of the recorded run, or that run
/// on another device.
fn check_models(
    then: &RunRecord,
    now: &RunRecord,
    settings: &RunSettings,
    progress: &dyn Progress,
) -> Result<(), Error> {
    let mut changes = Vec::new();
    if let (Some(then), Some(now)) = (then.device, now.device)
        && then != now
    {
        changes.push(format!("recorded with image models on {then}, repeated on {now}"));
    }
    let named = |model: &ModelIdentity| format!("{} (SHA-256 {})", model.id, model.sha256);
    let mut others = now.models.iter().filter(|model| !then.models.contains(model));
    for gone in then.models.iter().filter(|model| !now.models.contains(model)) {
        let other = others.next().map_or_else(|| "without it".to_owned(), |other| format!("with {}", named(other)));
        changes.push(format!("recorded with {}, repeated {other}", named(gone)));
    }
    if changes.is_empty() {
        return Ok(());
    }
    if !settings.accept_changes {
        return Err(Error::ModelsChanged {
            differences: changes.join("; "),
        });
    }
    for change in changes {
        progress.note(&format!("{change}: numbers may differ"));
    }
    Ok(())
}
