//! Results against CAPTURE's own code.

use crate::support;
use crate::support::*;
use neurogauge_metrics::decoding::basic_h::{BasicPreset, GraphMatches};

pub(crate) fn golden() -> Value {
    support::golden("basic_h")
}

/// NLTK's analysis of the words of the goldens.
pub(crate) struct Recorded {
    /// By phrase, with spaces.
    pub(crate) synonyms: BTreeMap<String, BTreeSet<String>>,
    /// The lemma as a noun and as an adjective.
    pub(crate) lemmas: BTreeMap<String, [String; 2]>,
}

impl Recorded {
    pub(crate) fn of(golden: &Value) -> Recorded {
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

pub(crate) fn graph(value: &Value) -> SceneGraph {
    serde_json::from_value(value.clone()).unwrap()
}

/// The same as `Synthetic` of the reference script.
fn noise_cosine(gt: &str, recon: &str) -> Outcome {
    let row = |phrase: &str| -> Vec<f32> {
        let noise = Synthetic::new(phrase, 0);
        (0..16).map(|i| noise.uniform(i) - 0.5).collect()
    };
    cosine(&row(gt), &row(recon))
}

pub(crate) fn capture() -> BasicHOptions {
    BasicHOptions {
        preset: BasicPreset::Capture,
        ..BasicHOptions::default()
    }
}

pub(crate) fn compare(
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
    let parts: Vec<f64> = serde_json::from_value(expected["parts"].clone()).unwrap();
    // A harmonic mean of nearly opposite numbers magnifies the rounding of both.
    let close = |found: f64, expected: f64| near(found, expected, 1e-12 * expected.abs().max(1.0));
    found.into_iter().zip(parts).for_each(|(found, expected)| close(found, expected));
    let [objects, attributes, relations] = kinds.map(|of| &of.f1);
    close(basic_h(objects, attributes, relations, options).unwrap(), number(&expected["score"]));
}

#[test]
fn preset_capture_equals_its_published_code() {
    let golden = golden();
    let lexicon = Recorded::of(&golden);
    let cases = list(&golden["cases"]);
    assert_eq!(cases.len(), 60);
    for case in cases {
        let (gt, recon) = (graph(&case["gt"]), graph(&case["recon"]));
        let options = capture();
        let (matches, scores) = compare(&gt, &recon, &lexicon, &options);
        assert_equals_capture(&scores, &options, &case["full"]);
        // The encoder got the remaining words, kind by kind, if both sides had some.
        let kinds = matches.kinds().into_iter();
        let both = kinds.filter(|of| !of.unmatched_gt.is_empty() && !of.unmatched_recon.is_empty());
        let left: Vec<Vec<&String>> =
            both.map(|of| of.unmatched_recon.iter().chain(&of.unmatched_gt).collect()).collect();
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
    for case in list(&golden["merged"]) {
        let sentences: Vec<SceneGraph> = serde_json::from_value(case["sentences"].clone()).unwrap();
        let merged = normalise(&sentences, &lexicon, &NormaliseOptions::default());
        assert_eq!(merged, graph(&case["graph"]));
    }
}
