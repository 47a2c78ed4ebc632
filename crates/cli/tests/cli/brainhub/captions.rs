//! `neurogauge caption`: numbers by hand, and captions that are refused.

use super::measures::{captioning, captions, measure, near, value};
use crate::support::{folder, record, refused, scores, succeed, values, write};
use serde_json::Value;
use std::path::Path;

#[test]
fn captions_of_two_systems_by_hand() {
    let dir = folder();
    let out = dir.path().join("out");
    let (reference, good, bad) = captions(dir.path());
    let args = captioning(&reference, &[&good, &bad], &out, &[]);
    let ran = succeed(&args);
    // 3 of 4 words; lengths are the same.
    near(value(&out, "good", "bleu_1"), 0.75);
    // Of two runs of two words one is right.
    near(value(&out, "good", "bleu_2"), (0.75_f64 * 0.5).sqrt());
    // Image 1 is right, of image 2 half the words are.
    near(value(&out, "good", "rouge_l"), 0.75);
    near(value(&out, "bad", "cider"), 0.0);
    assert_eq!(values(&out, "good/rouge_l"), [1.0, 0.5]);
    assert_eq!(scores(&out).pairs, ["1", "2"]);
    let record = record(&out);
    assert_eq!(record["inputs"].as_array().unwrap().len(), 3);
    assert_eq!(record["inputs"][1]["role"], "decoded/good");
    assert_eq!(record["request"]["bootstrap"]["resamples"], 2000);
    let interval = measure(&out, "good", "bleu_1")["interval"].clone();
    near(interval[0].as_f64().unwrap(), 0.5);
    near(interval[1].as_f64().unwrap(), 1.0);
    assert!(ran.stdout.contains("75.00"), "{}", ran.stdout);

    let csv = succeed(&[&args[..], &["--format", "csv", "--threads", "1"]].concat()).stdout;
    assert!(csv.starts_with("system,metric,value,low,high,images,undefined\n"));
    assert_eq!(
        csv,
        std::fs::read_to_string(out.join("summary.csv")).unwrap()
    );
    let json = succeed(&[&args[..], &["--format", "json"]].concat()).stdout;
    assert_eq!(serde_json::from_str::<Value>(&json).unwrap(), record);
    let latex = succeed(&[&args[..], &["--format", "latex"]].concat()).stdout;
    assert!(latex.contains("tabular") && out.join("summary.tex").exists());
}

#[test]
fn a_single_image_has_no_cider() {
    let dir = folder();
    let out = dir.path().join("out");
    let file = dir.path().join("one.json");
    write(&file, r#"{"1": "a red cat"}"#);
    let ran = succeed(&captioning(&file, &[&file], &out, &[]));
    let cider = measure(&out, "one", "cider");
    assert_eq!(cider["value"], Value::Null);
    assert_eq!(cider["undefined"], "fewer than two items to compare");
    near(value(&out, "one", "rouge_l"), 1.0);
    assert!(
        ran.stdout.contains("CIDEr: fewer than two"),
        "{}",
        ran.stdout
    );
}

#[test]
fn bad_captions_are_refused_with_file_and_key() {
    let dir = folder();
    let out = dir.path().join("out");
    let (reference, good, _) = captions(dir.path());
    let refuse = |decoded: &Path, code, parts: &[&str]| {
        refused(&captioning(&reference, &[decoded], &out, &[]), code, parts);
    };
    let other = dir.path().join("other.json");
    write(&other, r#"{"1": "a cat"}"#);
    refuse(&other, 1, &["other.json", "no partner", "2"]);
    write(&other, r#"{"1": "a cat", "2": ["a", "b"]}"#);
    refuse(&other, 1, &["other.json", "\"2\" has 2 captions"]);
    write(&other, r#"{"1": "a cat", "2": 5}"#);
    refuse(&other, 1, &["other.json:1:"]);
    refuse(&dir.path().join("nowhere.json"), 1, &["nowhere.json"]);
    let twin = dir.path().join("twin/good.json");
    write(&twin, "{}");
    let twice = captioning(&reference, &[&good, &twin], &out, &[]);
    refused(&twice, 2, &["both called \"good\""]);
    assert!(!out.exists());
}
