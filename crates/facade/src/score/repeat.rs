//! Repeats a recorded run.

use super::Run;
use super::run::score_resolved;
use crate::Error;
use crate::plan::resolve;
use crate::results::Provenance;
use crate::run_folder::RECORD;
use crate::run_record::RunRecord;
use crate::settings::{ModelOverrides, RunSettings};
use neurogauge_core::option_words::option;
use neurogauge_core::{InputPaths, ModelIdentity, Progress};
use std::collections::BTreeMap;
use std::path::Path;

/// Repeats the run recorded in a `run.json` or in the one of a folder, after checking that its inputs are unchanged.
///
/// `moved` has inputs with a new path; `models` has models with a new path or device.
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
    let resolved = resolve(&request, settings, Some(&record), progress)?;
    check_models(&record, &resolved.record, settings, progress)?;
    score_resolved(resolved, progress)
}

fn in_words(versions: &BTreeMap<String, String>) -> String {
    versions.iter().map(|(name, version)| format!("{name} {version}")).collect::<Vec<_>>().join(", ")
}

/// Fails, or adds a note if changes are accepted, if models differ from those of the recorded run or run on another
/// device.
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
        return Err(Error::Data(format!(
            "not the models of the run that is to be repeated: {}. Give those that it had, or say {} to go on: numbers may \
             differ",
            changes.join("; "),
            option("accept-changes", "")
        )));
    }
    for change in changes {
        progress.note(&format!("{change}: numbers may differ"));
    }
    Ok(())
}
