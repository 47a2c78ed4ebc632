//! What must not matter, and properties of all graphs.

use super::capture::{Recorded, capture, compare, golden, graph};
use crate::support::*;

#[test]
fn the_order_of_a_graph_changes_nothing() {
    let golden = golden();
    let lexicon = Recorded::of(&golden);
    for case in list(&golden["cases"]) {
        let (gt, recon) = (graph(&case["gt"]), graph(&case["recon"]));
        let reversed = |graph: &SceneGraph| {
            let mut graph = graph.clone();
            graph.objects.reverse();
            graph.relations.reverse();
            graph.attributes.values_mut().for_each(|of| of.reverse());
            graph
        };
        for options in [BasicHOptions::default(), capture()] {
            let (_, forwards) = compare(&gt, &recon, &lexicon, &options);
            let (_, backwards) = compare(&reversed(&gt), &reversed(&recon), &lexicon, &options);
            assert_eq!(forwards, backwards);
        }
    }
}

#[test]
fn preset_basic_stays_within_0_and_1_and_matches_no_fewer_words() {
    let golden = golden();
    let lexicon = Recorded::of(&golden);
    let substrings = |assignment| BasicHOptions {
        containment: Some(Containment::Substring),
        assignment: Some(assignment),
        ..BasicHOptions::default()
    };
    for case in list(&golden["cases"]) {
        let (gt, recon) = (graph(&case["gt"]), graph(&case["recon"]));
        let (_, scores) = compare(&gt, &recon, &lexicon, &BasicHOptions::default());
        for of in [scores.objects, scores.attributes, scores.relations] {
            for value in [of.precision, of.recall, of.f1].into_iter().flatten() {
                assert!((0.0..=1.0).contains(&value), "{value}");
            }
        }
        let (optimal, _) = compare(&gt, &recon, &lexicon, &substrings(Assignment::Optimal));
        let (greedy, _) = compare(&gt, &recon, &lexicon, &substrings(Assignment::Greedy));
        for (optimal, greedy) in optimal.kinds().into_iter().zip(greedy.kinds()) {
            assert!(optimal.matched.len() >= greedy.matched.len());
        }
    }
}
