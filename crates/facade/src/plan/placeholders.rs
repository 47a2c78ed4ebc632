//! The parts of a run that are placeholders, made by one or made from one.

use crate::dataset::Dataset;
use crate::run_record::{MetricRecord, RecordedStep, StepPart};
use crate::selected::{MetricSource, Selected};
use neurogauge_core::{ByKind, ObservationKind};
use neurogauge_metrics::Compute;

/// The kinds of observations that are placeholders, made by one or made from one.
pub(crate) fn stand_in_kinds(dataset: &Dataset, steps: &[RecordedStep]) -> Vec<ObservationKind> {
    let kinds = Placeholders::of(dataset, steps).kinds;
    ObservationKind::ALL.into_iter().filter(|kind| kinds[*kind]).collect()
}

/// For each kind, whether it is a placeholder, made by one or made from one.
pub(super) struct Placeholders<'a> {
    dataset: &'a Dataset,
    steps: &'a [RecordedStep],
    kinds: ByKind<bool>,
}

impl<'a> Placeholders<'a> {
    pub(super) fn of(dataset: &'a Dataset, steps: &'a [RecordedStep]) -> Self {
        let mut kinds = ByKind::from_fn(|kind| dataset.is_stand_in(kind.id()));
        // Each step follows the steps that make its inputs.
        for step in steps.iter().filter(|step| step.makes() != ObservationKind::Features) {
            let mut read = step.parts.iter().flat_map(|part| &part.output.reads);
            kinds[step.makes()] |= step.model.stand_in || read.any(|role| kinds[role.kind]);
        }
        Placeholders { dataset, steps, kinds }
    }

    pub(super) fn are_under(&self, selected: &Selected, before: &[MetricRecord]) -> bool {
        match (&selected.source, &selected.metric.compute) {
            (MetricSource::Recorded(_), _) => {
                let id = selected.metric.spec.id;
                self.dataset.is_stand_in(&format!("recorded/{id}"))
            }
            (MetricSource::Features(name, _), _) => {
                let writes = |part: &StepPart| part.output.features.as_ref() == Some(name);
                match self.steps.iter().find(|step| step.parts.iter().any(writes)) {
                    Some(step) => step.model.stand_in || self.kinds[ObservationKind::Images],
                    None => self.dataset.is_stand_in(&format!("features/{name}")),
                }
            }
            (_, Compute::Scores { from, .. }) => {
                before.iter().any(|record| record.stand_in && from.contains(&record.id.as_str()))
            }
            (_, compute) => compute.kind().is_some_and(|kind| self.kinds[kind]),
        }
    }
}
