//! The time that a run takes.

use super::Resolved;
use super::observers::encoders;
use crate::Error;
use crate::observers::text_embeddings::is_placeholder;
use crate::run_record::RecordedStep;
use crate::time_forecast::{TimeForecast, Work, measured_speed};
use neurogauge_core::ImageSet;
use neurogauge_metrics::Compute;
use std::collections::BTreeMap;

impl Resolved {
    /// The forecast of the plan, for which this machine is measured; `None` if no network is counted. Stored items are
    /// subtracted if they have been counted.
    pub(crate) fn time(&self) -> Result<Option<TimeForecast>, Error> {
        let pixels = self.largest_image() as f64;
        let mut work = Work::default();
        for (step, observer) in self.record.steps().iter().zip(&self.observers) {
            let n_items = n_new(step) as f64;
            if n_items == 0.0 || step.model.stand_in {
                continue;
            }
            match observer.operations(&self.inputs.dataset)? {
                Some(of_item) => {
                    work.operations += n_items * of_item;
                    work.prepared_pixels += n_items * pixels;
                }
                None => work.not_counted.push(step.model.id.clone()),
            }
        }
        if work.operations == 0.0 {
            return Ok(None);
        }
        let encoders = encoders(&self.request, &self.selection).into_iter().map(|(_, encoder)| encoder);
        work.not_counted
            .extend(encoders.filter(|encoder| !is_placeholder(encoder)).map(ToString::to_string));
        let networks = self.selection.networks().map(|recipe| recipe.backbone.identity().id.clone());
        work.not_counted.extend(networks);
        let metrics = self.selection.metrics.iter();
        let of_pixels = metrics.filter(|selected| matches!(selected.metric.compute, Compute::Pixels(_))).count();
        work.compared_pixels = (2 * of_pixels * self.inputs.dataset.stems.len()) as f64 * pixels;
        Ok(Some(work.forecast(measured_speed(), rayon::current_num_threads())))
    }
}

/// The number of items that a step sees: of each set of images once for all layers.
fn n_new(step: &RecordedStep) -> usize {
    let mut of_sets: BTreeMap<ImageSet, usize> = BTreeMap::new();
    for part in &step.parts {
        let n = of_sets.entry(part.output.writes.of).or_default();
        *n = part.n_items.saturating_sub(part.n_cached.unwrap_or(0)).max(*n);
    }
    of_sets.into_values().sum()
}
