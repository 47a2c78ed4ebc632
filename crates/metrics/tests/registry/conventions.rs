//! Every convention that a metric names is explained in CONVENTIONS.md, and every id there is said once.

use neurogauge_metrics::METRICS;
use std::collections::HashSet;

fn explained() -> Vec<String> {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../CONVENTIONS.md");
    let text = std::fs::read_to_string(path).unwrap();
    text.lines()
        .filter_map(|line| Some(line.strip_prefix("| `")?.split_once('`')?.0.to_owned()))
        .collect()
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
fn no_id_is_used_twice() {
    let explained = explained();
    let distinct: HashSet<&String> = explained.iter().collect();
    assert_eq!(distinct.len(), explained.len());
    let metrics: HashSet<&str> = METRICS.iter().map(|metric| metric.spec.id).collect();
    assert_eq!(metrics.len(), METRICS.len());
}
