//! The dimension of each element according to the paper's text, and scores of dimensions computed by hand.

use crate::support::*;
use neurogauge_metrics::decoding::basic_h::{
    ElementKind, Matched, dimension, dimension_counts, dimension_f1_values, dimension_scores,
};
use neurogauge_stats::estimate_ratio;

#[test]
fn the_words_of_the_paper_have_the_dimensions_of_its_table() {
    use ElementKind::{Attribute, Object, Relation};
    for (kind, phrase, expected) in [
        // Section 3.1: objects and granularity; Section 4.3: scenes.
        (Object, "cat", Dimension::Object),
        (Object, "ambulance", Dimension::Object),
        (Object, "savannah", Dimension::Scene),
        (Object, "zoo", Dimension::Scene),
        (Object, "Wooden Bridge", Dimension::Scene),
        (Object, "zoom", Dimension::Camera),
        (Object, "camera angle", Dimension::Camera),
        (Object, "lighting", Dimension::Camera),
        (Object, "logo", Dimension::Text),
        // Section 3.2: attributes and relations.
        (Attribute, "bright blue", Dimension::Colour),
        (Attribute, "azure", Dimension::Colour),
        (Attribute, "black and white striped", Dimension::Texture),
        (Attribute, "wooden", Dimension::Material),
        (Attribute, "3", Dimension::Count),
        (Attribute, "two", Dimension::Count),
        (Attribute, "very large", Dimension::Size),
        (Attribute, "left", Dimension::Position),
        (Attribute, "\"stop\"", Dimension::Text),
        (Attribute, "top-down", Dimension::Camera),
        (Attribute, "beautiful", Dimension::OtherAttribute),
        (Relation, "next to", Dimension::Spatial),
        (Relation, "beside", Dimension::Spatial),
        (Relation, "to the left of", Dimension::Spatial),
        (Relation, "is part of", Dimension::Part),
        (Relation, "of", Dimension::Part),
        (Relation, "is made of", Dimension::Part),
        (Relation, "fill with", Dimension::Spatial),
        (Relation, "with", Dimension::Part),
        (Relation, "on top of", Dimension::Spatial),
        (Relation, "holding", Dimension::Action),
        (Relation, "is sitting on", Dimension::Action),
        (Relation, "is", Dimension::OtherRelation),
        (Relation, "", Dimension::OtherRelation),
        (Attribute, "", Dimension::OtherAttribute),
        (Object, "", Dimension::Object),
    ] {
        assert_eq!(dimension(kind, phrase, &NoLexicon), expected, "{kind:?} {phrase}");
    }
}

#[test]
fn every_word_of_the_lists_has_its_one_place() {
    let lists = include_str!("../../../src/decoding/basic_h/dimension_words.txt");
    let mut seen = BTreeSet::new();
    for line in lists.lines().filter(|line| !line.starts_with('#')) {
        let (head, words) = line.split_once(": ").unwrap();
        let (kind, id) = head.split_once(' ').unwrap();
        let expected = Dimension::ALL.into_iter().find(|dimension: &Dimension| dimension.id() == id).unwrap();
        for word in words.split(", ") {
            assert!(seen.insert((kind, word)), "{kind} {word}");
            let kind = match kind {
                "object" => ElementKind::Object,
                "attribute" => ElementKind::Attribute,
                "relation" => ElementKind::Relation,
                // Nouns of which adjectives are values.
                other => {
                    assert_eq!(other, "noun");
                    continue;
                }
            };
            assert_eq!(dimension(kind, word, &NoLexicon), expected, "{kind:?} {word}");
        }
    }
    assert!(seen.len() > 600, "{}", seen.len());
}

/// A dictionary with one word for each question.
struct Few;

impl Lexicon for Few {
    fn lemma(&self, word: &str, _: PartOfSpeech) -> String {
        word.trim_end_matches("ed").to_owned()
    }

    fn synonyms(&self, _: &str) -> BTreeSet<String> {
        BTreeSet::new()
    }

    fn semantic_field(&self, phrase: &str, part: PartOfSpeech) -> Option<&'static str> {
        match (phrase, part) {
            ("race", PartOfSpeech::Noun) => Some("noun.event"),
            ("oak", PartOfSpeech::Noun) => Some("noun.substance"),
            ("jumps", PartOfSpeech::Verb) => Some("verb.motion"),
            _ => None,
        }
    }

    fn attributes(&self, adjective: &str) -> BTreeSet<String> {
        let of = |noun: &str| [noun.to_owned()].into();
        match adjective {
            "gargantuan" => of("size"),
            "oak" => of("quality of oak"),
            _ => BTreeSet::new(),
        }
    }
}

#[test]
fn the_dictionary_decides_what_the_lists_leave() {
    use ElementKind::{Attribute, Object, Relation};
    for (kind, phrase, without, with) in [
        (Object, "boat race", Dimension::Object, Dimension::Scene),
        (Attribute, "gargantuan", Dimension::OtherAttribute, Dimension::Size),
        (Attribute, "oak", Dimension::OtherAttribute, Dimension::Material),
        (Attribute, "parked", Dimension::OtherAttribute, Dimension::State),
        (Relation, "jumps over", Dimension::Spatial, Dimension::Action),
    ] {
        assert_eq!(dimension(kind, phrase, &NoLexicon), without, "{phrase}");
        assert_eq!(dimension(kind, phrase, &Few), with, "{phrase}");
    }
}

fn entry(gt: Option<Dimension>, recon: Option<Dimension>, similarity: Option<f64>) -> DetailEntry {
    DetailEntry {
        reference_dimension: gt,
        reconstruction_dimension: recon,
        similarity,
        ..DetailEntry::default()
    }
}

#[test]
fn each_side_counts_in_its_own_dimension() {
    let (colour, size) = (Some(Dimension::Colour), Some(Dimension::Size));
    // A colour whose most similar element is a size, an exact match, and a missed one that still counts 0.25.
    let first = LevelDetails {
        matched: vec![entry(colour, size, Some(0.5)), entry(colour, colour, None)],
        missed: vec![entry(colour, size, Some(0.25))],
        invented: vec![],
    };
    let second = LevelDetails {
        matched: vec![],
        missed: vec![entry(colour, None, None)],
        invented: vec![entry(None, colour, None), entry(None, None, None)],
    };
    let items = [dimension_counts([&first]), dimension_counts([&second])];
    let options = BootstrapOptions::default();
    let scores = dimension_scores(&items, &options).unwrap();
    let [of_colour, of_size] = &scores[..] else {
        panic!("{scores:?}")
    };
    assert_eq!((of_colour.n.gt, of_colour.n.recon), (4, 2));
    assert_eq!(of_colour.recall, estimate_ratio(&[(1.75, 3.0), (0.0, 1.0)], &options).unwrap());
    assert_eq!(of_colour.recall.value, Ok(1.75 / 4.0));
    assert_eq!(of_colour.precision.value, Ok(0.5));
    let f1 = 2.0 * 0.5 * 0.4375 / 0.9375;
    assert!((of_colour.f1 - f1).abs() < 1e-15);
    assert_eq!((of_size.n.gt, of_size.n.recon), (0, 1));
    assert_eq!(of_size.recall.value, Err(Undefined::NoPairs));
    assert_eq!((&of_size.precision.value, of_size.f1), (&Ok(0.5), 0.0));
    assert!(dimension_scores(&[], &options).unwrap().is_empty());

    // Negative cosines are kept: a value without an interval.
    let kept = LevelDetails {
        matched: vec![entry(colour, colour, Some(-0.5))],
        ..LevelDetails::default()
    };
    let items = [dimension_counts([&kept]), dimension_counts([&first])];
    let of_colour = &dimension_scores(&items, &options).unwrap()[0];
    assert_eq!(of_colour.recall.value, Ok(1.25 / 4.0));
    assert_eq!(of_colour.recall.interval, None);
}

#[test]
fn values_of_items_are_the_slopes_of_f1() {
    let side = |n, n_matched| Matched { n, n_matched };
    let items = [((3, 2.0), (2, 1.5)), ((1, 0.25), (4, 0.0)), ((0, 0.0), (1, 1.0)), ((2, 2.0), (0, 0.0))];
    let items = items.map(|(gt, recon)| Sides::new(side(gt.0, gt.1), side(recon.0, recon.1)));
    // F1 if items have weights.
    let f1 = |weights: [f64; 4]| {
        let sum = |of: fn(&Sides<Matched>) -> f64| -> f64 {
            items.iter().zip(weights).map(|(item, weight)| weight * of(item)).sum()
        };
        let recall = sum(|item| item.gt.n_matched) / sum(|item| item.gt.n as f64);
        let precision = sum(|item| item.recon.n_matched) / sum(|item| item.recon.n as f64);
        2.0 * precision * recall / (precision + recall)
    };
    let found = dimension_f1_values(&items);
    let equal = [1.0; 4];
    assert!((found.iter().sum::<f64>() / 4.0 - f1(equal)).abs() < 1e-15);
    for (place, value) in found.iter().enumerate() {
        let step = |by: f64| {
            let mut weights = equal;
            weights[place] += by;
            f1(weights)
        };
        let slope = (step(1e-5) - step(-1e-5)) / 2e-5;
        assert!((value - (f1(equal) + 4.0 * slope)).abs() < 1e-6, "{place}");
    }
    // Nothing is matched, and one side is empty.
    let missed = Sides::new(side(2, 0.0), Matched::default());
    assert_eq!(dimension_f1_values(&[missed, missed]), [0.0, 0.0]);
    assert!(dimension_f1_values(&[]).is_empty());
}
