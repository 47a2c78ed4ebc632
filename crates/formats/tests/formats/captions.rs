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
        (r#"{"a": 3}"#, ":1:7: the number 3; expected a caption (a text) or a list"),
        (r#"{"a": ["x", null]}"#, ":1:16: null; expected a caption (a text)"),
        (r#"{"a": {"b": "x"}}"#, ":1:16: an object without a caption; expected one under \"caption\""),
        ("{}", "no caption in it"),
        ("[]", "no caption in it"),
        (
            "\"x\"",
            ":1:3: the text \"x\"; expected captions: JSON such as {\"0001\": \"a dog on a beach\"}, or a table",
        ),
        ("{\"a\": \"x\"", ":1:9: the file ends within an object; expected captions: JSON such as"),
        ("{\"a\": \"x\"} {}", ":1:12: more text after the end of the JSON"),
        ("{\"a\": \"\\ud800\"}", ":1:14: an escape or a byte that is no character"),
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

/// The captions and the form of a file with this name.
fn described(name: &str, content: &str) -> (Vec<(String, Captions)>, String) {
    let (_folder, path) = file(name, content);
    let found = captions::read_described(&path).unwrap();
    (found.captions, found.form)
}

#[test]
fn captions_of_other_programs_are_read_as_they_are() {
    let two = [entry("0001", &["a dog on a beach", "a dog, running"]), entry("0002", &["two cats"])];
    for (name, content, form) in [
        (
            "c.csv",
            "image,caption\n0001.png,a dog on a beach\n0001.png,\"a dog, running\"\n0002.png,two cats\n",
            "CSV columns image, caption",
        ),
        (
            "c.csv",
            ",Text,score,file_name\n0,a dog on a beach,1,0001\n1,\"a dog, running\",1,0001\n2,two cats,1,0002\n",
            "CSV columns file_name, Text",
        ),
        (
            "c.csv",
            ",text\n0001,a dog on a beach\n0001,\"a dog, running\"\n0002,two cats\n",
            "CSV columns (no name), text",
        ),
        (
            "c.tsv",
            "what\tsaid\n0001\ta dog on a beach\n0001\ta dog, running\n0002\ttwo cats\n",
            "TSV columns what, said",
        ),
        (
            "flickr.txt",
            "0001.jpg#0\ta dog on a beach\n0001.jpg#1\ta dog, running\n0002.jpg#0\ttwo cats\n",
            "table of two columns without names",
        ),
        (
            "c.jsonl",
            "{\"image\": \"0001.png\", \"captions\": [\"a dog on a beach\", \"a dog, running\"]}\n\n{\"image\": \"0002.png\", \
             \"text\": \"two cats\"}\n",
            "JSON Lines, keys image, captions",
        ),
        (
            "c.json",
            "[{\"file_name\": \"0001.png\", \"caption\": [\"a dog on a beach\", \"a dog, running\"]}, {\"id\": 3, \"file_name\": \
             \"0002.png\", \"caption\": \"two cats\"}]",
            "a JSON list, keys file_name, caption",
        ),
        (
            "c.json",
            "{\"0001\": [{\"caption\": \"a dog on a beach\"}, {\"caption\": \"a dog, running\"}], \"0002\": {\"text\": \"two cats\"}}",
            "",
        ),
    ] {
        assert_eq!(described(name, content), (two.to_vec(), form.to_owned()), "{content}");
    }
}

#[test]
fn coco_s_captions_and_results_meet_by_id() {
    let references = r#"{"info": {}, "images": [{"id": 1, "file_name": "x.jpg"}], "licenses": [], "annotations": [
        {"id": 10, "image_id": 1, "caption": "a dog runs"}, {"id": 11, "image_id": 1, "caption": "a brown dog"},
        {"id": 20, "image_id": 2, "caption": "two people"}]}"#;
    let (found, form) = described("captions_val.json", references);
    assert_eq!(found, [entry("1", &["a dog runs", "a brown dog"]), entry("2", &["two people"])]);
    assert_eq!(form, "COCO's annotations, keys image_id, caption");
    for id in ["1", "\"1\"", "1.0"] {
        let (found, _) = described("r.json", &format!("[{{\"image_id\": {id}, \"caption\": \"a dog runs\"}}]"));
        assert_eq!(found, [entry("1", &["a dog runs"])]);
    }
}

#[test]
fn a_parquet_table_has_captions() {
    use neurogauge_formats::columns_parquet::{Column, write};
    let (_folder, path) = place("c.parquet");
    let texts = |texts: &[&str]| Column::Text(texts.iter().map(|&text| text.to_owned()).collect());
    write(
        &path,
        "captions",
        &[("image_id", Column::Whole(vec![7, 7])), ("caption", texts(&["a dog", "a cat"]))],
    )
    .unwrap();
    let found = captions::read_described(&path).unwrap();
    assert_eq!(
        (found.captions, found.form.as_str()),
        (vec![entry("7", &["a dog", "a cat"])], "Parquet columns image_id, caption")
    );
}

#[test]
fn what_is_no_captions_shows_what_is_expected() {
    let example = "expected captions: JSON such as {\"0001\": \"a dog on a beach\"}, or a table such as the lines \
                   \"image,caption\" and \"0001,a dog on a beach\"";
    for (name, content, words) in [
        ("c.json", "image,caption\n1,a dog\n", ":1:1: this is not JSON"),
        ("c.json", "{\"images\": []}", "COCO's key \"images\" without its annotations"),
        ("c.json", "{\"annotations\": [], \"1\": \"a dog\"}", "COCO's annotations beside other captions"),
        ("c.csv", "image,caption\n", "no line below the header"),
    ] {
        let (_folder, path) = file(name, content);
        refused(captions::read(&path), words);
        refused(captions::read(&path), example);
    }
    for (name, content, words) in [
        (
            "c.json",
            "{\"annotations\": [{\"id\": 1, \"bbox\": []}]}",
            "an object without a caption; expected one under",
        ),
        (
            "c.json",
            "{\"annotations\": [{\"caption\": \"a\"}]}",
            "annotations[0]: no key names the image; expected",
        ),
        ("c.json", "[{\"image_id\": 1, \"caption\": \"a\"}, \"b\"]", "[1]: no key names the image"),
        (
            "c.json",
            "[{\"image_id\": [1], \"caption\": \"a\"}]",
            "a list; expected an id: a whole number or a text",
        ),
        ("c.json", "[{\"image_id\": 1.5, \"caption\": \"a\"}]", "the number 1.5; expected an id"),
        (
            "c.jsonl",
            "{\"image\": \"1\", \"caption\": \"a\"}\n{\"caption\": \"a\"}\n",
            "object 2: no key names the image",
        ),
        (
            "c.jsonl",
            "{\"image\": \"1\", \"caption\": \"a\"}\n{\"image\": \"2\"}\n",
            ":2:14: an object without a caption",
        ),
        (
            "c.csv",
            "image,reference,prediction\n1,a dog,a cat\n",
            "prediction, reference could all be the captions",
        ),
        (
            "c.json",
            "[{\"image_id\": 1, \"text\": \"a\", \"caption\": \"b\"}]",
            "`text` and `caption` could both be its caption",
        ),
        ("c.csv", "a,b,c\n1,2,3\n", "rename them; the columns are [\"a\", \"b\", \"c\"]"),
        ("c.csv", "image,caption\n,a dog\n", "column \"image\" holds \"\"; expected the name of an image"),
        ("c.csv", "image,caption\na.png,a dog\na.jpg,a cat\n", "share the stem \"a\""),
    ] {
        let (_folder, path) = file(name, content);
        refused(captions::read(&path), words);
    }
}
