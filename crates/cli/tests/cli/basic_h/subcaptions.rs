//! `neurogauge score --set parser=t5-subcaptions`, with a synthetic parser.

use super::parser::{Setting, merged, score};
use crate::support::*;
use neurogauge::core::SceneGraph;
use neurogauge::formats::scene_graphs;
use neurogauge::metrics::decoding::basic_h::Subcaptions;

/// Repeated statements are about the same objects, however the parser labels them.
const CAPTIONS: [(&str, &[&str]); 3] = [
    ("1", &["The dock is large.", "The dock is large."]),
    ("2", &["Two men are on a boat.", "The boat is red.", "Two men are on a boat."]),
    ("3", &["a man"]),
];

fn graphs(setting: &Setting, run: &str) -> Vec<(String, SceneGraph)> {
    scene_graphs::read(&setting.path(run).join("observations/gt/scene_graphs.json")).unwrap()
}

#[test]
fn graphs_are_bound_as_the_library_binds_them_and_kept_apart_from_those_of_sentences() {
    let setting = Setting::new();
    let texts = CAPTIONS.map(|(stem, sentences)| (stem, sentences.join(" ")));
    for side in ["gt", "recon"] {
        setting.write_captions(&format!("{side}/captions.json"), &texts);
    }
    score(&setting, "bound", "--set parser=t5-subcaptions --set parser_beams=1").done();
    let parse = |texts: &[&str]| -> Vec<SceneGraph> { texts.iter().map(|text| setting.parsed(&[text], 1)).collect() };
    let mut n_texts = 0;
    for ((stem, graph), (expected_stem, sentences)) in graphs(&setting, "bound").iter().zip(CAPTIONS) {
        assert_eq!(stem, expected_stem);
        let of_sentences = parse(sentences);
        let sub_captions = Subcaptions::of(sentences, &of_sentences);
        let texts: Vec<&str> = sub_captions.texts().iter().map(String::as_str).collect();
        n_texts += texts.len();
        assert_eq!(*graph, merged(&[sub_captions.bind(&of_sentences, &parse(&texts))]), "{stem}");
    }
    assert!(n_texts > 1, "the synthetic parser names nothing twice");
    assert_eq!(step(&record(&setting.path("bound")), "scene_graphs")["recipe"]["sub_captions"], true);

    score(&setting, "merged", "--set parser=t5 --set parser_beams=1").done();
    for ((stem, graph), (_, sentences)) in graphs(&setting, "merged").iter().zip(CAPTIONS) {
        assert_eq!(*graph, merged(&parse(sentences)), "{stem}");
    }
    assert!(step(&record(&setting.path("merged")), "scene_graphs")["recipe"].get("sub_captions").is_none());
}
