//! Executes a plan: runs its steps, which write into the run folder.

use super::Resolved;
use crate::Error;
use crate::execute::{Places, StepOutcome, StepResult, run_steps};
use crate::kinds::reopen;
use crate::progress::Progress;
use crate::run_folder::RunFolder;
use crate::run_record::RunRecord;
use neurogauge_core::ObservationKind;

impl Resolved {
    /// Runs the steps of the plan, and records the outcome of each. A shard writes only to the store.
    pub(crate) fn execute(&mut self, folder: &RunFolder, progress: &dyn Progress) -> Result<RunRecord, Error> {
        let mut record = self.record.clone();
        let plan = &mut record.plan;
        let reads_images = |kind: ObservationKind| kind.made_of().contains(&ObservationKind::Images);
        let n_readers = plan.steps.iter().filter(|step| reads_images(step.makes())).count()
            + self.selection.networks().count()
            + usize::from(self.selection.compares(ObservationKind::Images));
        self.inputs.dataset.keep_decoded(n_readers > 1);
        let observers = std::mem::take(&mut self.observers);
        let places = Places::of_run(folder.root());
        let made = run_steps(observers, &mut self.inputs.dataset, &places, &self.settings, progress)?;
        for (step, made) in plan.steps.iter_mut().zip(made) {
            let n_malformed: usize = made.iter().map(|made| made.n_malformed).sum();
            if n_malformed > 0 {
                progress.note(&format!(
                    "{n_malformed} facts that the parser wrote are not of three parts and do not count"
                ));
            }
            let findings = made.iter().flat_map(|made| made.findings.iter().cloned());
            self.inputs.dataset.findings.extend(findings);
            step.outcome = outcome_of(made);
        }
        Ok(record)
    }

    /// Opens the observations of single images in the run folder.
    pub(crate) fn open_observed(&mut self, folder: &RunFolder) -> Result<(), Error> {
        let places = Places::of_run(folder.root());
        for step in self.record.steps() {
            let outputs: Vec<_> = step.parts.iter().map(|part| part.output.clone()).collect();
            if !step.writes_features() {
                reopen(&outputs, &places, &mut self.inputs.dataset)?;
            }
        }
        Ok(())
    }
}

/// The outcome of a step. All matrices of a step have the same failed images, which are counted once.
fn outcome_of(made: Vec<StepResult>) -> StepOutcome {
    let mut all = StepOutcome::default();
    for StepOutcome {
        failed,
        answered_by,
        n_cut_off,
    } in made.into_iter().map(|made| made.outcome)
    {
        for item in failed {
            if !all.failed.contains(&item) {
                all.failed.push(item);
            }
        }
        all.answered_by.extend(answered_by);
        all.n_cut_off += n_cut_off;
    }
    all
}
