//! Label lists from files.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use neurogauge_formats::label_list::read_label_list;

fn read(content: &[u8]) -> Result<Vec<String>, String> {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("mine.txt");
    std::fs::write(&path, content).unwrap();
    match read_label_list(&path) {
        Ok(list) => {
            assert_eq!(list.id(), "mine");
            Ok(list.names().to_vec())
        }
        Err(error) => Err(error.to_string()),
    }
}

#[test]
fn one_name_per_line_or_a_json_list() {
    let lines = read(b"\n# comment\nperson\r\n  traffic_light \n\ndog").unwrap();
    assert_eq!(lines, ["person", "traffic light", "dog"]);
    assert_eq!(
        read(b" [\"person\", \"traffic_light\", \"dog\"]").unwrap(),
        lines
    );
}

#[test]
fn faulty_lists_are_refused() {
    for (content, words) in [
        (
            &b"a_b\n#\n a b"[..],
            "line 3: \"a b\" stands at line 1 already",
        ),
        (
            b"[\"x\", \"y\", \"x\"]",
            "name 2: \"x\" stands at name 0 already",
        ),
        (b"[\"x\", \"\"]", "name 1: an empty name"),
        (b"# nothing\n\n", "no category name in it"),
        (b"[]", "no category name in it"),
        (
            b"[\"x\", 3]",
            "1:7: invalid type: integer `3`, expected a string",
        ),
        (b"\xff\xfe", "not UTF-8 text"),
    ] {
        let error = read(content).unwrap_err();
        assert!(error.contains(words), "{error}");
    }
    let error = read_label_list(std::path::Path::new("/nowhere/x"))
        .unwrap_err()
        .to_string();
    assert!(
        error.contains("not found; expected a file with one category name per line"),
        "{error}"
    );
}
