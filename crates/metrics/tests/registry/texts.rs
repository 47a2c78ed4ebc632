//! What the registry says of its metrics.

use crate::support::*;
use neurogauge_metrics::internals::{all_papers, without_links};

#[test]
fn every_metric_that_is_computed_here_is_defined() {
    for metric in METRICS {
        let id = metric.spec.id;
        let is_of_network = matches!(metric.compute, Compute::Perceptual { .. });
        assert_eq!(definition(id).is_none(), is_of_network, "{id}");
        let text = definition(id).unwrap_or_default();
        assert!(is_of_network || text.contains("Reference"), "{id}: {text}");
        assert!(!text.contains("```rust\n# "), "{id}: {text}");
    }
}

#[test]
fn links_are_their_words() {
    assert_eq!(without_links("a [`b`](c::d) e [`f`], [0, 1] g"), "a `b` e `f`, [0, 1] g");
}

#[test]
fn papers_are_of_metrics_that_exist() {
    for (paper, metrics) in all_papers() {
        for id in metrics.split(' ') {
            assert!(find(id).is_some(), "{paper}: {id}");
        }
    }
}
