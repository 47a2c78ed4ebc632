//! Counts how much of a plan is already in the store.

use super::Resolved;
use crate::Error;
use crate::execute::{Places, StepContext, StepOutput};
use crate::run_record::RunRecord;
use crate::settings::RunSettings;
use neurogauge_core::Silent;

impl Resolved {
    /// The record with the number of items in the store for each step of its plan. Nothing is created.
    pub(crate) fn with_cache_hits(mut self, settings: &RunSettings) -> Result<RunRecord, Error> {
        let mut plan = self.record.plan.take().unwrap_or_default();
        let context = StepContext {
            inputs: &self.dataset,
            places: &Places::of_run(&settings.out),
            settings,
            progress: &Silent,
            writes: false,
        };
        for (step, observer) in plan.steps.iter_mut().zip(&self.observers) {
            for part in &mut step.parts {
                let output: &StepOutput = &part.output;
                part.n_cached = observer.n_cached(output, &context)?;
            }
            if settings.is_dry_run {
                let mut parts = step.parts.iter();
                observer.check_ready(parts.all(|part| part.n_cached == Some(part.n_items)))?;
            }
        }
        self.record.plan = Some(plan);
        Ok(self.record)
    }
}
