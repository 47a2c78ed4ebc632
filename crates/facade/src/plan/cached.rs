//! Counts how much of a plan is already in the store.

use super::Resolved;
use crate::Error;
use crate::execute::{Places, StepContext, StepOutput};
use neurogauge_core::Silent;

impl Resolved {
    /// Counts, for each step of the plan, the items that are in the store. Creates nothing.
    pub(crate) fn count_cached(&mut self) -> Result<(), Error> {
        let mut plan = std::mem::take(&mut self.record.plan);
        let places = Places::of_run(&self.settings.out);
        let context = self.counting(&places);
        for (step, observer) in plan.steps.iter_mut().zip(&self.observers) {
            for part in &mut step.parts {
                let output: &StepOutput = &part.output;
                part.n_cached = observer.n_cached(output, &context)?;
            }
            if self.settings.is_dry_run {
                observer.check_ready(step.parts.iter().all(|part| part.n_cached == Some(part.n_items)))?;
            }
        }
        self.record.plan = plan;
        Ok(())
    }

    /// Checks that each step has what it needs, before anything is written.
    ///
    /// # Errors
    /// The address of a model behind a server is not given, and one of its answers is not in the store.
    pub(crate) fn check_ready(&self) -> Result<(), Error> {
        let places = Places::of_run(&self.settings.out);
        let context = self.counting(&places);
        for (step, observer) in self.record.steps().iter().zip(&self.observers) {
            let Err(error) = observer.check_ready(false) else {
                continue;
            };
            for part in &step.parts {
                // The items of a step that reads an earlier step's output are not known yet.
                let n_cached = observer.n_cached(&part.output, &context)?;
                if n_cached.is_some_and(|n_cached| n_cached < part.n_items) {
                    return Err(error);
                }
            }
        }
        Ok(())
    }

    /// The context in which a step counts its stored items.
    fn counting<'c>(&'c self, places: &'c Places) -> StepContext<'c> {
        StepContext {
            inputs: &self.inputs.dataset,
            places,
            settings: &self.settings,
            progress: &Silent,
            writes: false,
        }
    }
}
