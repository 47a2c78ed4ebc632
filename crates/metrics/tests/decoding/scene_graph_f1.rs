//! F1 of all elements of two scene graphs, against counted elements.

use crate::support::*;
use neurogauge_metrics::decoding::scene_graph_f1::scene_graph_f1;

fn f1(gt: &SceneGraph, recon: &SceneGraph, soft: SoftMatching) -> Result<f64, Undefined> {
    let options = BasicHOptions {
        soft,
        ..BasicHOptions::default()
    };
    let matches = match_words(gt, recon, &NoLexicon, &options.rules().unwrap());
    let cosine = |_: &str, _: &str| Err(Undefined::Identical);
    scene_graph_f1(&basic_h_scores(&matches, &cosine, &options).unwrap())
}

#[test]
fn it_is_the_f1_of_counted_elements() {
    let golden: Value = golden("caption_overlap");
    let cases = list(&golden["scene_graph_f1"]);
    assert_eq!(cases.len(), 40);
    for case in cases {
        let graph = |side: &str| serde_json::from_value(case[side].clone()).unwrap();
        let found = f1(&graph("gt"), &graph("recon"), SoftMatching::Off);
        match case["f1"].as_f64() {
            Some(expected) => assert!((found.unwrap() - expected).abs() < 1e-12, "{case}"),
            None => assert_eq!(found, Err(Undefined::Empty(Side::Gt))),
        }
    }
}

#[test]
fn what_is_undefined_stays_so() {
    let graph = |object: &str| objects(&[object]);
    let none = SceneGraph::default();
    let soft = SoftMatching::PerSideMaximum;
    assert_eq!(f1(&none, &none, soft), Err(Undefined::Empty(Side::Gt)));
    assert_eq!(f1(&graph("boat"), &none, soft), Ok(0.0));
    // The similarity of different objects is undefined.
    assert_eq!(f1(&graph("boat"), &graph("sea"), soft), Err(Undefined::Identical));
}
