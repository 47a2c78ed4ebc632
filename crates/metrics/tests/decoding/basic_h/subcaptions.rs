//! Sub-captions computed by hand.

use crate::support::*;
use neurogauge_metrics::decoding::basic_h::Subcaptions;

fn graph(objects: &[&str], attributes: &[(&str, &str)], relations: &[[&str; 3]]) -> SceneGraph {
    let mut graph = SceneGraph {
        objects: objects.iter().map(|&o| o.to_owned()).collect(),
        relations: relations.iter().map(|r| r.map(str::to_owned)).collect(),
        ..SceneGraph::default()
    };
    for (object, attribute) in attributes {
        graph.attributes.entry((*object).to_owned()).or_default().push((*attribute).to_owned());
    }
    graph
}

const SENTENCES: [&str; 3] =
    ["A man holds a red umbrella.", "The man wears a hat. ", "A blue umbrella lies on the grass."];

fn graphs() -> [SceneGraph; 3] {
    [
        graph(&["man", "umbrella"], &[("umbrella", "red")], &[["man", "hold", "umbrella"]]),
        graph(&["man", "hat"], &[], &[["man", "wear", "hat"]]),
        graph(&["umbrella", "grass"], &[("umbrella", "blue")], &[["umbrella", "lie on", "grass"]]),
    ]
}

#[test]
fn sentences_are_joined_by_what_they_name() {
    let found = Subcaptions::of(&SENTENCES, &graphs());
    assert_eq!(
        found.texts(),
        [
            // The man; the umbrella; man and umbrella (man and hat have the man's caption); umbrella and grass have the
            // umbrella's.
            "A man holds a red umbrella. The man wears a hat.",
            "A man holds a red umbrella. A blue umbrella lies on the grass.",
            "A man holds a red umbrella. The man wears a hat. A blue umbrella lies on the grass.",
        ]
    );
}

#[test]
fn attributes_and_relations_are_those_of_the_sub_captions() {
    let found = Subcaptions::of(&SENTENCES, &graphs());
    let parsed = [
        graph(&["man"], &[("man", "tall")], &[["man", "put on", "hat"]]),
        // The parser mentions one of the two umbrellas.
        graph(&["umbrella"], &[("umbrella", "red")], &[["umbrella", "lie on", "grass"]]),
        graph(&["man"], &[], &[["man", "carry", "umbrella"]]),
    ];
    let bound = found.bind(&graphs(), &parsed);
    let expected = graph(
        &["grass", "hat", "man", "umbrella"],
        &[("man", "tall"), ("umbrella", "red")],
        &[["man", "carry", "umbrella"], ["man", "put on", "hat"], ["umbrella", "lie on", "grass"]],
    );
    assert_eq!(bound, expected);
}

#[test]
fn what_a_sub_caption_does_not_speak_of_is_as_the_sentences_say() {
    let found = Subcaptions::of(&SENTENCES, &graphs());
    let silent = [(); 3].map(|()| SceneGraph::default());
    let bound = found.bind(&graphs(), &silent);
    let expected = graph(
        &["grass", "hat", "man", "umbrella"],
        &[("umbrella", "blue"), ("umbrella", "red")],
        &[["man", "hold", "umbrella"], ["man", "wear", "hat"], ["umbrella", "lie on", "grass"]],
    );
    assert_eq!(bound, expected);
}

#[test]
fn one_sentence_is_not_parsed_again() {
    let graphs = graphs();
    let found = Subcaptions::of(&SENTENCES[..1], &graphs[..1]);
    assert!(found.texts().is_empty());
    assert_eq!(found.bind(&graphs[..1], &[]), graphs[0]);
    assert_eq!(Subcaptions::of(&[], &[]).bind(&[], &[]), SceneGraph::default());
}
