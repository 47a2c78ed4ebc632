//! Whether this number of pairs and differences can reach significance at all.

use super::{CompareOptions, Differences, NamedDifference};
use indexmap::IndexMap;
use neurogauge_core::first_names;
use neurogauge_metrics::Metric;
use neurogauge_stats::{Comparison, PairedTest, Verdict};
use std::fmt;

/// The tests that one Holm correction covers.
#[derive(Clone, Copy)]
pub(super) struct Design<'a> {
    n_stimuli: usize,
    /// The unit that is counted: pairs, items, or stimuli if several pairs show the same one.
    unit: &'static str,
    n_tests: usize,
    options: &'a CompareOptions,
}

/// The unit that is counted if several pairs show the same stimulus.
const STIMULI: &str = "stimuli";
/// More stimuli than any family of tests needs.
const MANY_STIMULI: usize = 64;

impl<'a> Design<'a> {
    /// The family of one of these differences.
    pub(super) fn of(
        found: &NamedDifference,
        all: &Differences,
        unit: &'static str,
        options: &'a CompareOptions,
    ) -> Self {
        Design {
            n_stimuli: found.n_stimuli.unwrap_or(found.n),
            unit: found.n_stimuli.map_or(unit, |_| STIMULI),
            n_tests: all.n_tests(Some(found)),
            options,
        }
    }

    fn alpha(self) -> f64 {
        1.0 - self.options.bootstrap.level
    }

    /// Could the smallest possible p be significant?
    fn can_decide(self) -> bool {
        let smallest = self.options.smallest_p(self.n_stimuli, self.n_tests);
        smallest * self.n_tests as f64 <= self.alpha()
    }

    /// Changes that would let the test reach significance.
    fn remedies(self) -> Vec<String> {
        let mut remedies = Vec::new();
        if self.options.test == PairedTest::Studentized {
            let needed = (2.0 * self.n_tests as f64 / self.alpha() - 1e-6).ceil();
            remedies.push(format!("--resamples {}", needed - 1.0));
        }
        let with_so_many = |n_stimuli: &usize| {
            Design {
                n_stimuli: *n_stimuli,
                ..self
            }
            .can_decide()
        };
        let enough = (2..MANY_STIMULI).find(with_so_many);
        remedies.extend(enough.map(|n| format!("{n} {}", self.unit)));
        // More tests never make a decision easier.
        let (mut most, mut too_many) = (0, self.n_tests);
        while too_many - most > 1 {
            let n_tests = usize::midpoint(most, too_many);
            match (Design { n_tests, ..self }).can_decide() {
                true => most = n_tests,
                false => too_many = n_tests,
            }
        }
        remedies.extend(match most {
            0 => None,
            1 => Some("a single difference".to_owned()),
            _ => Some(format!("{most} differences")),
        });
        remedies
    }
}

impl fmt::Display for Design<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // In floating point, 1 − 0.95 is not exactly 0.05.
        let alpha = (self.alpha() * 1e9).round() / 1e9;
        let (n_stimuli, n_tests, unit) = (self.n_stimuli, self.n_tests, self.unit);
        match n_tests {
            1 => write!(f, "{n_stimuli} {unit} cannot give p ≤ {alpha}")?,
            _ => write!(f, "{n_stimuli} {unit} and {n_tests} differences cannot give p (Holm) ≤ {alpha}")?,
        }
        write!(f, ", however large the difference")?;
        match self.remedies().join(" or ") {
            remedies if remedies.is_empty() => Ok(()),
            remedies => write!(f, "; {remedies} could"),
        }
    }
}

/// A note for each number of stimuli with which no rank can be decided.
pub(super) fn undecidable_ranks(
    metrics: &[(&Metric, &Comparison)],
    (differences, unit): (&Differences, &'static str),
    options: &CompareOptions,
) -> Vec<String> {
    let mut groups: IndexMap<usize, (Design<'_>, Vec<&str>)> = IndexMap::new();
    for (metric, _) in metrics {
        let is_tested = |found: &NamedDifference| found.metric == metric.spec.id && found.verdict.is_some();
        let mut own = differences.iter().filter(is_tested).peekable();
        let Some(design) = own.peek().map(|found| Design::of(found, differences, unit, options)) else {
            continue;
        };
        if own.any(|found| found.verdict != Some(Verdict::NotDecidable)) {
            continue;
        }
        let (_, labels) = groups.entry(design.n_stimuli).or_insert_with(|| (design, Vec::new()));
        labels.push(metric.spec.label);
    }
    let note = |(design, labels): (Design<'_>, Vec<&str>)| {
        let named = first_names(&labels);
        format!(
            "{named}: ranks are not decidable here, so every rank stays possible, which does not make systems equal: {design}"
        )
    };
    groups.into_values().map(note).collect()
}
