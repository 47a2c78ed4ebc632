//! The differences of systems as a table, which needs no script.

use crate::document::ScorePart;
use crate::html::{self, fixed};
use crate::inputs::Inputs;
use maud::Markup;

/// A row for each meaningful metric and each two systems.
pub(crate) fn section(inputs: &Inputs, scores: &ScorePart) -> Markup {
    let names = inputs.names();
    let rows = scores.differences.iter().filter_map(|found| {
        let metric = scores.metrics.iter().find(|metric| metric.id == found.metric && !metric.stand_in)?;
        let number = |value: f64| fixed(value, metric.decimals);
        let interval =
            found.interval.map_or(String::new(), |(low, high)| format!("{} to {}", number(low), number(high)));
        Some(vec![
            format!("{} {}", metric.label, metric.direction.arrow()),
            format!("{} − {}", names[found.a], names[found.b]),
            found.difference.map_or_else(|| "–".to_owned(), number),
            interval,
            found.p_holm.map_or_else(|| "–".to_owned(), |p| fixed(p, 4)),
        ])
    });
    let rows: Vec<Vec<String>> = rows.collect();
    if rows.is_empty() {
        return Markup::default();
    }
    let heads = ["Metric", "Systems", "Difference", "Interval", "p (Holm)"];
    let tested = inputs.comparison.as_ref().map_or_else(String::new, |found| {
        format!("; p: {}, with Holm's correction {}", found.test_label(), found.correction())
    });
    let caption = format!("Paired differences of means, over the pairs in which every system has a value{tested}");
    html::table("numbers", &caption, &heads, &rows)
}
