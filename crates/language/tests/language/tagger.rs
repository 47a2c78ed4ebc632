//! Tags equal those of NLTK's perceptron tagger with the same weights; and faults of its files.

use crate::{golden, read};
use neurogauge_language::{PerceptronTagger, is_noun_tag, word_tokens};
use proptest::prelude::*;

const FILES: [&str; 3] = ["toy.classes.json", "toy.tagdict.json", "toy.weights.json"];

#[test]
fn sentences_have_the_tags_of_nltk() {
    let model = tempfile::tempdir().unwrap();
    for file in FILES {
        std::fs::copy(golden("tagger").join(file), model.path().join(file)).unwrap();
    }
    let tagger = PerceptronTagger::open(model.path()).unwrap();
    let cases: Vec<(Vec<String>, Vec<String>)> = serde_json::from_value(read("tagger/cases.json")).unwrap();
    assert!(cases.len() > 300);
    for (words, tags) in cases {
        assert_eq!(tagger.tag(&words), tags, "{words:?}");
    }
}

/// A model of two tags whose result can be computed by hand.
fn small(weights: &str, dictionary: &str, classes: &str) -> Result<PerceptronTagger, String> {
    let folder = tempfile::tempdir().unwrap();
    let contents = [classes, dictionary, weights];
    for (file, content) in FILES.into_iter().zip(contents) {
        std::fs::write(folder.path().join(file), content).unwrap();
    }
    PerceptronTagger::open(folder.path()).map_err(|error| error.to_string())
}

#[test]
fn scores_are_sums_of_weights_and_equal_ones_go_to_the_later_tag() {
    let tagger = small(
        r#"{"bias": {"NN": 1, "VB": 1.0, "gone": 9}, "i-1 tag NN": {"VB": 0.5}, "i word dog": {"NN": 0.25}}"#,
        r#"{"the": "DT", "a": ""}"#,
        r#"["VB", "NN", "NN"]"#,
    )
    .unwrap();
    // the: dictionary; dog: NN 1.25, VB 1; dog: NN 1.25, VB 1.5; a: 1 and 1.
    assert_eq!(tagger.tag(&["the", "Dog", "dog", "a"]), ["DT", "NN", "VB", "VB"]);
    assert!(tagger.tag(&[""; 0]).is_empty());
}

#[test]
fn nouns_are_what_the_filter_keeps() {
    let tagger = PerceptronTagger::open(golden("tagger")).unwrap();
    let words = word_tokens("Two dogs sit on a wooden bench in London.");
    let tags = tagger.tag(&words);
    let nouns: Vec<&String> =
        words.iter().zip(tags).filter(|(_, tag)| is_noun_tag(tag)).map(|(word, _)| word).collect();
    assert_eq!(nouns, ["dogs", "bench", "London"]);
}

#[test]
fn faults_of_model_files_are_named() {
    for (weights, dictionary, classes, said) in [
        ("{", "{}", r#"["NN"]"#, "weights.json: line 1: not JSON"),
        ("{}", "[]", r#"["NN"]"#, "tagdict.json: the file: found a list"),
        ("{}", r#"{"a": 1}"#, r#"["NN"]"#, "tagdict.json: word \"a\": found 1"),
        ("{}", "{}", "[]", "classes.json: the file: found a list of 0"),
        ("{}", "{}", r#"["NN", 3]"#, "classes.json: entry 1: found 3"),
        ("{}", "{}", r#"[""]"#, "classes.json: entry 0"),
        ("[]", "{}", r#"["NN"]"#, "weights.json: the file"),
        (r#"{"bias": 1}"#, "{}", r#"["NN"]"#, "weights.json: feature \"bias\": found 1"),
        (r#"{"bias": {"NN": "1"}}"#, "{}", r#"["NN"]"#, "expected a number for NN"),
        (r#"{"bias": {"NN": 1e999}}"#, "{}", r#"["NN"]"#, "not JSON"),
        (r#"{"bias": {"NN": NaN}}"#, "{}", r#"["NN"]"#, "not JSON"),
    ] {
        let message = small(weights, dictionary, classes).unwrap_err();
        assert!(message.contains(said), "{message}");
    }
}

#[test]
fn missing_and_double_files_are_named() {
    let error = PerceptronTagger::open("/no/such/folder").unwrap_err().to_string();
    assert!(error.contains("/no/such/folder"), "{error}");
    let folder = tempfile::tempdir().unwrap();
    let error = PerceptronTagger::open(folder.path()).unwrap_err().to_string();
    assert!(error.contains("*.classes.json") && error.contains("nltk_data"), "{error}");
    for name in ["one.classes.json", "two.classes.json"] {
        std::fs::write(folder.path().join(name), "[]").unwrap();
    }
    let error = PerceptronTagger::open(folder.path()).unwrap_err().to_string();
    assert!(error.contains("one.classes.json and ") && error.contains("one model"), "{error}");
}

proptest! {
    #[test]
    fn any_words_have_tags(words in proptest::collection::vec("\\PC{0,8}", 0..8)) {
        let tagger = small(r#"{"bias": {"NN": 1}}"#, "{}", r#"["NN", "VB"]"#).unwrap();
        prop_assert_eq!(tagger.tag(&words), vec!["NN"; words.len()]);
    }
}
