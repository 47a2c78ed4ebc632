//! Captions in each form, hostile files, and BrainHub's real captions.

use crate::prelude::*;

fn read(content: &str) -> Result<Vec<(String, Captions)>, FormatError> {
    let (_folder, path) = file("captions.json", content);
    captions::read(&path)
}

fn entry(stem: &str, texts: &[&str]) -> (String, Captions) {
    let texts = texts.iter().map(|text| (*text).to_owned()).collect();
    (stem.to_owned(), Captions(texts))
}

#[test]
fn json_by_stem_or_as_a_list() {
    let found = read(r#"{"10": " a boat ", "9": ["a dog", "caf\u00e9"], "é": ""}"#).unwrap();
    let expected = [entry("9", &["a dog", "café"]), entry("10", &[" a boat "]), entry("é", &[""])];
    assert_eq!(found, expected);
    let found = read(r#"["first", ["second", "2nd"]]"#).unwrap();
    assert_eq!(found, [entry("0", &["first"]), entry("1", &["second", "2nd"])]);
}

#[test]
fn what_is_written_is_read_back() {
    let (_folder, path) = place("captions.json");
    let entries = [entry("9", &["a \"dog\"\n", " "]), entry("10", &["\u{1f9e0}"])];
    captions::write_json(&path, &entries).unwrap();
    assert_eq!(captions::read(&path).unwrap(), entries);
    let text = std::fs::read_to_string(&path).unwrap();
    assert!(text.contains("\"10\": \"\u{1f9e0}\""), "{text}");

    for (faulty, words) in [
        (vec![entry("a", &[])], "\"a\": no caption"),
        (vec![entry("a", &["x"]), entry("a", &["y"])], "the stem occurs twice, at 0 and at 1"),
    ] {
        refused(captions::write_json(&path, &faulty), words);
        assert_eq!(captions::read(&path).unwrap(), entries);
    }
}

#[test]
fn each_fault_has_its_place() {
    for (content, words) in [
        ("{\"a\": \"x\",\n \"a\": \"y\"}", r#":2:4: the key "a" occurs twice"#),
        (r#"{"a": []}"#, ":1:8: an empty list of captions"),
        (r#"{"a": 3}"#, ":1:7: invalid type: integer `3`, expected a caption (a string) or a list"),
        (r#"{"a": ["x", null]}"#, ":1:16: invalid type: null, expected a string"),
        (r#"{"a": {"b": "x"}}"#, ":1:7: invalid type: map, expected a caption"),
        ("{}", "no caption in it"),
        ("[]", "no caption in it"),
        ("\"x\"", ":1:3: invalid type: string \"x\", expected captions by stem"),
        ("{\"a\": \"x\"", ":1:9: EOF while parsing an object"),
        ("{\"a\": \"x\"} {}", ":1:12: trailing characters"),
        ("{\"a\": \"\\ud800\"}", ":1:14: unexpected end of hex escape"),
    ] {
        refused(read(content), words);
    }
    refused(captions::read(Path::new("/nowhere/captions.json")), "not found; expected");
}

#[test]
fn seeds_pickled_dictionary_loses_the_endings_of_its_names() {
    let results = golden("formats_observations/official/unpadded/intermediate_results");
    let found = captions::read(&results.join("recon_captions.npy")).unwrap();
    let stems: Vec<_> = found.iter().map(|(stem, _)| stem.as_str()).collect();
    assert_eq!(stems, ["1", "2", "3", "4", "5", "6", "7", "8", "9", "10", "11", "12"]);
    assert_eq!(found[2], entry("3", &["recon of 3.jpg"]));
    assert_eq!(found[9], entry("10", &["recon of 10.png"]));
}

#[test]
fn pickled_names_that_share_a_stem_are_refused() {
    let (_folder, path) = place("captions.npy");
    let entries =
        |names: &[&str]| -> Vec<_> { names.iter().map(|name| ((*name).to_owned(), "x".to_owned())).collect() };
    npy::write_pickled_dict(&path, &entries(&["a.png", "a.JPG"])).unwrap();
    refused(captions::read(&path), "share the stem \"a\"");
    // An ending that is not an image's belongs to the stem.
    let names = ["a.01", "a.02.png", ".png"];
    npy::write_pickled_dict(&path, &entries(&names)).unwrap();
    let stems: Vec<_> = captions::read(&path).unwrap().into_iter().map(|(stem, _)| stem).collect();
    assert_eq!(stems, [".png", "a.01", "a.02"]);
}

#[test]
fn brainhubs_real_captions_are_read() {
    let Some(folder) = shared_data("brainhub/captions") else {
        return;
    };
    let references = captions::read(&folder.join("reference_coco.json")).unwrap();
    assert_eq!(references.len(), 982);
    assert_eq!(references[10].0, "10");
    // Python's json gives the same count: three stimuli have six captions.
    let n_captions = |n: usize| references.iter().filter(|(_, c)| c.0.len() == n).count();
    assert_eq!((n_captions(5), n_captions(6)), (979, 3));
    let decoded = captions::read(&folder.join("umbrae-subj02.json")).unwrap();
    assert!(decoded.iter().all(|(_, captions)| captions.0.len() == 1));
    // Python finds two captions in this file with a space at an end, which are kept.
    let spaced = decoded.iter().filter(|(_, c)| c.0[0].trim() != c.0[0]);
    assert_eq!(spaced.count(), 2);

    let (_folder, path) = place("again.json");
    captions::write_json(&path, &references).unwrap();
    assert_eq!(captions::read(&path).unwrap(), references);
}
