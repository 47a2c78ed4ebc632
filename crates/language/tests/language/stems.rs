//! Stems equal those of NLTK's Porter stemmer.

use crate::read;
use crate::wordnet::wordnet;
use neurogauge_core::PartOfSpeech;
use neurogauge_language::{porter_stem, rouge_words};
use sha2::{Digest, Sha256};
use std::collections::{BTreeMap, BTreeSet};

#[test]
fn stems_are_those_of_nltk() {
    let golden = read("caption_overlap.json");
    for (word, stem) in golden["stems"].as_object().unwrap() {
        assert_eq!(porter_stem(word), stem.as_str().unwrap(), "{word}");
    }
}

#[test]
fn stems_of_all_words_of_wordnet_with_all_endings_are_those_of_nltk() {
    let golden = read("caption_overlap.json");
    let endings: Vec<String> = serde_json::from_value(golden["endings"].clone()).unwrap();
    let parts = [PartOfSpeech::Noun, PartOfSpeech::Verb, PartOfSpeech::Adjective, PartOfSpeech::Adverb];
    let lemmas: BTreeSet<&str> = parts.map(|part| wordnet().index_lemmas(part)).into_iter().flatten().collect();
    let mut digests: BTreeMap<String, Sha256> = BTreeMap::new();
    for lemma in lemmas.into_iter().filter(|lemma| !lemma.contains('_')) {
        let digest = digests.entry(lemma.chars().next().unwrap().to_string()).or_default();
        for ending in &endings {
            let word = format!("{lemma}{ending}");
            digest.update(format!("{word}\t{}\n", porter_stem(&word)));
        }
    }
    let digests: BTreeMap<String, String> =
        digests.into_iter().map(|(first, digest)| (first, hex(&digest.finalize()))).collect();
    assert_eq!(serde_json::json!(digests), golden["stem_digests"]);
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

#[test]
fn words_of_rouge_are_letters_and_digits() {
    assert_eq!(rouge_words("It's 10:30, naïve CAFÉS", false), ["it", "s", "10", "30", "na", "ve", "caf", "s"]);
    // Words of three letters keep their endings.
    assert_eq!(rouge_words("dogs was gas", true), ["dog", "was", "gas"]);
    assert!(rouge_words("… !", true).is_empty());
}
