//! Every convention that a metric names has a section in CONVENTIONS.md, and every section explains an id of its own.

use neurogauge_metrics::METRICS;
use std::collections::HashSet;

/// The id of each section, and its text.
pub(crate) fn sections() -> Vec<(String, String)> {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../CONVENTIONS.md");
    let text = std::fs::read_to_string(path).unwrap();
    text.split("\n### `")
        .skip(1)
        .map(|section| {
            let (id, rest) = section.split_once("`\n").unwrap();
            let end = rest.find("\n## ").unwrap_or(rest.len());
            (id.to_owned(), rest[..end].to_owned())
        })
        .collect()
}

fn explained() -> Vec<String> {
    sections().into_iter().map(|(id, _)| id).collect()
}

#[test]
fn every_convention_of_every_metric_is_explained() {
    let explained = explained();
    for metric in METRICS {
        assert!(
            !metric.spec.conventions.is_empty(),
            "{} names none",
            metric.spec.id
        );
        for id in metric.spec.conventions {
            assert!(
                explained.iter().any(|known| known == id),
                "{}: CONVENTIONS.md does not explain `{id}`",
                metric.spec.id
            );
        }
    }
}

#[test]
fn every_section_has_its_question_its_default_and_its_options() {
    for (id, text) in sections() {
        assert!(
            text.trim_start().starts_with("**Question.** "),
            "{id} begins with no question"
        );
        for part in ["**Default.** ", "**Options.** "] {
            let found = text.matches(&format!("\n{part}")).count();
            assert_eq!(found, 1, "{id}: {part}");
        }
    }
}

#[test]
fn no_id_is_used_twice() {
    let explained = explained();
    let distinct: HashSet<&String> = explained.iter().collect();
    assert_eq!(distinct.len(), explained.len());
    let metrics: HashSet<&str> = METRICS.iter().map(|metric| metric.spec.id).collect();
    assert_eq!(metrics.len(), METRICS.len());
}
