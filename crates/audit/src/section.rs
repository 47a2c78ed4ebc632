//! A question of an audit, and its answer.

use neurogauge::Error;
use neurogauge::core::{Direction, Estimate, Finding, Outcome, Undefined};
use neurogauge::metrics;
use neurogauge::stats::{BootstrapOptions, estimate_within};
use serde::Serialize;

/// A question, its numbers, and the answer in words.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Section {
    /// A short name, such as `overlap`.
    pub id: &'static str,
    pub question: &'static str,
    pub lines: Vec<Line>,
    /// What the numbers can and cannot show.
    pub answer: String,
    /// The population that the intervals refer to.
    pub population: &'static str,
    /// Who proposed the question.
    pub reference: &'static str,
}

impl Section {
    /// The first sentence of the answer, and the others.
    pub fn sentences(&self) -> (&str, &str) {
        let first = self.answer.find(". ").map_or(self.answer.len(), |end| end + 1);
        let (first, others) = self.answer.split_at(first);
        (first, others.trim_start())
    }
}

/// A number of a [`Section`].
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Line {
    pub what: String,
    /// The number with its interval, or the reason why it is undefined.
    pub estimate: Estimate,
    pub compared_with: Option<Comparison>,
}

/// A number to compare with.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Comparison {
    /// Its name, such as `chance` or `by cluster alone`.
    pub what: &'static str,
    pub value: f64,
}

impl Line {
    pub(crate) fn new(what: impl Into<String>, estimate: Estimate) -> Self {
        Line {
            what: what.into(),
            estimate,
            compared_with: None,
        }
    }

    /// The mean of values within these limits, with the interval for new items.
    pub(crate) fn mean(
        what: impl Into<String>,
        values: &[Outcome],
        range: (f64, f64),
        options: &BootstrapOptions,
    ) -> Result<Self, Error> {
        Ok(Line::new(what, estimate_within(&[values], range, options)?))
    }

    /// A number without an interval, for `n` items.
    pub(crate) fn exact(what: impl Into<String>, value: Result<f64, Undefined>, n: usize) -> Self {
        let estimate = Estimate {
            n: if value.is_ok() { n } else { 0 },
            n_undefined: if value.is_ok() { 0 } else { n },
            value,
            interval: None,
        };
        Line::new(what, estimate)
    }

    pub(crate) fn beside(mut self, what: &'static str, value: f64) -> Self {
        self.compared_with = Some(Comparison { what, value });
        self
    }

    pub(crate) fn value(&self) -> Option<f64> {
        self.estimate.value.as_ref().ok().copied()
    }
}

/// A similarity; undefined if it is NaN, which rows that cannot be compared have.
pub(crate) fn known(similarity: f64) -> Outcome {
    if similarity.is_nan() {
        Err(Undefined::NoPairs)
    } else {
        Ok(similarity)
    }
}

/// A share as a percentage: 0.034 is 3.4%.
pub(crate) fn percent(share: f64) -> String {
    format!("{:.1}%", share * 100.0)
}

/// Whether higher or lower scores of a table's metric are better; warns if that is unknown.
pub(crate) fn direction_of(metric: &str, place: &str, findings: &mut Vec<Finding>) -> Direction {
    let known = metrics::find(metric);
    if known.is_none() {
        let message = format!("not a known metric: higher is taken to be better {place}");
        findings.push(Finding::warning("direction_assumed", metric, message));
    }
    known.map_or(Direction::Higher, |known| known.spec.direction)
}
