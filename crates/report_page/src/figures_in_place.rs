//! Puts the figures of a result below the tables that they show.

use crate::markdown_tables;
use maud::{Markup, html};

/// In the name of a multiverse's figure, this precedes the id of a metric.
const CURVE: &str = "specification curve ";

/// In the title of a metric's last table, this follows the metric's label.
const LAST: &str = ": what the choices make of the spread";

/// Figures of an audit, and the beginnings of the questions that they belong to.
const OF_QUESTIONS: [(&str, &str); 2] = [
    ("nearest training", "Do test stimuli resemble"),
    ("by cluster alone", "How much of identification is the cluster"),
];

/// A result's tables and figures as HTML. Each figure has a name in words: the specification curve of a metric goes
/// below the metric's last table, figures of an audit go below their questions, and other figures below all tables.
pub(crate) fn to_html(markdown: &str, figures: &[(String, Markup)]) -> Markup {
    let curve = |label: &str| {
        let of_metric = |figure: &'_ (String, Markup)| {
            let id = figure.0.strip_prefix(CURVE)?.replace(' ', "_");
            let own = neurogauge::metrics::find(&id)?.spec.label;
            label.starts_with(own).then_some(own.len())
        };
        // The label of another metric may also begin with "EffNet".
        let named = figures.iter().filter_map(|figure| Some((of_metric(figure)?, figure)));
        named.max_by_key(|(len, _)| *len).map(|(_, figure)| figure)
    };
    let mut rest: Vec<&(String, Markup)> = figures.iter().collect();
    let mut parts = Vec::new();
    let mut begin = 0;
    for end in markdown.match_indices("\n### ").map(|(at, _)| at + 1).chain([markdown.len()]) {
        let part = &markdown[begin..end];
        begin = end;
        let title = part.lines().next().unwrap_or_default().trim_start_matches("### ");
        let of_question = || {
            let (name, _) = OF_QUESTIONS.iter().find(|(_, begin)| title.starts_with(begin))?;
            figures.iter().find(|(other, _)| other == name)
        };
        let own = title.strip_suffix(LAST).and_then(curve).or_else(of_question);
        rest.retain(|(name, _)| own.is_none_or(|own| own.0 != *name));
        parts.push((part, own));
    }
    html! {
        @for (part, own) in parts {
            (markdown_tables::to_html(part))
            @if let Some((_, figure)) = own { (figure) }
        }
        @for (_, figure) in rest { (figure) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use maud::PreEscaped;

    #[test]
    fn a_curve_is_below_the_tables_of_its_metric() {
        let tables = "### SSIM under 2 conventions\n\none\n\n### SSIM: what the choices make of the spread\n\ntwo\n\n### How much of identification is the cluster?\n\nfour\n\n### PSNR under 2\n\nthree\n";
        let figure = |name: &str| (name.to_owned(), PreEscaped(format!("<{name}>\n")));
        let figures = ["other", "specification curve psnr", "specification curve ssim", "by cluster alone"];
        let found = to_html(tables, &figures.map(figure)).into_string();
        let order = [
            "one",
            "two",
            "<specification curve ssim>",
            "four",
            "<by cluster alone>",
            "three",
            "<other>",
            "<specification curve psnr>",
        ];
        let places: Vec<usize> = order.iter().map(|part| found.find(part).unwrap()).collect();
        assert!(places.is_sorted(), "{found}");
        // Figures of other commands' results are below all tables.
        assert_eq!(to_html("a", &[figure("b")]).into_string(), "<p>a</p>\n<b>\n");
    }
}
