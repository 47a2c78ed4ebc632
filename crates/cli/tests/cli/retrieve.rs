//! `neurogauge retrieve`: every number by hand, and bad input.

use crate::support::{arg, folder, neurogauge, refused, succeed, write};
use neurogauge::formats::npy::write_f32;
use serde_json::Value;
use std::path::{Path, PathBuf};

/// Cosines by hand, brain by image; the first two images are nearest to their own.
///
/// | | a | b | c |
/// |---|---|---|---|
/// | a | 1 | 0 | 0.8 |
/// | b | 0 | 1 | 0.6 |
/// | c | 0.8 | -0.6 | 0.28 |
const IMAGE: [f32; 6] = [1.0, 0.0, 0.0, 2.0, 0.8, 0.6];
const BRAIN: [f32; 6] = [3.0, 0.0, 0.0, 0.5, 0.8, -0.6];

fn embeddings(root: &Path) -> (PathBuf, PathBuf) {
    let (brain, image) = (root.join("brain.npy"), root.join("image.npy"));
    write_f32(&brain, &[3, 2], &BRAIN).unwrap();
    write_f32(&image, &[3, 2], &IMAGE).unwrap();
    (brain, image)
}

fn retrieve(brain: &Path, image: &Path, out: &Path, options: &[&str]) -> (Value, String) {
    let inputs = ["retrieve", "--brain", arg(brain), "--image", arg(image)];
    let output = ["--overwrite", "--out", arg(out)];
    let ran = succeed(&[&inputs[..], &output, options].concat());
    let json = std::fs::read(out.join("retrieval.json")).unwrap();
    (serde_json::from_slice(&json).unwrap(), ran.stdout)
}

fn near(value: &Value, expected: f64) {
    assert!(
        (value.as_f64().unwrap() - expected).abs() < 1e-9,
        "{value} {expected}"
    );
}

#[test]
fn shares_expectations_and_chance_are_those_found_by_hand() {
    let dir = folder();
    let out = dir.path().join("out");
    let (brain, image) = embeddings(dir.path());
    let (record, stdout) = retrieve(&brain, &image, &out, &["--candidates", "3"]);
    // c is nearer to image a; image c is nearer to brain a and brain b.
    near(&record["forward"]["mean"], 2.0 / 3.0);
    near(&record["backward"]["mean"], 2.0 / 3.0);
    near(&record["forward"]["sd"], 0.0);
    near(&record["chance"], 1.0 / 3.0);
    assert_eq!(record["forward"]["repeats"].as_array().unwrap().len(), 30);
    assert_eq!(record["paired_by_ids"], false);
    for part in [
        "forward (brain to image)",
        "0.667",
        "0.3333",
        "30 draws of 3 candidates out of 3",
    ] {
        assert!(stdout.contains(part), "{part}\n{stdout}");
    }
    // Of two candidates, brain c finds its own if b was drawn and not a.
    let (record, _) = retrieve(&brain, &image, &out, &["--candidates", "2"]);
    near(&record["forward"]["expected"], (1.0 + 1.0 + 0.5) / 3.0);
    near(&record["backward"]["expected"], 2.0 / 3.0);
    let options = ["--candidates", "3", "--top-k", "2", "--repeats", "1"];
    let (record, _) = retrieve(&brain, &image, &out, &options);
    near(&record["forward"]["mean"], 1.0);
    near(&record["backward"]["mean"], 2.0 / 3.0);
    assert_eq!(record["forward"]["interval"], Value::Null);
}

#[test]
fn formats_ids_and_threads() {
    let dir = folder();
    let out = dir.path().join("out");
    let (brain, image) = embeddings(dir.path());
    let options = ["--candidates", "2", "--seed", "3", "--format", "json"];
    let (by_rows, stdout) = retrieve(&brain, &image, &out, &options);
    assert_eq!(serde_json::from_str::<Value>(&stdout).unwrap(), by_rows);
    let csv = std::fs::read_to_string(out.join("retrieval.csv")).unwrap();
    assert!(
        csv.starts_with("direction,mean,low,high,sd,expected,"),
        "{csv}"
    );
    assert_eq!(csv.lines().count(), 3);
    let threads = [&options[..], &["--threads", "1"]].concat();
    let (again, _) = retrieve(&brain, &image, &out, &threads);
    assert_eq!(by_rows, again);

    // The same rows in another order, with ids that say which is which.
    let side = dir.path().join("side");
    write(&dir.path().join("ids.json"), "[\"a\", \"b\", \"c\"]");
    write(&side.join("ids.json"), "[\"c\", \"a\", \"b\"]");
    let turned = [0.8, 0.6, 1.0, 0.0, 0.0, 2.0];
    write_f32(&side.join("image.npy"), &[3, 2, 1], &turned).unwrap();
    let (by_ids, _) = retrieve(&brain, &side.join("image.npy"), &out, &options);
    assert_eq!(by_ids["paired_by_ids"], true);
    assert_eq!(by_ids["forward"], by_rows["forward"]);
    assert_eq!(by_ids["backward"], by_rows["backward"]);
}

#[test]
fn embeddings_without_direction_are_left_out_and_named() {
    let dir = folder();
    let (brain, image) = embeddings(dir.path());
    write_f32(&brain, &[3, 2], &[3.0, 0.0, 0.0, 0.0, 0.8, -0.6]).unwrap();
    let out = dir.path().join("out");
    let (record, stdout) = retrieve(&brain, &image, &out, &["--candidates", "2"]);
    assert_eq!(record["n_items"], 2);
    assert!(stdout.contains("1 items have an embedding"), "{stdout}");
    assert!(stdout.contains("take no part: 1"), "{stdout}");
}

#[test]
fn bad_input_is_refused_with_what_to_do() {
    let dir = folder();
    let out = dir.path().join("out");
    let (brain, image) = embeddings(dir.path());
    let base = [
        "retrieve",
        "--brain",
        arg(&brain),
        "--image",
        arg(&image),
        "--out",
        arg(&out),
    ];
    refused(
        &base,
        2,
        &["300 with 3 items", "no more than there are items"],
    );
    let top = [&base[..], &["--candidates", "2", "--top-k", "2"]].concat();
    refused(&top, 2, &["top k is 2"]);

    let ids = dir.path().join("side/ids.json");
    let other = dir.path().join("side/image.npy");
    write(&ids, "[\"a\", \"b\", \"c\"]");
    write_f32(&other, &[3, 2], &IMAGE).unwrap();
    let with = [
        "retrieve",
        "--brain",
        arg(&brain),
        "--image",
        arg(&other),
        "--out",
        arg(&out),
    ];
    refused(&with, 2, &["has none", "ids.json"]);
    write(&dir.path().join("ids.json"), "[\"a\", \"b\", \"d\"]");
    refused(&with, 1, &["pairing embeddings", "c"]);
    std::fs::remove_file(dir.path().join("ids.json")).unwrap();

    for (shape, values, part) in [
        (vec![2, 3], IMAGE.to_vec(), "3 embeddings of 2 values"),
        (vec![6], IMAGE.to_vec(), "(items, features)"),
        (vec![1, 2], vec![1.0, f32::NAN], "row 0, column 1"),
    ] {
        write_f32(&image, &shape, &values).unwrap();
        refused(&base, 1, &["image.npy", part]);
    }
    let missing = neurogauge(&[
        "retrieve",
        "--brain",
        "nowhere.npy",
        "--image",
        arg(&image),
        "--out",
        "x",
    ]);
    assert_eq!(missing.code, 1);
    missing.says(&["nowhere.npy"]);
    assert!(!out.exists());
}

#[test]
fn a_finished_result_of_other_options_or_inputs_is_replaced_only_if_asked() {
    let dir = folder();
    let out = dir.path().join("out");
    let (brain, image) = embeddings(dir.path());
    let inputs = ["retrieve", "--brain", arg(&brain), "--image", arg(&image)];
    let args = [&inputs[..], &["--out", arg(&out), "--candidates", "2"]].concat();
    let read = || std::fs::read(out.join("retrieval.json")).unwrap();
    succeed(&args);
    let first = read();
    succeed(&args);
    assert!(read() == first, "the same again");

    let other = [&args[..], &["--seed", "7"]].concat();
    let parts = [
        "not replaced",
        "--overwrite",
        "options.options.seed: 42 then, 7 now",
    ];
    refused(&other, 1, &parts);
    assert!(read() == first);
    write_f32(&brain, &[3, 2], &IMAGE).unwrap();
    refused(&args, 1, &["not replaced", "SHA-256 of input.brain"]);
    assert!(read() == first);
    succeed(&[&other[..], &["--overwrite"]].concat());
    let record: Value = serde_json::from_slice(&read()).unwrap();
    assert_eq!(record["seed"], 7);
    assert_eq!(record["command"], "retrieve");
}
