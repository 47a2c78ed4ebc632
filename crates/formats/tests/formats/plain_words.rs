//! Broken text files for every reader: the error names the file, the place and the expected form, in a person's words.

use crate::damage::{Draws, mutated};
use crate::mutations;
use crate::prelude::*;
use crate::readers::{READERS, Reader, mended};

/// Words of parsers and names of Rust's types.
const OF_PARSERS: [&str; 27] = [
    "invalid type",
    "invalid value",
    "invalid length",
    "missing field",
    "unknown field",
    "unknown variant",
    "duplicate field",
    "EOF",
    "expected value",
    "expected ident",
    "trailing",
    "key must be",
    "did not match",
    "at line ",
    "sequence",
    "a map",
    "map,",
    "struct ",
    "tuple",
    "borrowed",
    "i64",
    "u16",
    "u32",
    "u64",
    "f64",
    "integer `",
    "recursion",
];

/// Files that are broken for any reader of JSON, and the place of the fault.
const BROKEN: [(&str, &str); 15] = [
    ("", ":1:1: "),
    ("\n{", ":2:1: "),
    ("[1, 2", ":1:"),
    ("{\"a\": ", ":1:"),
    ("{\"a\": nul}", ":1:"),
    ("{a: 1}", ":1:2: "),
    ("{'a': 'b'}", ":1:2: "),
    ("{\"a\": \"b\",}", ":1:"),
    ("{\"a\" \"b\"}", ":1:"),
    ("[1 2]", ":1:"),
    ("{\"a\": \"\\x\"}", ":1:"),
    ("{\"a\": 1e999}", ":1:"),
    ("7", ":1:1: "),
    ("item;caption\n1;a\n", ":1:1: "),
    ("\"x\"", ":1:"),
];

/// The values that stand in place of each value of a sound file.
fn wrong_values() -> Vec<Value> {
    let texts = ["null", "-7", "0.5", "\"odd\"", "[]", "[[[7]]]", "{}", "{\"odd\": {}}", "true", "1e300"];
    texts.map(|text| serde_json::from_str(text).unwrap()).to_vec()
}

/// Each value with one of its parts replaced by each wrong value, or left out, or with a key more.
fn broken(value: &Value) -> Vec<Value> {
    let mut all = wrong_values();
    match value {
        Value::Object(object) => {
            for (key, part) in object {
                all.extend(broken(part).into_iter().map(|part| {
                    let mut object = object.clone();
                    object.insert(key.clone(), part);
                    Value::Object(object)
                }));
                let mut without = object.clone();
                without.remove(key);
                all.push(Value::Object(without));
            }
            let mut more = object.clone();
            more.insert("odd".to_owned(), Value::Bool(true));
            all.push(Value::Object(more));
        }
        Value::Array(list) => {
            for (place, part) in list.iter().enumerate() {
                all.extend(broken(part).into_iter().map(|part| {
                    let mut list = list.clone();
                    list[place] = part;
                    Value::Array(list)
                }));
            }
        }
        _ => {}
    }
    all
}

/// The error of a reader for this content, without the path of the folder, after a check of its words.
fn error(reader: &Reader, content: &str) -> Option<String> {
    let name = format!("file.{}", reader.ending);
    let (folder, path) = file(&name, content);
    let error = (reader.read)(&path)?.replace(&folder.path().display().to_string(), "");
    let words = OF_PARSERS.iter().find(|words| error.contains(**words));
    assert_eq!(words, None, "{}: {content}: {error}", reader.name);
    assert!(error.contains("file"), "{}: {content}: no file in {error}", reader.name);
    Some(error)
}

/// Does the reader take any content for JSON? Those of checkpoints and of language models' answers look at it first.
fn is_strict(reader: &Reader) -> bool {
    !["categorisation", "checkpoint_index"].contains(&reader.name)
}

#[test]
fn what_is_not_json_has_its_place_and_the_expected_form() {
    for reader in READERS.iter().filter(|reader| reader.ending == "json" && is_strict(reader)) {
        for (content, place) in BROKEN {
            let error = error(reader, content).unwrap_or_else(|| panic!("{} reads {content}", reader.name));
            assert!(error.contains(place) && error.contains("expected"), "{}: {content}: {error}", reader.name);
        }
    }
}

/// Words of libraries that decode binary files.
const OF_DECODERS: [&str; 17] = [
    "Zip archive",
    "EOCD",
    "Could not",
    "corrupt",
    "CRC",
    "Format error",
    "utf-8 sequence",
    "Parquet error",
    "Parsing",
    "syntax",
    "ill-formed",
    "Invalid",
    "whole buffer",
    "End of File",
    "end of file",
    "os error",
    "panick",
];

#[test]
fn no_word_of_a_decoder_reaches_a_user() {
    let of_text = ["json", "jsonl", "txt", "csv", "toml"];
    let readers = READERS.iter().filter(|reader| !of_text.contains(&reader.ending));
    let mut n_refused = 0;
    for reader in readers {
        let folder = mutations::folder();
        let path = folder.path().join(format!("file.{}", reader.ending));
        for seed in reader.seeds() {
            let cut = (0..40).map(|part| seed[..seed.len() * part / 40].to_vec());
            let damaged = (0..200).map(|number| mutated(&mut Draws(number), &seed, &seed));
            for bytes in cut.chain(damaged) {
                std::fs::write(&path, mended(bytes)).unwrap();
                let Some(error) = (reader.read)(&path) else { continue };
                n_refused += 1;
                let words = OF_DECODERS.iter().find(|words| error.contains(**words));
                assert_eq!(words, None, "{}: {error}", reader.name);
                assert!(error.contains("file."), "{}: no file in {error}", reader.name);
            }
        }
    }
    assert!(n_refused > 1000, "{n_refused}");
}

/// Faulty files with many columns, keys or lines, each with a name of its own.
fn with_many_names() -> Vec<(&'static str, String)> {
    let names: Vec<String> = (10..50).map(|number| format!("zq{number}")).collect();
    let cells = |cell: &dyn Fn(usize) -> String| (0..names.len()).map(cell).collect::<Vec<_>>().join(",");
    let header = names.join(",");
    let mut tables = vec![format!("{header}\n")];
    let line = |cell: &dyn Fn(usize) -> String| format!("{}\n", cells(cell));
    let lines = |cell: &dyn Fn(usize, usize) -> String| (0..9).map(|row| line(&|at| cell(row, at))).collect::<String>();
    for before in ["", "item,", "item,rater,", "image,", "Timestamp,", "HITId,WorkerId,", "left,right,"] {
        for values in [
            lines(&|row, at| (row * at % 7).to_string()),
            lines(&|row, at| format!("w{row}{at}")),
            lines(&|row, at| (1000 * at + row).to_string()),
            lines(&|_, _| "1".to_owned()),
        ] {
            let n_before = before.matches(',').count();
            let start = |row: usize| (0..n_before).map(|at| format!("i{row}{at},")).collect::<String>();
            let rows = values.lines().enumerate().map(|(row, line)| format!("{}{line}\n", start(row)));
            tables.push(format!("{before}{header}\n{}", rows.collect::<String>()));
        }
    }
    for prefix in ["Input.", "Answer.", "How similar? [", "mean_", "caption", "item_"] {
        let header = names.iter().map(|name| format!("{prefix}{name}")).collect::<Vec<_>>().join(",");
        tables.push(format!("{header}\n{}", lines(&|row, at| (row * at % 5).to_string())));
    }
    let object = |value: &str| {
        let entries = names.iter().map(|name| format!("\"{name}\": {value}")).collect::<Vec<_>>();
        format!("{{{}}}", entries.join(", "))
    };
    let objects = ["1", "null", "[]", "{}", "[1]", "\"a\"", "[[0, 0, 9, 9]]", "{\"zq1\": []}"].map(object);
    let tables = tables.into_iter().map(|table| ("csv", table));
    let objects = objects
        .iter()
        .flat_map(|object| [("json", object.clone()), ("json", format!("[{object}, {object}]"))]);
    tables.chain(objects).collect()
}

#[test]
fn a_message_has_at_most_three_names_of_the_data() {
    let mut n_refused = 0;
    for (ending, content) in with_many_names() {
        for reader in READERS.iter().filter(|reader| reader.ending == ending) {
            let Some(error) = error(reader, &content) else { continue };
            n_refused += 1;
            let names: std::collections::BTreeSet<&str> =
                error.match_indices("zq").filter_map(|(at, _)| error.get(at..at + 4)).collect();
            assert!(names.len() <= 3, "{}: {names:?}: {error}", reader.name);
        }
    }
    assert!(n_refused > 50, "{n_refused}");
}

#[test]
fn no_word_of_a_parser_reaches_a_user() {
    let mut n_broken = 0;
    for reader in READERS.iter().filter(|reader| ["json", "jsonl", "txt", "csv"].contains(&reader.ending)) {
        for seed in reader.seeds() {
            let text = String::from_utf8_lossy(&seed).into_owned();
            for (content, _) in BROKEN {
                error(reader, content);
            }
            // Cut anywhere, and without any line or cell.
            for end in (0..text.len()).filter(|&end| text.is_char_boundary(end)).step_by(1 + text.len() / 200) {
                error(reader, &text[..end]);
            }
            for separator in [',', ':', '\n', '"', '{', '['] {
                error(reader, &text.replacen(separator, "", 1));
                error(reader, &text.replacen(separator, &separator.to_string().repeat(2), 1));
            }
            let values = serde_json::Deserializer::from_str(&text).into_iter::<Value>().flatten();
            for value in values.filter(|value| value.is_object() || value.is_array()) {
                for other in broken(&value) {
                    let content = if reader.ending == "jsonl" {
                        format!("{other}\n{other}\n")
                    } else {
                        other.to_string()
                    };
                    n_broken += usize::from(error(reader, &content).is_some());
                }
            }
        }
    }
    assert!(n_broken > 500, "{n_broken}");
}
