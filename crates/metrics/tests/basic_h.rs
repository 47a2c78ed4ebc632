//! BASIC-H against CAPTURE's own code (`reference/capture.py`), and at its edges.

#![allow(clippy::unwrap_used, clippy::panic)]

use neurogauge_core::synthetic::Synthetic;
use neurogauge_core::{Lexicon, Outcome, PartOfSpeech, SceneGraph, Side, Undefined};
use neurogauge_metrics::decoding::basic_h::{
    Assignment, BasicHOptions, BasicHScores, BasicPreset, Containment, ElementScores, GraphMatches,
    NegativeCosines, NoLexicon, NormaliseOptions, SoftMatching, Stage, basic_h, basic_h_scores,
    match_words, normalise,
};
use neurogauge_metrics::{MetricError, cosine};
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};

fn golden() -> Value {
    let path = concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/../../reference/golden/capture.json"
    );
    serde_json::from_str(&std::fs::read_to_string(path).unwrap()).unwrap()
}

/// What NLTK said of the words of the goldens.
struct Recorded {
    /// By phrase, with spaces.
    synonyms: BTreeMap<String, BTreeSet<String>>,
    /// As noun and as adjective.
    lemmas: BTreeMap<String, [String; 2]>,
}

impl Recorded {
    fn of(golden: &Value) -> Recorded {
        Recorded {
            synonyms: serde_json::from_value(golden["synonyms"].clone()).unwrap(),
            lemmas: serde_json::from_value(golden["lemmas"].clone()).unwrap(),
        }
    }
}

impl Lexicon for Recorded {
    fn lemma(&self, word: &str, part: PartOfSpeech) -> String {
        self.lemmas[word][usize::from(part == PartOfSpeech::Adjective)].clone()
    }

    fn synonyms(&self, phrase: &str) -> BTreeSet<String> {
        self.synonyms[&phrase.replace('_', " ")].clone()
    }
}

fn graph(value: &Value) -> SceneGraph {
    serde_json::from_value(value.clone()).unwrap()
}

/// As `Synthetic` of the reference script.
fn noise_cosine(gt: &str, recon: &str) -> Outcome {
    let row = |phrase: &str| -> Vec<f32> {
        let noise = Synthetic::new(phrase, 0);
        (0..16).map(|i| noise.uniform(i) - 0.5).collect()
    };
    cosine(&row(gt), &row(recon))
}

fn capture() -> BasicHOptions {
    BasicHOptions {
        preset: BasicPreset::Capture,
        ..BasicHOptions::default()
    }
}

fn compare(
    gt: &SceneGraph,
    recon: &SceneGraph,
    lexicon: &dyn Lexicon,
    options: &BasicHOptions,
) -> (GraphMatches, BasicHScores) {
    let matches = match_words(gt, recon, lexicon, &options.rules().unwrap());
    let scores = basic_h_scores(&matches, &noise_cosine, options).unwrap();
    (matches, scores)
}

#[track_caller]
fn assert_equals_capture(scores: &BasicHScores, options: &BasicHOptions, expected: &Value) {
    let kinds = [&scores.objects, &scores.attributes, &scores.relations];
    let found: Vec<f64> = kinds
        .iter()
        .flat_map(|of| [&of.precision, &of.recall, &of.f1])
        .map(|outcome| outcome.clone().unwrap())
        .collect();
    let expected_parts: Vec<f64> = serde_json::from_value(expected["parts"].clone()).unwrap();
    for (found, expected) in found.iter().zip(&expected_parts) {
        // A harmonic mean of nearly opposite numbers magnifies the rounding of both.
        let tolerance = 1e-12 * expected.abs().max(1.0);
        assert!((found - expected).abs() < tolerance, "{found}, {expected}");
    }
    let [objects, attributes, relations] = kinds.map(|of| &of.f1);
    let score = basic_h(objects, attributes, relations, options).unwrap();
    let expected = expected["score"].as_f64().unwrap();
    let tolerance = 1e-12 * expected.abs().max(1.0);
    assert!((score - expected).abs() < tolerance, "{score}, {expected}");
}

#[test]
fn preset_capture_equals_its_published_code() {
    let golden = golden();
    let lexicon = Recorded::of(&golden);
    let cases = golden["cases"].as_array().unwrap();
    assert_eq!(cases.len(), 60);
    for case in cases {
        let (gt, recon) = (graph(&case["gt"]), graph(&case["recon"]));
        let options = capture();
        let (matches, scores) = compare(&gt, &recon, &lexicon, &options);
        assert_equals_capture(&scores, &options, &case["full"]);
        // The encoder was asked for what was left, kind by kind, where both sides had some.
        let kinds = matches.kinds().into_iter();
        let both = kinds.filter(|of| !of.unmatched_gt.is_empty() && !of.unmatched_recon.is_empty());
        let left: Vec<Vec<&String>> = both
            .map(|of| of.unmatched_recon.iter().chain(&of.unmatched_gt).collect())
            .collect();
        assert_eq!(serde_json::to_value(&left).unwrap(), case["left"]);

        let without_soft = BasicHOptions {
            soft: SoftMatching::Off,
            ..capture()
        };
        let (_, scores) = compare(&gt, &recon, &lexicon, &without_soft);
        assert_equals_capture(&scores, &without_soft, &case["without_soft"]);
        let without_synonyms = BasicHOptions {
            synonyms: false,
            containment: Some(Containment::Off),
            ..capture()
        };
        let (_, scores) = compare(&gt, &recon, &NoLexicon, &without_synonyms);
        assert_equals_capture(&scores, &without_synonyms, &case["without_synonyms"]);
    }
}

#[test]
fn sentences_are_merged_as_capture_does() {
    let golden = golden();
    let lexicon = Recorded::of(&golden);
    for case in golden["merged"].as_array().unwrap() {
        let sentences: Vec<SceneGraph> = serde_json::from_value(case["sentences"].clone()).unwrap();
        let merged = normalise(&sentences, &lexicon, &NormaliseOptions::default());
        assert_eq!(merged, graph(&case["graph"]));
    }
}

fn objects(names: &[&str]) -> SceneGraph {
    SceneGraph {
        objects: names.iter().map(|name| (*name).to_owned()).collect(),
        ..SceneGraph::default()
    }
}

/// Words that share a letter share a sense.
struct Letters;

impl Lexicon for Letters {
    fn lemma(&self, word: &str, _: PartOfSpeech) -> String {
        word.to_owned()
    }

    fn synonyms(&self, phrase: &str) -> BTreeSet<String> {
        phrase.chars().map(String::from).collect()
    }
}

fn objects_of(gt: &[&str], recon: &[&str], options: &BasicHOptions) -> ElementScores {
    let (_, scores) = compare(&objects(gt), &objects(recon), &Letters, options);
    scores.objects
}

#[test]
fn optimal_assignment_pairs_all_that_greedy_does_not() {
    let with = |assignment| BasicHOptions {
        assignment: Some(assignment),
        soft: SoftMatching::Off,
        ..BasicHOptions::default()
    };
    // "ax" goes with both, "bc" with "ab" only; in order "ax" takes "ab" first.
    let (gt, recon) = (["ab", "xy"], ["ax", "bc"]);
    let greedy = objects_of(&gt, &recon, &with(Assignment::Greedy));
    let optimal = objects_of(&gt, &recon, &with(Assignment::Optimal));
    assert_eq!((greedy.f1, optimal.f1), (Ok(0.5), Ok(1.0)));
    // Of two full assignments the one with more shared lemmas: "abc" with "abd", not with "axy".
    let options = with(Assignment::Optimal);
    let rules = options.rules().unwrap();
    let (gt, recon) = (objects(&["abd", "axy"]), objects(&["abc", "axz"]));
    let matched = match_words(&gt, &recon, &Letters, &rules).objects.matched;
    let pairs: Vec<(&str, &str)> = matched
        .iter()
        .map(|m| (m.recon.as_str(), m.gt.as_str()))
        .collect();
    assert_eq!(pairs, [("abc", "abd"), ("axz", "axy")]);
    assert!(matched.iter().all(|m| m.stage == Stage::Synonym));
}

#[test]
fn the_order_of_a_graph_changes_nothing() {
    let golden = golden();
    let lexicon = Recorded::of(&golden);
    for case in golden["cases"].as_array().unwrap() {
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
    for case in golden["cases"].as_array().unwrap() {
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

#[test]
fn each_option_of_the_soft_stage_by_hand() {
    let cosines = |gt: &str, recon: &str| {
        Ok(match (gt, recon) {
            ("g1", "r1") => 0.75,
            ("g1", "r2") => 0.5,
            ("g2", "r1") => 0.5,
            _ => -0.5,
        })
    };
    let score = |soft, negative| {
        let options = BasicHOptions {
            soft,
            negative_cosines: Some(negative),
            containment: Some(Containment::Off),
            ..BasicHOptions::default()
        };
        let (gt, recon) = (objects(&["g1", "g2"]), objects(&["r1", "r2"]));
        let matches = match_words(&gt, &recon, &NoLexicon, &options.rules().unwrap());
        basic_h_scores(&matches, &cosines, &options)
            .unwrap()
            .objects
            .precision
            .unwrap()
    };
    use NegativeCosines::{Kept, Zero};
    assert_eq!(score(SoftMatching::PerSideMaximum, Zero), 0.625);
    // 0.5 + 0.5 beats 0.75 - 0.5 and 0.75 + 0.
    assert_eq!(score(SoftMatching::OneToOne, Zero), 0.5);
    assert_eq!(score(SoftMatching::OneToOne, Kept), 0.5);
    assert_eq!(score(SoftMatching::Off, Kept), 0.0);
    let lone = |negative| {
        let options = BasicHOptions {
            negative_cosines: Some(negative),
            ..BasicHOptions::default()
        };
        let rules = options.rules().unwrap();
        let matches = match_words(&objects(&["g2"]), &objects(&["r2"]), &NoLexicon, &rules);
        basic_h_scores(&matches, &cosines, &options)
            .unwrap()
            .objects
            .precision
    };
    assert_eq!((lone(Zero), lone(Kept)), (Ok(0.0), Ok(-0.5)));
}

#[test]
fn empty_sides_are_undefined_or_0_as_documented() {
    let basic = BasicHOptions::default();
    let none = objects_of(&[], &[], &basic);
    assert_eq!(none.precision, Err(Undefined::Empty(Side::Recon)));
    assert_eq!(none.recall, Err(Undefined::Empty(Side::Gt)));
    assert_eq!(none.f1, Err(Undefined::Empty(Side::Gt)));
    let missed = objects_of(&["boat"], &[], &basic);
    assert_eq!((missed.recall, missed.f1), (Ok(0.0), Ok(0.0)));
    assert_eq!(missed.precision, Err(Undefined::Empty(Side::Recon)));
    let invented = objects_of(&[], &["boat"], &basic);
    assert_eq!((invented.precision, invented.f1), (Ok(0.0), Ok(0.0)));
    let with_epsilon = objects_of(&[], &[], &capture());
    assert_eq!(with_epsilon.f1, Ok(0.0));
    let missing = basic_h(&Ok(1.0), &none.f1, &Ok(1.0), &basic);
    assert_eq!(
        missing,
        Err(Undefined::MissingPart("basic_attribute_f1".into()))
    );
    let objects_only = BasicHOptions {
        weights: Some([1.0, 0.0, 0.0]),
        ..basic
    };
    assert_eq!(
        basic_h(&Ok(0.25), &none.f1, &none.f1, &objects_only),
        Ok(0.25)
    );
}

#[test]
fn an_undefined_cosine_leaves_its_kind_undefined() {
    let options = BasicHOptions::default();
    let rules = options.rules().unwrap();
    let matches = match_words(&objects(&["a"]), &objects(&["b"]), &NoLexicon, &rules);
    let undefined = |_: &str, _: &str| Err(Undefined::NonFinite(Side::Recon));
    let scores = basic_h_scores(&matches, &undefined, &options).unwrap();
    assert_eq!(scores.objects.f1, Err(Undefined::NonFinite(Side::Recon)));
    assert_eq!(scores.relations.f1, Err(Undefined::Empty(Side::Gt)));
}

#[test]
fn weights_and_epsilons_that_make_no_sense_are_refused() {
    for (weights, epsilon) in [
        ([0.0; 3], 0.0),
        ([1.0, -1.0, 1.0], 0.0),
        ([f64::NAN, 1.0, 1.0], 0.0),
        ([f64::MAX; 3], 0.0),
        ([1.0; 3], -1e-6),
        ([1.0; 3], f64::INFINITY),
    ] {
        let options = BasicHOptions {
            weights: Some(weights),
            epsilon: Some(epsilon),
            ..BasicHOptions::default()
        };
        let refused = matches!(options.rules(), Err(MetricError::InvalidOption { .. }));
        assert!(refused, "{weights:?}, {epsilon}");
    }
}

#[test]
fn stop_words_leave_objects_out_and_nothing_else() {
    let graph = SceneGraph {
        objects: vec!["image".into(), "boat".into()],
        attributes: [(
            "image".to_owned(),
            vec!["bright".into(), "full of people".into()],
        )]
        .into(),
        relations: vec![["boat".into(), "in".into(), "image".into()]],
    };
    let options = NormaliseOptions {
        stop_words: vec!["image".into()],
        ..NormaliseOptions::default()
    };
    let normal = normalise(std::slice::from_ref(&graph), &NoLexicon, &options);
    assert_eq!(normal.objects, ["boat"]);
    assert_eq!(normal.attributes["image"], ["bright"]);
    assert_eq!(normal.relations, graph.relations);
}
