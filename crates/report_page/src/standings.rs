//! The estimate of each system by each metric, and the system's standing among the others.

use crate::document::{MetricEntry, ScorePart};
use crate::inputs::{Inputs, System};
use crate::scores::summary;
use neurogauge::core::Estimate;
use neurogauge::{SystemComparison, SystemStanding as Standing};

/// The word for a standing; `None` for a system that is worse or not tested.
pub(crate) fn word(standing: Standing) -> Option<&'static str> {
    match standing {
        Standing::Best => Some("best"),
        Standing::Tied => Some("tied"),
        Standing::NotDecidable => Some("not decidable"),
        Standing::Other => None,
    }
}

/// The CSS class that gives the mark of a standing a shape.
pub(crate) fn shape(standing: Standing) -> &'static str {
    match standing {
        Standing::Best => "best",
        Standing::Tied => "tied",
        Standing::NotDecidable => "open",
        Standing::Other => "other",
    }
}

/// A metric with the estimate and the standing of each system.
pub(crate) struct MetricRow<'a> {
    pub(crate) metric: &'a MetricEntry,
    pub(crate) systems: Vec<(Option<&'a Estimate>, Standing)>,
}

impl MetricRow<'_> {
    /// The mean of a system, if there is one.
    pub(crate) fn mean(&self, system: usize) -> Option<f64> {
        self.systems[system].0?.value.as_ref().ok().copied()
    }
}

/// A row for each metric, in the order of the page.
pub(crate) fn rows<'a>(inputs: &'a Inputs, scores: &'a ScorePart) -> Vec<MetricRow<'a>> {
    let row = |metric: &'a MetricEntry| {
        let own = |system: &'a System| summary(system, metric.id).map(|own| &own.estimate);
        inputs.comparison.as_ref().and_then(|found| compared(found, metric)).unwrap_or_else(|| MetricRow {
            metric,
            systems: inputs.systems.iter().map(|system| (own(system), Standing::Other)).collect(),
        })
    };
    scores.metrics.iter().map(row).collect()
}

/// The row of a metric in a comparison of systems; `None` if the comparison lacks the metric.
pub(crate) fn compared<'a>(found: &'a SystemComparison, metric: &'a MetricEntry) -> Option<MetricRow<'a>> {
    let (known, compared) = (found.metrics.iter()).find(|(known, _)| known.spec.id == metric.id)?;
    let estimates = compared.systems.iter().map(|system| &system.estimate);
    let standings = found.standings(known, compared);
    Some(MetricRow {
        metric,
        systems: estimates.map(Some).zip(standings).collect(),
    })
}
