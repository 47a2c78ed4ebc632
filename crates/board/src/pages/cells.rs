//! Formats values, intervals and ranks.

use crate::board::Cell;
use crate::entry::Printed;
use maud::{Markup, html};
use neurogauge::core::MetricSpec;
use neurogauge::report::fixed;

pub(super) fn number(spec: &MetricSpec, value: f64) -> String {
    fixed(value, spec.decimals)
}

/// The value with a sign, unless it rounds to zero.
pub(super) fn signed(spec: &MetricSpec, value: f64) -> String {
    let text = number(spec, value);
    match text.starts_with('-') || !text.contains(|c: char| matches!(c, '1'..='9')) {
        true => text,
        false => format!("+{text}"),
    }
}

/// The value, or the reason why there is none.
pub(super) fn value(spec: &MetricSpec, cell: &Cell) -> String {
    match &cell.estimate.value {
        Ok(value) => number(spec, *value),
        Err(reason) => reason.to_string(),
    }
}

pub(super) fn interval(spec: &MetricSpec, cell: &Cell) -> String {
    cell.estimate
        .interval
        .map_or(String::new(), |(low, high)| format!("[{}, {}]", number(spec, low), number(spec, high)))
}

pub(super) fn rank(cell: &Cell) -> String {
    match cell.ranks {
        None => String::new(),
        Some((best, worst)) if best == worst => format!("{best}"),
        Some((best, worst)) => format!("{best}–{worst}"),
    }
}

/// The printed value, and the difference of ours from it; there is no difference if another program computed the
/// printed value.
pub(super) fn printed(spec: &MetricSpec, cell: &Cell) -> String {
    let (value, by) = match &cell.printed {
        None => return String::new(),
        Some(Printed::Value(value)) => (*value, None),
        Some(Printed::By { value, by }) => (*value, Some(by)),
    };
    let shown = number(spec, value);
    match (&cell.estimate.value, by) {
        (_, Some(by)) => format!("{shown} by {by}"),
        (Ok(own), None) if number(spec, *own) == shown => format!("{shown} (the\u{a0}same)"),
        (Ok(own), None) => format!("{shown} ({})", signed(spec, own - value)),
        (Err(_), None) => shown,
    }
}

/// A cell of a table with several metrics. The attribute `data-v` sorts tables; cells without it come last.
pub(super) fn cell_of(spec: &MetricSpec, cell: Option<&Cell>, link: &str) -> Markup {
    html! {
        @match cell {
            None => td data-m=(spec.id) { "–" },
            Some(cell) if cell.estimate.value.is_err() => {
                td data-m=(spec.id) { a href=(link) { small { (value(spec, cell)) } } }
            }
            Some(cell) => td data-m=(spec.id) data-v=[cell.estimate.value.as_ref().ok()] {
                a href=(link) { (value(spec, cell)) }
                @if cell.ranks.is_some() { " " span.rank { "#" (rank(cell)) } }
                small { (interval(spec, cell)) }
                @if cell.printed.is_some() { small.printed { "printed " (printed(spec, cell)) } }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use neurogauge::metrics::find;

    #[test]
    fn what_rounds_to_zero_has_no_sign() {
        let spec = find("pixcorr").unwrap().spec;
        assert_eq!(number(&spec, -0.0001), "0.000");
        let found = [-0.25, -0.0001, 0.0, 0.25].map(|value| signed(&spec, value));
        assert_eq!(found, ["-0.250", "0.000", "0.000", "+0.250"]);
    }
}
