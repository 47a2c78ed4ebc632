//! Scene graphs: both forms, the paper's appendix as printed, and files that are no scene graphs.

use crate::prelude::*;
use neurogauge_formats::scene_graphs::{read, write_json};

fn file(folder: &Path, name: &str, text: &str) -> PathBuf {
    let path = folder.join(name);
    std::fs::write(&path, text).unwrap();
    path
}

fn boats() -> SceneGraph {
    SceneGraph {
        objects: vec!["boat".into(), "fishing dock".into()],
        attributes: [
            ("boat".to_owned(), vec!["large".into(), "white".into()]),
            ("dock".to_owned(), vec!["wooden".into()]),
        ]
        .into(),
        relations: vec![
            ["boat".into(), "dock at".into(), "dock".into()],
            ["dock".into(), "extend into".into(), "water".into()],
        ],
    }
}

#[test]
fn the_text_form_says_what_the_json_form_does() {
    let folder = tempfile::tempdir().unwrap();
    let json = r#"{"10": {}, "9": {"objects": ["boat", "fishing dock"], "attributes": {"dock": ["wooden"],
        "boat": ["large", "white"]}, "relations": [["boat", "dock at", "dock"],
        ["dock", "extend into", "water"]]}}"#;
    let text = "# a comment\n[9]\nobjects: boat, fishing\n  dock\nattributes: boat: large, white; dock:\nwooden\n\n\
                relations: (boat, dock at, dock); (dock, extend\ninto, water)\n\n[10]\n";
    let one_line = "[10]\n[9]\nobjects: boat, fishing dock; attributes: boat: large, white; dock: wooden; relations: \
                    (boat, dock at, dock); (dock, extend into, water);\n";
    for (name, content) in [("a.json", json), ("b.txt", text), ("c.TXT", one_line)] {
        let graphs = read(&file(folder.path(), name, content)).unwrap();
        let stems: Vec<&str> = graphs.iter().map(|(stem, _)| stem.as_str()).collect();
        assert_eq!(stems, ["9", "10"], "{name}");
        assert_eq!(graphs[0].1, boats(), "{name}");
        assert_eq!(graphs[1].1, SceneGraph::default(), "{name}");
    }
}

#[test]
fn what_is_written_reads_back() {
    let (_folder, path) = place("scene_graphs.json");
    let graphs = vec![("2".to_owned(), boats()), ("10".to_owned(), SceneGraph::default())];
    write_json(&path, &graphs).unwrap();
    assert_eq!(read(&path).unwrap(), graphs);
    let twice = vec![graphs[0].clone(), graphs[0].clone()];
    refused(write_json(&path, &twice), "\"2\": the stem occurs twice");
    let mut faulty = boats();
    faulty.relations[1][1].clear();
    let error = write_json(&path, &[("2".to_owned(), faulty)]).unwrap_err();
    assert!(error.to_string().contains("relations[1][1]"), "{error}");
    assert_eq!(read(&path).unwrap(), graphs, "refused graphs leave the file alone");
}

#[test]
fn appendix_d3_reads_as_fourteen_graphs() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../reference/basic/appendix_d3.txt");
    let graphs = read(Path::new(path)).unwrap();
    assert_eq!(graphs.len(), 14);
    let graph = |stem: &str| &graphs.iter().find(|(s, _)| s == stem).unwrap().1;
    let reference = graph("Reference");
    assert_eq!(reference.objects.len(), 11);
    assert_eq!(reference.attributes["boat"], ["large", "white", "small"]);
    assert_eq!(reference.relations.len(), 9);
    assert_eq!(graph("UniBrain").attributes["people"], ["visible", "far away"]);
    assert_eq!(graph("MindBridge").relations.len(), 13);
}

#[test]
fn files_that_are_none_are_refused_with_stem_and_place() {
    let folder = tempfile::tempdir().unwrap();
    for (name, content, parts) in [
        ("none.json", "{}", &["no scene graph in it"][..]),
        ("none.txt", "# nothing\n", &["no scene graph in it"]),
        ("list.json", "[]", &[":1:", "expected scene graphs by stem"]),
        ("twice.json", r#"{"a": {}, "a": {}}"#, &["the key \"a\" occurs twice"]),
        (
            "object_twice.json",
            r#"{"a": {"attributes": {"boat": ["x"], "boat": []}}}"#,
            &["\"a\": the key \"boat\" occurs twice"],
        ),
        (
            "two_parts.json",
            "{\"a\": {},\n \"b\": {\"relations\": [[\"boat\", \"dock\"]]}}",
            &[":2:", "\"b\": a list of 2", "expected a list of 3"],
        ),
        ("field.json", r#"{"a": {"entities": []}}"#, &["\"a\": unknown key `entities`", "`objects`"]),
        ("number.json", r#"{"a": {"objects": [3]}}"#, &["\"a\": the number 3; expected a text"]),
        ("empty.json", r#"{"a": {"objects": ["boat", ""]}}"#, &["\"a\", objects[1]: an empty name"]),
        (
            "space.json",
            r#"{"a": {"attributes": {"boat": ["white "]}}}"#,
            &["\"a\", attributes[\"boat\"][0]", "begins or ends with a space"],
        ),
        ("key.json", r#"{"a": {"attributes": {"": []}}}"#, &["\"a\", attributes: an empty name"]),
        ("stem.txt", "objects: boat\n", &["line 1", "expected a line [stem] first"]),
        ("stem_twice.txt", "[a]\n\n[a]\n", &["line 3, \"a\"", "the stem is at line 1 already"]),
        (
            "part_twice.txt",
            "[a]\nobjects: boat\nobjects: dock\n",
            &["line 1, \"a\"", "\"objects:\" occurs 2 times"],
        ),
        ("no_part.txt", "[a]\nboat, dock\n", &["line 1, \"a\"", "\"boat, dock\" belongs to no part"]),
        (
            "relation.txt",
            "[a]\nrelations: (boat, dock)\n",
            &["line 1, \"a\"", "relation \"(boat, dock)\"; expected \"(subject,"],
        ),
        ("open.txt", "[a]\nrelations: (boat, at, dock\n", &["relation \"(boat, at, dock\""]),
        ("colon.txt", "[a]\nattributes: boat large\n", &["attributes \"boat large\""]),
        (
            "owner_twice.txt",
            "[a]\nattributes: boat: large; boat: white\n",
            &["attributes of \"boat\" stand twice"],
        ),
        ("comma.txt", "[a]\nobjects: boat,, dock\n", &["\"a\", objects[1]: an empty name"]),
    ] {
        let path = file(folder.path(), name, content);
        let error = read(&path).unwrap_err().to_string();
        for part in parts.iter().chain(&[name]) {
            assert!(error.contains(part), "{name}: {part:?} in {error}");
        }
        assert!(!error.contains(" at line 1 column"), "{error}");
    }
    let bytes = folder.path().join("bytes.txt");
    std::fs::write(&bytes, [b'[', 0xff, b']']).unwrap();
    refused(read(&bytes), "not UTF-8");
    refused(read(&folder.path().join("missing.json")), "not found; expected scene graphs by stem");
}
