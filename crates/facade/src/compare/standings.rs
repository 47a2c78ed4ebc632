//! The standing of each system among the others by a metric, and the sentence that sums it up.

use super::SystemComparison;
use neurogauge_core::{Direction, counted};
use neurogauge_metrics::Metric;
use neurogauge_stats::{Comparison, Verdict};

/// The standing of a system among the others by a metric.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SystemStanding {
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

/// The standing of each system with these means; `verdict` is the result of testing two of them.
fn standings_of(
    values: &[Option<f64>],
    direction: Direction,
    verdict: impl Fn(usize, usize) -> Option<Verdict>,
) -> Vec<SystemStanding> {
    let n = values.len();
    let known = (0..n).filter_map(|system| Some((system, values[system]?)));
    let best = known.reduce(|best, other| match direction.better(other.1, best.1) {
        true => other,
        false => best,
    });
    let (Some((best, _)), true) = (best, n > 1) else {
        return vec![SystemStanding::Other; n];
    };
    let standing = |system: usize| match verdict(best, system) {
        Some(Verdict::NotShown) => SystemStanding::Tied,
        Some(Verdict::NotDecidable) => SystemStanding::NotDecidable,
        Some(Verdict::Different) | None => SystemStanding::Other,
    };
    let mut all: Vec<SystemStanding> = (0..n).map(standing).collect();
    let others = (0..n).filter(|&system| system != best && values[system].is_some());
    let are_tested = || others.clone().all(|system| verdict(best, system).is_some());
    all[best] = if all.contains(&SystemStanding::NotDecidable) {
        SystemStanding::NotDecidable
    } else if all.contains(&SystemStanding::Tied) {
        SystemStanding::Tied
    } else if others.clone().next().is_some() && are_tested() {
        SystemStanding::Best
    } else {
        SystemStanding::Other
    };
    all
}

impl SystemComparison {
    /// The standing of each system by a metric. Metrics of placeholders are not tested and have no best system.
    pub fn standings(&self, metric: &Metric, compared: &Comparison) -> Vec<SystemStanding> {
        let n = self.systems.len();
        let place = self.metrics.iter().position(|(known, _)| known.spec.id == metric.spec.id);
        let estimates = compared.systems.iter().map(|system| &system.estimate.value);
        let values: Vec<Option<f64>> = estimates.map(|value| value.as_ref().ok().copied()).collect();
        standings_of(&values, metric.spec.direction, |one, other| {
            let (a, b) = (one.min(other), one.max(other));
            // After the differences of the systems before a: n - 1 of the first, n - 2 of the second, ...
            self.differences().verdict(place?, a * (2 * n - a - 1) / 2 + (b - a).checked_sub(1)?)
        })
    }

    /// When a system is called better than another one.
    pub fn test_words(&self) -> String {
        let alpha = ((1.0 - self.table.level) * 1e9).round() / 1e9;
        format!("p ≤ {alpha} after Holm's correction {}", self.correction())
    }

    /// Which system is shown to be better than all others, and by how many of the tested metrics among these; `None` if
    /// none is tested.
    pub fn headline(&self, is_shown: impl Fn(&Metric) -> bool) -> Option<String> {
        let shown = self.metrics.iter().filter(|(metric, _)| is_shown(metric));
        let rows = shown.map(|(metric, compared)| self.standings(metric, compared));
        let rows: Vec<_> = rows.filter(|row| row.iter().any(|own| *own != SystemStanding::Other)).collect();
        let is_open = |row: &&Vec<SystemStanding>| row.contains(&SystemStanding::NotDecidable);
        let is_tied = |row: &&Vec<SystemStanding>| !is_open(row) && row.contains(&SystemStanding::Tied);
        let (n_open, n_tied) = (rows.iter().filter(is_open).count(), rows.iter().filter(is_tied).count());
        let best_by = |system: usize| rows.iter().filter(|row| row[system] == SystemStanding::Best).count();
        let mut wins: Vec<(usize, usize)> = (0..self.systems.len()).map(|system| (best_by(system), system)).collect();
        wins.retain(|(n, _)| *n > 0);
        wins.sort_by_key(|&(n, system)| (std::cmp::Reverse(n), system));
        let n = counted(rows.len(), "metric");
        let won = wins.iter().map(|&(won, system)| {
            let others = match self.systems.as_slice() {
                [_, _] => self.systems[1 - system].as_str(),
                _ => "every other system",
            };
            format!("{} is better than {others} by {won} of {n}", self.systems[system])
        });
        let won = won.collect::<Vec<String>>().join(", ");
        let test = self.test_words();
        let tied = counted(n_tied, "metric");
        let sentences = [
            (!won.is_empty()).then(|| format!("{won} ({test}).")),
            (n_tied > 0).then(|| match won.is_empty() {
                true => format!("By {tied} no system is shown to be the best ({test})."),
                false => format!("By {tied} no system is shown to be the best."),
            }),
            (n_open > 0)
                .then(|| format!("By {} there are too few pairs to decide which is best.", counted(n_open, "metric"))),
        ];
        let sentences: Vec<String> = sentences.into_iter().flatten().collect();
        (!sentences.is_empty()).then(|| sentences.join(" "))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_system_that_differs_from_every_other_one_is_best() {
        let of = |second: Option<Verdict>, third: Option<Verdict>| {
            let values = [Some(0.2), Some(0.9), Some(0.5), None];
            standings_of(&values, Direction::Higher, |one, other| {
                assert_eq!(one, 1, "against the best mean");
                [second, None, third, None][other]
            })
        };
        use SystemStanding::*;
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
