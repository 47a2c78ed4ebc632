//! Runs a request.

use super::export;
use super::finished::Run;
use super::null_levels::levels;
use crate::Error;
use crate::compute::{Computed, Context};
use crate::kinds::compute;
use crate::plan::Resolved;
use crate::run_folder::RunFolder;
use crate::run_record::RunRecord;
use neurogauge_core::Progress;
use neurogauge_core::option_words::option;
use neurogauge_formats::folder_lock::FolderLock;

/// Executes a plan, compares the observations, and finishes the run.
pub(super) fn score_resolved(mut resolved: Resolved, progress: &dyn Progress) -> Result<Run, Error> {
    let settings = resolved.settings.clone();
    if settings.export_official && resolved.inputs.items.is_some() {
        return Err(Error::Usage(format!(
            "{}: that layout has one reconstruction of each stimulus; expected a run without {}",
            option("export-layout", "official"),
            option("parts", "")
        )));
    }
    // A run that fails leaves no folder.
    if !RunFolder::is_at(&settings.out) {
        resolved.check_ready()?;
    }
    let folder = RunFolder::create(&settings.out)?;
    let lock = FolderLock::exclusive(&settings.out)?;
    if let Some(warning) = lock.warning() {
        progress.warn(&warning.to_string());
    }
    let run = match folder.finished(&resolved.record)? {
        Some(finished) => {
            if settings.export_official || !settings.overlays.is_empty() {
                resolved.open_observed(&folder)?;
            }
            let mut run = Run::read_back(folder, finished)?;
            run.restyle(settings.latex)?;
            run
        }
        None => {
            // An existing run stays if this one cannot be done.
            resolved.check_ready()?;
            folder.begin(&resolved.record, &settings)?;
            let record = resolved.execute(&folder, progress)?;
            let run = compared(&mut resolved, record, folder, progress)?;
            if settings.overwrite {
                run.folder.remove_other_observations(&run.record)?;
            }
            run
        }
    };
    export::further_files(&run, &resolved, progress)?;
    Ok(run)
}

impl Resolved {
    pub(crate) fn context<'c>(&'c self, folder: &'c RunFolder, progress: &'c dyn Progress) -> Context<'c> {
        Context {
            request: &self.request,
            selection: &self.selection,
            settings: &self.settings,
            dataset: &self.inputs.dataset,
            items: self.inputs.items.as_ref(),
            clusters: self.record.clusters.as_ref(),
            folder,
            progress,
        }
    }
}

fn compared(
    resolved: &mut Resolved,
    mut record: RunRecord,
    folder: RunFolder,
    progress: &dyn Progress,
) -> Result<Run, Error> {
    let context = resolved.context(&folder, progress);
    let Computed {
        scores,
        findings,
        unreadable,
        pools,
        pseudo_values,
        averaged,
        repeated_stimuli,
        details,
    } = compute(&context)?;
    record.findings = findings;
    record.unreadable = unreadable;
    record.pools = pools;
    record.averaged = averaged;
    record.repeated_stimuli = repeated_stimuli;
    let (scores, pseudo_values, of_parts) = match &resolved.inputs.items {
        None => (scores, pseudo_values, None),
        Some(items) => {
            let (of_items, pseudo_values) = items.reduce(&scores, &pseudo_values);
            (of_items, pseudo_values, Some(scores))
        }
    };
    if let Some(null) = record.request.null {
        record.null_levels = levels(null, resolved, (&record, &folder), progress)?;
    }
    Run::of(folder, record, scores, pseudo_values).finish(details, of_parts, resolved.settings.latex)
}
