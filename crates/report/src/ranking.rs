//! Writes the sentence that says which of several is best.

use crate::number::{fixed, interval, p_in_words};

/// A name with its value, for a sentence about ranks.
#[derive(Debug, Clone, PartialEq)]
pub struct Ranked<'a> {
    /// What is ranked: a system, a metric, a source.
    pub name: &'a str,
    pub value: f64,
    /// The interval of the value, if it has one.
    pub interval: Option<(f64, f64)>,
}

/// The tested difference between the first and another one.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct TestedDifference {
    /// The difference; its sign says which of the two is better, as for the values themselves.
    pub value: f64,
    pub interval: Option<(f64, f64)>,
    /// p after correction over all differences that were tested together.
    pub p: Option<f64>,
}

/// What a sentence ranks, and what it claims if the rank is shown.
#[derive(Debug, Clone, Copy)]
pub struct Ranking<'a> {
    /// What is ranked, in the singular: `metric`.
    pub kind: &'a str,
    /// What is said of the first one if that is shown: `agrees best with people`.
    pub claim: &'a str,
    /// The name of the values: `τ-b`.
    pub quantity: &'a str,
    /// The correction of p: `Holm, 28 differences`.
    pub correction: &'a str,
    /// The level of the tests: 0.05.
    pub alpha: f64,
    /// Number of decimals in the values.
    pub decimals: usize,
}

impl Ranking<'_> {
    /// Says which is first, but claims it only if its difference from every other one is significant after correction.
    ///
    /// `ranked` is sorted, the best first; `difference(i)` is the first minus `ranked[i]`, or `None` if that was not
    /// tested. Either way the sentence has the difference from the second, with its interval and p. It is empty for
    /// fewer than two.
    pub fn sentence(&self, ranked: &[Ranked<'_>], difference: impl Fn(usize) -> Option<TestedDifference>) -> String {
        let [first, second, ..] = ranked else {
            return String::new();
        };
        let is_shown = |found: TestedDifference| found.p.is_some_and(|p| p <= self.alpha);
        let shown = (1..ranked.len()).all(|other| difference(other).is_some_and(is_shown));
        let tested = self.tested(difference(1));
        let with = |of: &Ranked<'_>| {
            let own = of.interval.map(|ends| format!(" {}", interval(ends, self.decimals)));
            format!("{}{}", fixed(of.value, self.decimals), own.unwrap_or_default())
        };
        let (kind, claim, quantity) = (self.kind, self.claim, self.quantity);
        match shown {
            true => format!(
                "{} {claim}: {quantity} {}. Next is {} with {} ({tested}).",
                first.name,
                with(first),
                second.name,
                with(second)
            ),
            false => format!(
                "It is not shown which {kind} {claim}: {quantity} {} for {} and {} for {} ({tested}).",
                with(first),
                first.name,
                with(second),
                second.name
            ),
        }
    }

    fn tested(&self, difference: Option<TestedDifference>) -> String {
        let Some(found) = difference else {
            return "their difference is not tested".to_owned();
        };
        let ends = found.interval.map(|ends| format!(" {}", interval(ends, self.decimals)));
        let p = found.p.map_or_else(|| "no p".to_owned(), p_in_words);
        format!(
            "difference {}{}, {p}; {}",
            fixed(found.value, self.decimals),
            ends.unwrap_or_default(),
            self.correction
        )
    }
}
