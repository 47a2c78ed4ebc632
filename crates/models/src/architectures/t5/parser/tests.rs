//! Compares with the package FactualSceneGraph, with a synthetic model and tokenizer.

use super::*;
use crate::goldens::{self, golden};
use crate::observers::scene_graph_parsing::graph_text::merge;
use neurogauge_core::ModelIdentity;
use serde_json::Value;
use std::collections::BTreeMap;
use std::num::NonZeroUsize;
use std::path::Path;

const TEXTS: &str = "../scene_graph_text";

fn assert_reads(reading: &GraphReading, expected: &Value, text: &str) {
    let objects: Vec<String> = goldens::read(&expected["objects"]);
    // The package also makes an object of a name that is beside nothing.
    let unsure: Vec<String> = goldens::read(&expected["unsure"]);
    let own = &reading.graph.objects;
    let certain = |name: &&String| own.contains(name) || !unsure.contains(name);
    let certain: Vec<&String> = objects.iter().filter(certain).collect();
    assert_eq!(own.iter().collect::<Vec<_>>(), certain, "{text:?}");
    let mut attributes = reading.graph.attributes.clone();
    attributes.values_mut().for_each(|values| values.sort());
    assert_eq!(attributes, goldens::read(&expected["attributes"]), "{text:?}");
    assert_eq!(reading.graph.relations, goldens::read::<Vec<[String; 3]>>(&expected["relations"]), "{text:?}");
    let quantities: BTreeMap<String, String> = goldens::read(&expected["quantities"]);
    assert_eq!(reading.quantities, quantities, "{text:?}");
}

#[test]
fn texts_mean_what_they_mean_to_the_package() {
    for case in golden(TEXTS)["texts"].as_array().unwrap() {
        let text = case["text"].as_str().unwrap();
        let own = tidy(text);
        assert_eq!(own, case["tidy"].as_str().unwrap(), "{text:?}");
        assert_reads(&read(&own), case, text);
        assert_reads(&read(text), &case["raw"], text);
        assert_eq!(tidy(&own), own, "{text:?}");
        assert_eq!(merge([own.as_str()]), own, "{text:?}");
    }
}

#[test]
fn dropped_facts_are_counted() {
    for (text, n_malformed) in [
        ("( a , on , b ) , ( a , b )", 1),
        ("( a , , b )", 1),
        ("( a , b , c , d ) , ( a , b ) , ( c , is , d )", 2),
        ("a", 0),
        ("", 0),
    ] {
        assert_eq!(read(text).n_malformed, n_malformed, "{text:?}");
    }
}

/// The folder of the synthetic model, as in the reference script.
fn folder(change: impl FnOnce(&mut Value)) -> tempfile::TempDir {
    let dir = goldens::folder(&golden("t5_reduced"), TEXTS, |_, _| {});
    let mut tokenizer = golden(TEXTS)["tokenizer"].clone();
    change(&mut tokenizer);
    std::fs::write(dir.path().join("tokenizer.json"), tokenizer.to_string()).unwrap();
    dir
}

fn load(dir: &Path) -> Result<SceneGraphParser, ModelError> {
    let identity = ModelIdentity::placeholder("synthetic", "");
    SceneGraphParser::load(&dir.join("model.safetensors"), identity)
}

fn parser() -> SceneGraphParser {
    load(folder(|_| {}).path()).unwrap()
}

fn texts(parser: &SceneGraphParser, sentences: &[&str], options: &ParserOptions) -> Vec<String> {
    parser.parse(sentences, options, &|_| {}).unwrap().into_iter().map(|graph| graph.text).collect()
}

#[test]
fn graphs_are_those_of_the_package() {
    let golden = golden(TEXTS);
    let sentences: Vec<String> = goldens::read(&golden["sentences"]);
    let sentences: Vec<&str> = sentences.iter().map(String::as_str).collect();
    let parser = parser();
    for case in golden["parsed"].as_array().unwrap() {
        let options = ParserOptions {
            n_beams: goldens::read(&case["beams"]),
            max_source_tokens: goldens::read(&case["limit"]),
            max_new_tokens: goldens::read::<usize>(&case["length"]) - 1,
            source_limit: SourceLimit::LongestOfBatch(goldens::read(&case["batch"])),
        };
        let expected: Vec<String> = goldens::read(&case["texts"]);
        assert_eq!(texts(&parser, &sentences, &options), expected, "{options:?}");
    }
}

#[test]
fn a_sentence_s_graph_depends_on_it_alone() {
    let sentences: Vec<String> = goldens::read(&golden(TEXTS)["sentences"]);
    let mut sentences: Vec<&str> = sentences.iter().map(String::as_str).collect();
    sentences.extend(["", " \n", sentences[1]]);
    let parser = parser();
    let options = ParserOptions {
        max_new_tokens: 20,
        ..ParserOptions::default()
    };
    let finished = std::sync::atomic::AtomicUsize::new(0);
    let count = |n| {
        finished.fetch_add(n, std::sync::atomic::Ordering::Relaxed);
    };
    let together = parser.parse(&sentences, &options, &count).unwrap();
    assert_eq!(finished.into_inner(), sentences.len());
    for (sentence, graph) in sentences.iter().zip(&together) {
        let alone = parser.parse(&[sentence], &options, &|_| {}).unwrap();
        assert_eq!(alone[0], *graph, "{sentence:?}");
        assert_eq!(graph.text.is_empty() && sentence.trim().is_empty(), sentence.trim().is_empty());
    }
    assert_eq!(together[1], together[2], "blanks at the ends");
    assert!(parser.parse(&[], &options, &count_nothing).unwrap().is_empty());
}

fn count_nothing(_: usize) {}

#[test]
fn a_prompt_is_cut_only_where_it_is_too_long() {
    let parser = parser();
    let (short, long) = ("a man", "a man is holding the red boat");
    let limited = |n_tokens: usize, source_limit| ParserOptions {
        max_source_tokens: NonZeroUsize::new(n_tokens).unwrap(),
        max_new_tokens: 15,
        source_limit,
        ..ParserOptions::default()
    };
    let whole = texts(&parser, &[short, long], &limited(64, SourceLimit::EachByItself));
    // "Generate Scene Graph :" has four tokens, "a man" two, and the end is one.
    let cut = texts(&parser, &[short, long], &limited(7, SourceLimit::EachByItself));
    assert_eq!(cut[0], whole[0]);
    assert_eq!(cut[1], whole[0]);
    let one = SourceLimit::LongestOfBatch(NonZeroUsize::MIN);
    let less = texts(&parser, &[short], &limited(64, one));
    let without = texts(&parser, &["a"], &limited(64, SourceLimit::EachByItself));
    assert_eq!(less, without, "the package drops the last token");
}

#[test]
fn a_tokenizer_that_does_not_fit_is_refused() {
    let refusal = |change: fn(&mut Value)| load(folder(change).path()).err().unwrap().to_string();
    let message = refusal(|tokenizer| tokenizer["post_processor"] = Value::Null);
    assert!(message.contains("puts no </s> around a text"), "{message}");
    let message = refusal(|tokenizer| {
        let pieces = tokenizer["model"]["vocab"].as_array_mut().unwrap();
        pieces.extend((0..30).map(|i| serde_json::json!([format!("\u{2581}more{i}"), -9.0])));
    });
    assert!(message.contains("different models"), "{message}");
}

#[test]
fn a_sentencepiece_file_alone_is_not_enough() {
    let dir = folder(|_| {});
    std::fs::rename(dir.path().join("tokenizer.json"), dir.path().join("spiece.model")).unwrap();
    let message = load(dir.path()).err().unwrap().to_string();
    assert!(message.contains("tokenizer.json is missing"), "{message}");
    assert!(message.contains("spiece.model") && message.contains("AutoTokenizer"), "{message}");
}
