//! Every outcome of every system, by pair.

use crate::document::{Difference, MetricEntry, ScorePart, Scores};
use crate::inputs::{Inputs, System};
use crate::static_pairs::ordered;
use crate::strip;
use indexmap::IndexSet;
use neurogauge::MetricSummary;
use neurogauge::core::{DetailsByMetric, Outcome};
use neurogauge::metrics::in_order;
use std::collections::HashMap;

/// The metrics with which a report may open; the first available one is used.
const HEADLINES: [&str; 4] = ["seed", "basic", "clip", "ssim"];

impl ScorePart {
    /// With the metrics that have these ids, or with all.
    pub(crate) fn of(inputs: &Inputs, ids: &[String]) -> Self {
        let metrics = metrics(&inputs.systems, ids);
        let mut reasons = IndexSet::new();
        let of_system = |system: &System| -> Vec<Option<Scores>> {
            let of_metric = |metric: &MetricEntry| {
                let summary = summary(system, metric.id)?;
                let outcomes = system.run.scores.column(metric.id)?;
                Some(scores(system, summary, outcomes, &mut reasons))
            };
            metrics.iter().map(of_metric).collect()
        };
        let mut part = ScorePart {
            scores: inputs.systems.iter().map(of_system).collect(),
            differences: differences(inputs, &metrics),
            reasons: reasons.into_iter().collect(),
            metrics,
            strips: Vec::new(),
        };
        let strip = |system, metric| strip::columns(&ordered(&part, system, metric));
        let strips = |system| (0..part.metrics.len()).map(|metric| strip(system, metric)).collect();
        part.strips = (0..part.scores.len()).map(strips).collect();
        part
    }

    /// The metric with which the page opens; it depends on a placeholder only if there is no other.
    pub(crate) fn headline(&self) -> usize {
        let place = |wanted: &dyn Fn(&MetricEntry) -> bool| self.metrics.iter().position(wanted);
        let named = HEADLINES.iter().find_map(|id| place(&|metric| metric.id == *id && !metric.stand_in));
        named.or_else(|| place(&|metric| !metric.stand_in)).unwrap_or(0)
    }
}

pub(crate) fn summary<'a>(system: &'a System, id: &str) -> Option<&'a MetricSummary> {
    system.summaries.iter().find(|summary| summary.metric.spec.id == id)
}

/// The metrics with these ids that any run has, or all, in the registry's order; metrics of other models' features
/// follow.
fn metrics(systems: &[System], ids: &[String]) -> Vec<MetricEntry> {
    let is_shown = |id: &str| ids.is_empty() || ids.iter().any(|shown| shown == id);
    let entry = |id: &'static str| {
        let mut found = systems.iter().filter_map(|system| summary(system, id));
        let first = found.next()?;
        let spec = &first.metric.spec;
        Some(MetricEntry {
            id: spec.id,
            label: first.label.clone(),
            about: spec.about,
            direction: spec.direction,
            chance: first.chance,
            decimals: spec.decimals,
            stand_in: first.stand_in || found.any(|summary| summary.stand_in),
            range: spec.range,
        })
    };
    let ids_of_runs = systems.iter().flat_map(|system| &system.summaries).map(|summary| summary.metric.spec.id);
    let metrics = in_order(ids_of_runs.filter(|id| is_shown(id)));
    metrics.iter().filter_map(|metric| entry(metric.spec.id)).collect()
}

fn scores(system: &System, summary: &MetricSummary, outcomes: &[Outcome], reasons: &mut IndexSet<String>) -> Scores {
    let mut undefined = Vec::new();
    let value = |(pair, place): (usize, &Option<usize>)| match place.and_then(|place| outcomes.get(place))? {
        Ok(value) => Some(*value),
        Err(reason) => {
            undefined.push((pair, reasons.insert_full(reason.to_string()).0));
            None
        }
    };
    Scores {
        values: system.places.iter().enumerate().map(value).collect(),
        mean: summary.estimate.value.as_ref().ok().copied(),
        interval: summary.estimate.interval,
        undefined,
    }
}

fn differences(inputs: &Inputs, metrics: &[MetricEntry]) -> Vec<Difference> {
    let Some(comparison) = &inputs.comparison else {
        return Vec::new();
    };
    let place = |name: &str| comparison.systems.iter().position(|known| known == name);
    let found = comparison.differences().iter().filter_map(|found| {
        let metric = metrics.iter().find(|metric| metric.id == found.metric)?;
        Some(Difference {
            metric: metric.id,
            a: place(&found.minuend)?,
            b: place(&found.subtrahend)?,
            difference: found.difference,
            interval: found.interval,
            p_holm: found.p_holm,
        })
    });
    found.collect()
}

/// What each pair of the page matched, missed and invented.
pub(crate) fn details(system: &System) -> Vec<Option<DetailsByMetric>> {
    let known: HashMap<&str, &DetailsByMetric> =
        (system.details.iter()).map(|pair| (pair.stem.as_str(), &pair.metrics)).collect();
    let pairs = &system.run.scores.pairs;
    let of_pair = |place: &Option<usize>| {
        let stem = pairs.get((*place)?)?;
        known.get(stem.as_str()).map(|details| (*details).clone())
    };
    system.places.iter().map(of_pair).collect()
}
