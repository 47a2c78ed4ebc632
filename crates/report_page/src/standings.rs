//! The estimate of each system by each metric, and the system's standing among the others.

use crate::document::{MetricEntry, ScorePart};
use crate::inputs::{Inputs, System};
use crate::scores::summary;
use neurogauge::SystemComparison;
use neurogauge::core::Estimate;
use neurogauge::stats::Verdict;

/// The standing of a system among the others by a metric.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Standing {
    /// Shown to be better than every other one.
    Best,
    /// The best mean, if tests do not distinguish it from all others, and the means that they do not distinguish from
    /// it.
    Tied,
    /// As `Tied`, but the test could not have shown any difference with so few pairs and so many differences.
    NotDecidable,
    /// Shown to be worse than the best mean, or not tested.
    Other,
}

impl Standing {
    /// The word for it; `None` for a system that is worse or not tested.
    pub(crate) fn word(self) -> Option<&'static str> {
        match self {
            Standing::Best => Some("best"),
            Standing::Tied => Some("tied"),
            Standing::NotDecidable => Some("not decidable"),
            Standing::Other => None,
        }
    }

    /// The CSS class that gives its mark a shape.
    pub(crate) fn class(self) -> &'static str {
        match self {
            Standing::Best => "best",
            Standing::Tied => "tied",
            Standing::NotDecidable => "open",
            Standing::Other => "other",
        }
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

    /// Number of systems with this standing.
    pub(crate) fn count(&self, standing: Standing) -> usize {
        self.systems.iter().filter(|(_, found)| *found == standing).count()
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

/// The standing of each system with these means; `verdict` is the result of testing two of them.
fn standings_of(
    values: &[Option<f64>],
    metric: &MetricEntry,
    verdict: impl Fn(usize, usize) -> Option<Verdict>,
) -> Vec<Standing> {
    let n = values.len();
    let known = (0..n).filter_map(|system| Some((system, values[system]?)));
    let best = known.reduce(|best, other| match metric.direction.better(other.1, best.1) {
        true => other,
        false => best,
    });
    // Metrics of placeholders have no best system.
    let (Some((best, _)), true) = (best, n > 1 && !metric.stand_in) else {
        return vec![Standing::Other; n];
    };
    let standing = |system: usize| match verdict(best, system) {
        Some(Verdict::NotShown) => Standing::Tied,
        Some(Verdict::NotDecidable) => Standing::NotDecidable,
        Some(Verdict::Different) | None => Standing::Other,
    };
    let mut all: Vec<Standing> = (0..n).map(standing).collect();
    let others = (0..n).filter(|&system| system != best && values[system].is_some());
    let are_tested = || others.clone().all(|system| verdict(best, system).is_some());
    all[best] = if all.contains(&Standing::NotDecidable) {
        Standing::NotDecidable
    } else if all.contains(&Standing::Tied) {
        Standing::Tied
    } else if others.clone().next().is_some() && are_tested() {
        Standing::Best
    } else {
        Standing::Other
    };
    all
}

/// The row of a metric in a comparison of systems; `None` if the comparison lacks the metric.
pub(crate) fn compared<'a>(found: &'a SystemComparison, metric: &'a MetricEntry) -> Option<MetricRow<'a>> {
    let (_, compared) = (found.metrics.iter()).find(|(known, _)| known.spec.id == metric.id)?;
    let estimates = compared.systems.iter().map(|system| &system.estimate);
    let values: Vec<Option<f64>> = (estimates.clone()).map(|estimate| estimate.value.as_ref().ok().copied()).collect();
    let verdict = |one: usize, other: usize| {
        let names = [one, other].map(|system| &found.systems[system]);
        let tested = found.differences().iter().find(|difference| {
            difference.metric == metric.id
                && names.contains(&&difference.minuend)
                && names.contains(&&difference.subtrahend)
        });
        tested?.verdict
    };
    let standings = standings_of(&values, metric, verdict);
    Some(MetricRow {
        metric,
        systems: estimates.map(Some).zip(standings).collect(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use neurogauge::core::Direction;

    #[test]
    fn only_a_system_that_differs_from_every_other_one_is_best() {
        let metric = MetricEntry {
            id: "ssim",
            label: "SSIM".into(),
            about: "",
            direction: Direction::Higher,
            chance: None,
            decimals: 3,
            stand_in: false,
            range: (0.0, 1.0),
        };
        let of = |second: Option<Verdict>, third: Option<Verdict>| {
            let values = [Some(0.2), Some(0.9), Some(0.5), None];
            standings_of(&values, &metric, |one, other| {
                assert_eq!(one, 1, "against the best mean");
                [second, None, third, None][other]
            })
        };
        use Standing::*;
        use Verdict::{Different, NotShown};
        let cases = [
            ((Some(Different), Some(Different)), [Other, Best, Other, Other]),
            ((Some(NotShown), Some(Different)), [Tied, Tied, Other, Other]),
            ((Some(Verdict::NotDecidable), Some(NotShown)), [NotDecidable, NotDecidable, Tied, Other]),
            // Without a test there is no verdict.
            ((Some(Different), None), [Other; 4]),
            ((None, None), [Other; 4]),
        ];
        for ((second, third), expected) in cases {
            assert_eq!(of(second, third), expected);
        }
    }
}
