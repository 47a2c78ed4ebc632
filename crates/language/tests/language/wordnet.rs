//! WordNet 3.0 as read by NLTK: every lemma of every index file.

use crate::read;
use neurogauge_core::{Lexicon, PartOfSpeech};
use neurogauge_language::{Synset, WordNet};
use sha2::{Digest, Sha256};
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;
use std::path::PathBuf;
use std::sync::OnceLock;

const PARTS: [(PartOfSpeech, &str, &str); 4] = [
    (PartOfSpeech::Noun, "n", "noun"),
    (PartOfSpeech::Verb, "v", "verb"),
    (PartOfSpeech::Adjective, "a", "adj"),
    (PartOfSpeech::Adverb, "r", "adv"),
];

fn folder() -> PathBuf {
    let default = concat!(env!("CARGO_MANIFEST_DIR"), "/../../.wordnet/usr/share/wordnet");
    std::env::var_os("NEUROGAUGE_TEST_WORDNET").map_or_else(|| default.into(), PathBuf::from)
}

pub(crate) fn wordnet() -> &'static WordNet {
    static OPEN: OnceLock<WordNet> = OnceLock::new();
    OPEN.get_or_init(|| {
        WordNet::open(folder())
            .expect("`make test` fetches WordNet; NEUROGAUGE_TEST_WORDNET names the folder with data.noun")
    })
}

fn base_forms(word: &str) -> String {
    PARTS.map(|(part, ..)| wordnet().base_forms(word, part).join(",")).join(";")
}

fn name(synset: &Synset) -> String {
    let letter = match synset.part {
        PartOfSpeech::Noun => 'n',
        PartOfSpeech::Verb => 'v',
        PartOfSpeech::Adjective if synset.satellite => 's',
        PartOfSpeech::Adjective => 'a',
        PartOfSpeech::Adverb => 'r',
    };
    format!("{letter}{:08}", synset.offset)
}

fn names(word: &str) -> Vec<String> {
    wordnet().synsets(word).iter().map(name).collect()
}

/// Endings and their replacements, repeated here independently.
fn rules(letter: &str) -> &'static [(&'static str, &'static str)] {
    match letter {
        "n" => &[
            ("s", ""),
            ("ses", "s"),
            ("ves", "f"),
            ("xes", "x"),
            ("zes", "z"),
            ("ches", "ch"),
            ("shes", "sh"),
            ("men", "man"),
            ("ies", "y"),
        ],
        "v" => &[("s", ""), ("ies", "y"), ("es", "e"), ("es", ""), ("ed", "e"), ("ed", ""), ("ing", "e"), ("ing", "")],
        "a" => &[("er", ""), ("est", ""), ("er", "e"), ("est", "e")],
        _ => &[],
    }
}

fn listing_line(lemma: &str, part: PartOfSpeech, letter: &str) -> String {
    let mut line = format!("{lemma}\t{}\t", base_forms(lemma));
    let mut separator = "";
    for (ending, base) in rules(letter) {
        if let Some(stem) = lemma.strip_suffix(base) {
            let form = format!("{stem}{ending}");
            let bases = wordnet().base_forms(&form, part).join(",");
            let shortest = wordnet().lemma(&form, part);
            write!(line, "{separator}{form}={bases}={shortest}").unwrap();
            separator = ";";
        }
    }
    let synonyms: Vec<String> = wordnet().synonyms(lemma).into_iter().collect();
    writeln!(line, "\t{}\t{}", names(lemma).join(","), synonyms.join(",")).unwrap();
    line
}

#[test]
fn every_lemma_has_the_base_forms_synsets_and_synonyms_of_nltk() {
    let golden = read("wordnet.json");
    for (part, letter, _) in PARTS {
        let expected = &golden["listings"][letter];
        let mut digests: BTreeMap<String, Sha256> = BTreeMap::new();
        let mut count = 0;
        for lemma in wordnet().index_lemmas(part) {
            let first = lemma.chars().next().unwrap().to_string();
            digests.entry(first).or_default().update(listing_line(lemma, part, letter));
            count += 1;
        }
        assert_eq!(count, expected["lemmas"].as_u64().unwrap(), "{letter}");
        let expected = expected["sha256"].as_object().unwrap();
        assert_eq!(digests.len(), expected.len(), "{letter}");
        for (first, digest) in digests {
            assert_eq!(hexadecimal(digest), expected[&first], "lemmas of {letter} in {first:?}");
        }
    }
}

fn hexadecimal(digest: Sha256) -> String {
    digest.finalize().iter().fold(String::new(), |mut text, byte| {
        write!(text, "{byte:02x}").unwrap();
        text
    })
}

#[test]
fn every_irregular_form_has_the_base_forms_of_nltk() {
    let golden = read("wordnet.json");
    for (part, letter, file) in PARTS {
        let text = std::fs::read_to_string(folder().join(format!("{file}.exc"))).unwrap();
        let forms: BTreeSet<&str> = text.lines().map(|line| line.split_whitespace().next().unwrap()).collect();
        let mut digest = Sha256::new();
        for form in forms {
            let lemma = wordnet().lemma(form, part);
            digest.update(format!("{form}\t{}\t{lemma}\n", base_forms(form)));
        }
        assert_eq!(hexadecimal(digest), golden["exceptions"][letter], "{file}.exc");
    }
}

/// The lexicographer file of a synset, followed by the nouns of which it is a value.
fn field(synset: &Synset) -> String {
    let mut attributes: Vec<String> = wordnet().attributes(synset).iter().map(name).collect();
    attributes.sort();
    [&[synset.file.to_owned()], &attributes[..]].concat().join(" ")
}

#[test]
fn every_synset_has_the_lexicographer_file_and_the_attributes_of_nltk() {
    let golden = read("wordnet.json");
    for (part, letter, _) in PARTS {
        let mut digest = Sha256::new();
        for lemma in wordnet().index_lemmas(part) {
            let fields: Vec<String> = wordnet().synsets_of(lemma, part).iter().map(field).collect();
            digest.update(format!("{lemma}\t{}\n", fields.join(",")));
        }
        assert_eq!(hexadecimal(digest), golden["fields"][letter], "{letter}");
    }
}

#[test]
fn the_most_frequent_sense_gives_field_and_attributes() {
    use PartOfSpeech::{Adjective, Noun, Verb};
    for (phrase, part, field) in [
        ("beach", Noun, Some("noun.object")),
        ("traffic lights", Noun, Some("noun.communication")),
        ("jumping", Verb, Some("verb.motion")),
        ("wooden", Adjective, Some("adj.all")),
        ("florb", Noun, None),
    ] {
        assert_eq!(wordnet().semantic_field(phrase, part), field, "{phrase}");
    }
    let attributes = |word| Lexicon::attributes(wordnet(), word);
    assert!(attributes("large").contains("size"));
    // A satellite of "large".
    assert!(attributes("huge").contains("size"));
    assert!(attributes("wooden").is_empty() && attributes("florb").is_empty());
}

#[test]
fn words_and_phrases_are_as_in_nltk() {
    for case in read("wordnet.json")["cases"].as_array().unwrap() {
        let word = case["word"].as_str().unwrap();
        for (part, letter, _) in PARTS {
            let found = wordnet().base_forms(word, part);
            assert_eq!(serde_json::json!(found), case["base_forms"][letter], "{word}");
            assert_eq!(wordnet().morphy(word, part), found.first().cloned());
            assert_eq!(wordnet().lemma(word, part), case["lemma"][letter], "{word}");
        }
        assert_eq!(serde_json::json!(names(word)), case["synsets"], "{word}");
        let fields: Vec<String> = wordnet().synsets(word).iter().map(field).collect();
        assert_eq!(serde_json::json!(fields), case["fields"], "{word}");
        let synonyms = wordnet().synonyms(word);
        assert_eq!(serde_json::json!(synonyms), case["synonyms"], "{word}");
    }
}

#[test]
fn the_version_is_the_one_of_the_licence() {
    assert_eq!(wordnet().version(), Some("3.0"));
    assert_eq!(read("wordnet.json")["version"], "3.0");
}

#[test]
fn case_and_markers_are_kept_and_dropped() {
    assert!(wordnet().synonyms("new york").contains("New_York"));
    assert!(wordnet().synonyms("NEW YORK").contains("New_York"));
    assert!(wordnet().synonyms("afloat").contains("afloat"));
    let noun = PartOfSpeech::Noun;
    assert_eq!(wordnet().lemma("traffic lights", noun), "traffic lights");
    assert_eq!(wordnet().lemma("traffic_lights", noun), "traffic_light");
    assert_eq!(wordnet().lemma("Men", noun), "Men");
    assert!(wordnet().synonyms("").is_empty());
}
