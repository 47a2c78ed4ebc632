//! Values, intervals and ranks as text.

use crate::board::Cell;
use crate::entry::Printed;
use neurogauge::core::MetricSpec;
use neurogauge::core::hostile_text::for_html as escape;
use neurogauge::report::fixed;

pub(super) fn number(spec: &MetricSpec, value: f64) -> String {
    fixed(value, spec.decimals)
}

/// The same with a sign, except for what rounds to zero.
pub(super) fn signed(spec: &MetricSpec, value: f64) -> String {
    let text = number(spec, value);
    match text.starts_with('-') || !text.contains(|c: char| matches!(c, '1'..='9')) {
        true => text,
        false => format!("+{text}"),
    }
}

/// The attribute by which tables are sorted; nothing for a cell without a number, which is behind the others.
pub(super) fn sorted_by(value: Option<f64>) -> String {
    value.map_or(String::new(), |value| format!(" data-v=\"{value}\""))
}

/// The value, or why there is none; and the attribute by which tables are sorted.
pub(super) fn value(spec: &MetricSpec, cell: &Cell) -> (String, String) {
    match &cell.estimate.value {
        Ok(value) => (number(spec, *value), sorted_by(Some(*value))),
        Err(reason) => (escape(&reason.to_string()), String::new()),
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

/// What the paper printed, and what our value has more; without a difference where another program computed it.
pub(super) fn printed(spec: &MetricSpec, cell: &Cell) -> String {
    let (value, by) = match &cell.printed {
        None => return String::new(),
        Some(Printed::Value(value)) => (*value, None),
        Some(Printed::By { value, by }) => (*value, Some(by)),
    };
    let shown = number(spec, value);
    match (&cell.estimate.value, by) {
        (_, Some(by)) => format!("{shown} by {}", escape(by)),
        (Ok(own), None) if number(spec, *own) == shown => format!("{shown} (the\u{a0}same)"),
        (Ok(own), None) => format!("{shown} ({})", signed(spec, own - value)),
        (Err(_), None) => shown,
    }
}

/// A cell of a table of several metrics.
pub(super) fn cell_of(spec: &MetricSpec, cell: Option<&Cell>, link: &str) -> String {
    let id = escape(spec.id);
    let Some(cell) = cell else {
        return format!("<td data-m=\"{id}\">–</td>");
    };
    let (shown, sorted) = value(spec, cell);
    if cell.estimate.value.is_err() {
        return format!("<td data-m=\"{id}\"><a href=\"{link}\"><small>{shown}</small></a></td>");
    }
    let rank = match rank(cell) {
        none if none.is_empty() => none,
        rank => format!(" <span class=\"rank\">#{rank}</span>"),
    };
    let printed = match printed(spec, cell) {
        none if none.is_empty() => none,
        printed => format!("<small class=\"printed\">printed {printed}</small>"),
    };
    let interval = interval(spec, cell);
    format!("<td data-m=\"{id}\"{sorted}><a href=\"{link}\">{shown}</a>{rank}<small>{interval}</small>{printed}</td>")
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
