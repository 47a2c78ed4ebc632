//! Each stage computed by hand, and cases without a value.

use super::capture::{capture, compare};
use crate::support::*;
use neurogauge_metrics::decoding::basic_h::{ElementScores, NegativeCosines};
use neurogauge_metrics::internals::is_part;

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
    // "ax" matches both, "bc" only "ab"; in order, "ax" takes "ab" first.
    let (gt, recon) = (["ab", "xy"], ["ax", "bc"]);
    let greedy = objects_of(&gt, &recon, &with(Assignment::Greedy));
    let optimal = objects_of(&gt, &recon, &with(Assignment::Optimal));
    assert_eq!((greedy.f1, optimal.f1), (Ok(0.5), Ok(1.0)));
    // Of two complete assignments, the one with more shared lemmas: "abc" with "abd", not with "axy".
    let rules = with(Assignment::Optimal).rules().unwrap();
    let (gt, recon) = (objects(&["abd", "axy"]), objects(&["abc", "axz"]));
    let matched = match_words(&gt, &recon, &Letters, &rules).objects.matched;
    let pairs: Vec<(&str, &str)> = matched.iter().map(|m| (m.recon.as_str(), m.gt.as_str())).collect();
    assert_eq!(pairs, [("abc", "abd"), ("axz", "axy")]);
    assert!(matched.iter().all(|m| m.stage == MatchedBy::Synonym));
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
        basic_h_scores(&matches, &cosines, &options).unwrap().objects.precision.unwrap()
    };
    use NegativeCosines::{Kept, Zero};
    assert_eq!(score(SoftMatching::PerSideMaximum, Zero), 0.625);
    // 0.5 + 0.5 is better than 0.75 - 0.5 and 0.75 + 0.
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
        basic_h_scores(&matches, &cosines, &options).unwrap().objects.precision
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
    assert_eq!(objects_of(&[], &[], &capture()).f1, Ok(0.0));
    let missing = basic_h(&Ok(1.0), &none.f1, &Ok(1.0), &basic);
    assert_eq!(missing, Err(Undefined::MissingPart("basic_attribute_f1".into())));
    let objects_only = BasicHOptions {
        weights: Some([1.0, 0.0, 0.0]),
        ..basic
    };
    assert_eq!(basic_h(&Ok(0.25), &none.f1, &none.f1, &objects_only), Ok(0.25));
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
        let refused = matches!(options.rules(), Err(MetricError::Usage(_)));
        assert!(refused, "{weights:?}, {epsilon}");
    }
}

#[test]
fn stop_words_leave_objects_out_and_nothing_else() {
    let graph = SceneGraph {
        objects: vec!["image".into(), "boat".into()],
        attributes: [("image".to_owned(), vec!["bright".into(), "full of people".into()])].into(),
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

#[test]
fn a_part_is_a_run_of_words_or_of_letters() {
    for (a, b, words, letters) in [
        ("car", "carpet", false, true),
        ("race track", "track", true, true),
        ("track race", "race track", false, false),
        ("old boat", "old white boat", false, false),
        ("art", "work of art", true, true),
        ("", "boat", false, true),
    ] {
        assert_eq!(is_part(a, b, Containment::WholeWords), words, "{a}, {b}");
        assert_eq!(is_part(b, a, Containment::WholeWords), words, "{a}, {b}");
        assert_eq!(is_part(a, b, Containment::Substring), letters, "{a}, {b}");
        assert!(!is_part(a, b, Containment::Off));
    }
}
