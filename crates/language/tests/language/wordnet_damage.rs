//! Damaged WordNet files cause an error that names the file and the position.

use neurogauge_core::{Lexicon, PartOfSpeech};
use neurogauge_language::WordNet;
use proptest::prelude::*;
use std::path::Path;
use tempfile::TempDir;

const LICENCE: &str = "  1 A small dictionary made for tests, after WordNet 9.9 Copyright nobody  \n";

/// A dictionary of five synsets: each data file's offsets are computed from its text.
fn write_dictionary(folder: &Path) {
    let parts = [
        ("noun", "n", vec![("n", "cat 0 Felis 0", "cat felis")]),
        ("verb", "v", vec![("v", "purr 0", "purr")]),
        ("adj", "a", vec![("a", "furry(a) 0", "furry"), ("s", "hairy 0 furry(p) 1", "hairy furry")]),
        ("adv", "r", vec![("r", "softly 0", "softly")]),
    ];
    for (file, letter, synsets) in parts {
        let mut data = LICENCE.to_owned();
        let mut senses = std::collections::BTreeMap::<String, Vec<usize>>::new();
        for (kind, lemmas, index_lemmas) in synsets {
            let offset = data.len();
            let count = lemmas.split(' ').count() / 2;
            data += &format!("{offset:08} 05 {kind} {count:02x} {lemmas} 000 | a gloss\n");
            for lemma in index_lemmas.split(' ') {
                senses.entry(lemma.to_owned()).or_default().push(offset);
            }
        }
        let mut index = LICENCE.to_owned();
        for (lemma, offsets) in senses {
            let n = offsets.len();
            let offsets: Vec<String> = offsets.iter().map(|o| format!("{o:08}")).collect();
            index += &format!("{lemma} {letter} {n} 1 @ {n} 0 {}  \n", offsets.join(" "));
        }
        std::fs::write(folder.join(format!("data.{file}")), data).unwrap();
        std::fs::write(folder.join(format!("index.{file}")), index).unwrap();
        std::fs::write(folder.join(format!("{file}.exc")), "").unwrap();
    }
    std::fs::write(folder.join("noun.exc"), "kitties cat\nfelises felis feles\n").unwrap();
}

fn dictionary() -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    write_dictionary(folder.path());
    folder
}

/// The error after `change` has altered `file`.
fn error(file: &str, change: impl FnOnce(String) -> String) -> String {
    let folder = dictionary();
    let path = folder.path().join(file);
    let text = std::fs::read_to_string(&path).unwrap();
    let changed = change(text.clone());
    assert_ne!(text, changed, "nothing was changed in {file}");
    std::fs::write(&path, changed).unwrap();
    let error = WordNet::open(folder.path()).unwrap_err().to_string();
    assert!(error.contains(file), "{error}");
    error
}

#[test]
fn a_small_dictionary_is_read() {
    let folder = dictionary();
    let small = WordNet::open(folder.path()).unwrap();
    assert_eq!(small.version(), Some("9.9"));
    assert_eq!(small.lemma("kitties", PartOfSpeech::Noun), "cat");
    assert_eq!(small.lemma("felises", PartOfSpeech::Noun), "felis");
    assert_eq!(small.lemma("cats", PartOfSpeech::Noun), "cat");
    assert_eq!(small.lemma("furrier", PartOfSpeech::Adjective), "furrier");
    let synonyms: Vec<String> = small.synonyms("furry").into_iter().collect();
    assert_eq!(synonyms, ["furry", "hairy"]);
    let synonyms: Vec<String> = small.synonyms("Cats").into_iter().collect();
    assert_eq!(synonyms, ["Felis", "cat"]);
    assert!(small.synsets("furry")[1].satellite);
}

#[test]
fn an_index_in_another_order_is_read_and_the_later_of_two_lines_counts() {
    let folder = dictionary();
    let path = folder.path().join("index.adj");
    let text = std::fs::read_to_string(&path).unwrap();
    let mut lines: Vec<&str> = text.lines().collect();
    lines.reverse();
    let short = lines[1].replace("furry a 2 1 @ 2", "furry a 1 1 @ 1");
    let short = short.trim_end().rsplit_once(' ').unwrap().0;
    std::fs::write(&path, lines.join("\n") + "\n" + short + "\n").unwrap();
    let small = WordNet::open(folder.path()).unwrap();
    assert_eq!(small.synonyms("hairy").len(), 2);
    assert_eq!(small.synsets("furry").len(), 1);
    assert!(small.synsets("bald").is_empty());
}

#[test]
fn every_missing_file_is_named() {
    for file in WordNet::FILES {
        let folder = dictionary();
        std::fs::remove_file(folder.path().join(file)).unwrap();
        let error = WordNet::open(folder.path()).unwrap_err().to_string();
        assert!(error.contains(file) && error.contains("wordnet-base"), "{error}");
    }
    let error = WordNet::open("/no/such/folder").unwrap_err().to_string();
    assert!(error.contains("/no/such/folder"), "{error}");
}

#[test]
fn a_file_that_was_cut_short_is_refused() {
    for file in ["index.noun", "data.noun", "noun.exc"] {
        let message = error(file, |text| text[..text.len() - 3].to_owned());
        assert!(message.contains("middle of a line"), "{message}");
    }
    let message = error("data.noun", |_| LICENCE.to_owned());
    assert!(message.contains("index.noun: line 2"), "{message}");
    assert!(message.contains("cut short"), "{message}");
    for empty in ["index.verb", "data.verb"] {
        error(empty, |_| String::new());
    }
}

#[test]
fn faults_of_index_lines_are_named() {
    for (from, to, said) in [
        ("cat n 1", "cat v 1", "line 2: part of speech \"v\""),
        ("cat n 1", "cat n one", "the number of synsets is \"one\""),
        ("cat n 1", "cat n 0", "0 synsets but 1 senses"),
        ("cat n 1 1 @ 1", "cat n 1 1 @ 2", "1 synsets but 2 senses"),
        ("cat n 1 1 @ 1", "cat n 2 1 @ 2", "the line ends before"),
        ("cat n 1 1", "cat n 1 -1", "the number of pointers"),
        ("cat n 1 1", "cat n 1 99", "the line ends before"),
        ("felis n 1 1 @ 1 0", "felis n 1 1 @ 1 0 00000007", "after 1 synset offsets"),
        ("\nfelis", "\n\nfelis", "line 3: the line ends before the lemma"),
        ("  \n", "9  \n", "cut short"),
    ] {
        let message = error("index.noun", |text| {
            let at = text.find("cat").unwrap() - 1;
            text[..at].to_owned() + &text[at..].replacen(from, to, 1)
        });
        assert!(message.contains(said), "{message}");
    }
}

#[test]
fn faults_of_synsets_are_named() {
    for (from, to, said) in [
        (" 05 n", " 05 v", "synset type \"v\""),
        (" n 02", " n 00", "number of lemmas"),
        (" n 02", " n zz", "number of lemmas"),
        (" n 02", " n 7f", "of 127"),
        ("cat 0", "cat q", "lemma 1 of 2"),
        ("  1 A", "  11 A", "expected the line of synset"),
    ] {
        let message = error("data.noun", |text| text.replacen(from, to, 1));
        assert!(message.contains(said), "{message}");
        assert!(message.contains("byte "), "{message}");
    }
}

#[test]
fn faults_of_irregular_forms_are_named() {
    let message = error("noun.exc", |text| text + "lonely\n");
    assert!(message.contains("line 3"), "{message}");
    let message = error("noun.exc", |text| format!("\n{text}"));
    assert!(message.contains("line 1"), "{message}");
}

#[test]
fn bytes_that_are_not_text_are_refused_by_line() {
    for file in ["index.adj", "adj.exc"] {
        let folder = dictionary();
        std::fs::write(folder.path().join(file), b"furry furry\n\xff\xfe a\n").unwrap();
        let error = WordNet::open(folder.path()).unwrap_err().to_string();
        assert!(error.contains("line 2") && error.contains("UTF-8"), "{error}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 200, ..ProptestConfig::default() })]

    #[test]
    fn no_damage_causes_a_panic(
        file in 0..WordNet::FILES.len(),
        at in 0.0..1.0_f64,
        bytes in proptest::collection::vec(any::<u8>(), 0..12),
        word in "\\PC{0,12}",
    ) {
        let folder = dictionary();
        let path = folder.path().join(WordNet::FILES[file]);
        let mut text = std::fs::read(&path).unwrap();
        let start = (at * text.len() as f64) as usize;
        let end = (start + bytes.len()).min(text.len());
        text.splice(start..end, bytes);
        std::fs::write(&path, text).unwrap();
        if let Ok(small) = WordNet::open(folder.path()) {
            for word in [word.as_str(), "furry", "cats", "kitties"] {
                small.synonyms(word);
                small.lemma(word, PartOfSpeech::Noun);
            }
        }
    }
}
