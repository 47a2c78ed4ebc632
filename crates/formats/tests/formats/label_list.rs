//! Label lists from files.

use crate::prelude::*;
use neurogauge_formats::label_list::read_label_list;

fn read(content: &[u8]) -> Result<Vec<String>, String> {
    let (_folder, path) = file("mine.txt", content);
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
    assert_eq!(read(b" [\"person\", \"traffic_light\", \"dog\"]").unwrap(), lines);
}

#[test]
fn a_byte_order_mark_is_no_part_of_a_name() {
    for text in [
        "person\ndog\n",
        "# comment\nperson\ndog\n",
        "[\"person\", \"dog\"]",
        "{\"names\": [\"person\", \"dog\"]}",
    ] {
        let marked = [b"\xef\xbb\xbf", text.as_bytes()].concat();
        assert_eq!(read(&marked).unwrap(), ["person", "dog"], "{text}");
    }
}

#[test]
fn an_object_says_what_categories_belong_together() {
    let (_folder, path) = place("god_groups.json");
    let text =
        r#"{"names": "god", "supercategories": {"headgear": ["cowboy_hat", "crash helmet"]}, "salient": ["leopard"]}"#;
    std::fs::write(&path, text).unwrap();
    let list = read_label_list(&path).unwrap();
    assert_eq!((list.id(), list.names().len()), ("god_groups", 51));
    let groups = list.groups();
    let headgear = &groups.supercategories.as_ref().unwrap()["headgear"];
    assert_eq!(headgear, &["cowboy hat", "crash helmet"]);
    assert_eq!(groups.salient.as_deref(), Some(&["leopard".to_owned()][..]));
}

#[test]
fn the_example_groups_the_categories_of_generic_object_decoding() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../examples/god-categories.json");
    let list = read_label_list(Path::new(path)).unwrap();
    let groups = list.groups();
    let grouped = groups.supercategories.iter().flatten();
    let sizes: Vec<usize> = grouped.map(|(_, members)| members.len()).collect();
    assert_eq!((sizes.len(), sizes.iter().sum::<usize>()), (9, 43));
    assert_eq!(groups.salient.as_ref().map(Vec::len), Some(23));
}

#[test]
fn faulty_lists_are_refused() {
    for (content, words) in [
        (&b"a_b\n#\n a b"[..], "line 3: \"a b\" is at line 1 already"),
        (b"[\"x\", \"y\", \"x\"]", "name 2: \"x\" is at name 0 already"),
        (b"[\"x\", \"\"]", "name 1: an empty name"),
        (b"# nothing\n\n", "no category name in it"),
        (b"[]", "no category name in it"),
        (b"[\"x\", 3]", "1:7: the number 3; expected a text"),
        (b"dog\nc\xffat", "line 2: not UTF-8 text; save it as UTF-8"),
        (b"{\"names\": \"pets\"}", "names: \"pets\"; expected coco_gender, coco, god, or a list of names"),
        (b"{\"names\": [\"x\", \"x\"]}", "name 1: \"x\" is at name 0 already"),
        (b"{\"names\": [\"x\"], \"groups\": {}}", "unknown key `groups`"),
        (b"{\"names\": 3}", "expected a list of names, or the id of a built-in list"),
        (
            b"{\"names\": [\"x\"], \"supercategories\": {\"a\": [\"x\", \"y\"]}}",
            "supercategories, \"a\", name 1: \"y\" is not among the names",
        ),
        (
            b"{\"names\": [\"x\"], \"supercategories\": {\"a\": [\"x\"], \"b\": [\"x\"]}}",
            "supercategories, \"b\", name 0: \"x\" is in \"a\" already",
        ),
        (b"{\"names\": [\"x\"], \"supercategories\": {\"a\": [], \"a\": []}}", "the key \"a\" occurs twice"),
        (b"{\"names\": [\"x\"], \"salient\": [\"z\"]}", "salient, name 0: \"z\" is not among the names"),
    ] {
        refused(read(content), words);
    }
    refused(
        read_label_list(Path::new("/nowhere/x")),
        "not found; expected a file with one category name per line",
    );
}
