//! Sentences equal those of NLTK's Punkt with the same parameters; and faults of parameter files.

use crate::{golden, read};
use neurogauge_language::{PunktParameters, SentenceRules, SentenceSplitter};
use proptest::prelude::*;
use serde_json::json;

#[test]
fn texts_fall_into_the_sentences_of_nltk() {
    let cases = read("sentences.json");
    let trained = SentenceSplitter::open(golden("punkt/english")).unwrap();
    let bare = SentenceSplitter::with_parameters(PunktParameters::default());
    let cases = cases.as_array().unwrap();
    assert!(cases.len() > 400);
    for case in cases {
        let text = case["text"].as_str().unwrap();
        for (splitter, expected) in [(&trained, "trained"), (&bare, "bare")] {
            let found = splitter.split(text);
            assert_eq!(json!(found.sentences), case[expected], "{text:?} ({expected})");
            assert_eq!(found.rules, SentenceRules::Punkt);
        }
    }
}

#[test]
fn our_own_rules_split_captions() {
    let splitter = SentenceSplitter::with_own_rules();
    assert_eq!(splitter.rules().name(), "own");
    for (text, expected) in [
        ("", &[][..]),
        (" \n", &[]),
        ("A dog", &["A dog"]),
        ("A dog. a cat", &["A dog.", "a cat"]),
        (
            "Dr. Hay waits, approx. 30 yrs. old. He is late.",
            &["Dr. Hay waits, approx. 30 yrs. old.", "He is late."],
        ),
        ("It has a bell, etc. The dog is asleep.", &["It has a bell, etc.", "The dog is asleep."]),
        ("A bus to St. Ives at 5 p.m. on a road!", &["A bus to St. Ives at 5 p.m. on a road!"]),
        ("The cat sat. Dogs ran.", &["The cat sat.", "Dogs ran."]),
        ("Plan B. The end.", &["Plan B.", "The end."]),
    ] {
        let found = splitter.split(text);
        assert_eq!(found.sentences, expected, "{text:?}");
        assert_eq!(found.rules, SentenceRules::Own);
    }
}

/// The error if `file` has this text (or does not exist) and the others are sound.
fn error(file: &str, text: Option<&[u8]>) -> String {
    let folder = tempfile::tempdir().unwrap();
    for name in PunktParameters::FILES {
        std::fs::copy(golden("punkt/english").join(name), folder.path().join(name)).unwrap();
    }
    let path = folder.path().join(file);
    match text {
        Some(text) => std::fs::write(path, text).unwrap(),
        None => std::fs::remove_file(path).unwrap(),
    }
    let error = PunktParameters::open(folder.path()).unwrap_err().to_string();
    assert!(error.contains(file), "{error}");
    error
}

#[test]
fn faults_of_parameter_files_are_named() {
    for file in PunktParameters::FILES {
        assert!(error(file, None).contains("punkt_tab/english"));
        let message = error(file, Some(b"a\t2\nb\xff\n"));
        assert!(message.contains("line 2"), "{message}");
    }
    for (file, text, said) in [
        ("ortho_context.tab", "a\t2\nb\t3\n", "line 2: \"3\""),
        ("ortho_context.tab", "a\t128\n", "line 1: \"128\""),
        ("ortho_context.tab", "a\tmany\n", "line 1: \"many\""),
        ("ortho_context.tab", "\na\n", "line 2: \"a\"; expected two columns"),
        ("collocations.tab", "a\tb\nc\td\te\n", "line 2"),
    ] {
        let message = error(file, Some(text.as_bytes()));
        assert!(message.contains(said), "{message}");
    }
    let missing = PunktParameters::open("/no/such/folder").unwrap_err();
    assert!(missing.to_string().contains("/no/such/folder"));
}

#[test]
fn a_folder_with_windows_line_ends_is_read_alike() {
    let folder = tempfile::tempdir().unwrap();
    for name in PunktParameters::FILES {
        let text = std::fs::read_to_string(golden("punkt/english").join(name)).unwrap().replace('\n', "\r\n") + "\r\n";
        std::fs::write(folder.path().join(name), text).unwrap();
    }
    let splitter = SentenceSplitter::open(folder.path()).unwrap();
    let split = splitter.split("Dr. Hay left. However, it is 5 p.m. on a road.");
    assert_eq!(split.sentences.len(), 2);
}

proptest! {
    #[test]
    fn nothing_but_spaces_is_lost(text in "[ a-cA-C.?!,()\"'\u{201d}\u{a0}\n-]{0,40}") {
        for splitter in [
            SentenceSplitter::with_own_rules(),
            SentenceSplitter::with_parameters(PunktParameters::default()),
        ] {
            let visible = |text: &str| text.split_whitespace().collect::<String>();
            let split = splitter.split(&text).sentences;
            prop_assert_eq!(visible(&split.concat()), visible(&text));
            prop_assert!(split.iter().all(|sentence| !sentence.is_empty()));
        }
    }

    #[test]
    fn any_text_is_split(text in "\\PC{0,60}") {
        SentenceSplitter::with_own_rules().split(&text);
    }
}
