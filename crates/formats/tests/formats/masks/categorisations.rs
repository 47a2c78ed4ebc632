//! Files of categories, as answered by language models.

use crate::prelude::*;
use neurogauge_formats::categorisation::{CategorisationSource, read_categorisation};

const ANSWER: &str = r#"{"foreground_objects": [{"object": "dog", "semantic_category": "animal", "parts": ["head"]}],
"background_elements": [{"element": "sky"}]}"#;

#[test]
fn categorisations_are_read_with_what_language_models_add() {
    let wrapped = format!("Sure!\n```json\n{}\n```\nAnything else?", ANSWER.replace("}]", "},\n]"));
    for text in [ANSWER.to_owned(), wrapped, format!("\u{feff}{ANSWER}")] {
        let (_folder, path) = file("1.json", text.as_bytes());
        let found = read_categorisation(&path).unwrap();
        assert_eq!(found.foreground[0].parts, ["head"]);
        assert_eq!(found.background[0].name, "sky");
    }
    let all = format!("{{\"1\": {ANSWER}, \"2\": {ANSWER}}}");
    let (_folder, path) = file("categories.json", all.as_bytes());
    let source = CategorisationSource::open(&path).unwrap();
    assert!(source.find("2").is_some() && source.find("3").is_none());
    let (_folder, path) = file("categories.json", all.replace("\"2\"", "\"1\"").as_bytes());
    refused(CategorisationSource::open(&path), "occurs twice");
}

#[test]
fn what_is_no_categorisation_is_refused_at_its_place() {
    let cases = [
        (ANSWER.replace("\"object\"", "\"name\""), ":1:"),
        (ANSWER.replace("[\"head\"]", "\"head\""), ":1:"),
        (ANSWER.replace("\"background_elements\"", "\"background\""), ":2:"),
        (ANSWER.replace("\"sky\"", "\" \""), "background_elements[0].element"),
        (ANSWER.replace("\"head\"", "\"\""), "parts[0]"),
        (ANSWER.replace("}],\n", "},,],\n"), ":1:"),
        (format!("Here it is: {ANSWER}"), ":1:1"),
        (format!("```{ANSWER}``` and ```{ANSWER}```"), "code fences"),
        (format!("```json\n{ANSWER}"), "code fences"),
        (ANSWER.replace("\"dog\"", "'dog'"), ":1:"),
    ];
    for (text, part) in cases {
        let (_folder, path) = file("1.json", text.as_bytes());
        refused(read_categorisation(&path), part);
    }
}
