//! `neurogauge score captions`: results computed by hand, and refused captions.

use super::measures::{CAPTION, captions, measure, near, value};
use crate::support::*;

#[test]
fn captions_of_two_systems_by_hand() {
    let dir = captions();
    let out = dir.join("out");
    let caption = |options: &str| dir.succeed(&format!("{CAPTION} {options} good.json bad.json")).stdout;
    // A regression snapshot of the table.
    assert_snapshot!(caption(""), @"
    Brain captioning: 2 images

    system  images                 BLEU-1                BLEU-2             BLEU-3             BLEU-4               ROUGE-L                   CIDEr
    good         2  75.00 [50.00, 100.00]  61.24 [0.00, 100.00]  0.72 [0.00, 1.00]  0.08 [0.00, 0.10]  75.00 [0.00, 100.00]  218.75 [0.00, 1000.00]
    bad          2      0.00 [0.00, 0.00]     0.00 [0.00, 0.00]  0.00 [0.00, 0.00]  0.00 [0.00, 0.00]    0.00 [0.00, 65.76]                    0.00

    All values times 100, as BrainHub prints them (the files hold them as they are); 95% intervals for new images (bootstrap over images).
    ");
    // 3 of 4 words are right, and the lengths are equal.
    near(value(&out, "good", "bleu_1"), 0.75);
    // Of two two-word sequences one is right.
    near(value(&out, "good", "bleu_2"), (0.75_f64 * 0.5).sqrt());
    // Image 1 is right, and half of the words for image 2.
    near(value(&out, "good", "rouge_l"), 0.75);
    near(value(&out, "bad", "cider"), 0.0);
    assert_eq!(dir.values(&out, "good/rouge_l"), [1.0, 0.5]);
    assert_eq!(dir.scores(&out).pairs, ["1", "2"]);
    let record = dir.record(&out);
    assert_eq!(record["inputs"].list().len(), 3);
    assert_eq!(record["inputs"][1]["role"], "decoded/good");
    assert_eq!(record["request"]["bootstrap"]["resamples"], 2000);
    let interval = measure(&out, "good", "bleu_1")["interval"].clone();
    near(interval[0].number(), 0.5);
    near(interval[1].number(), 1.0);

    let csv = caption("--format csv --threads 1");
    assert!(csv.starts_with("system,metric,value,low,high,images,undefined,stand_in\n"));
    assert_eq!(csv, dir.read("out/summary.csv"));
    let mut printed: Value = serde_json::from_str(&caption("--format json")).unwrap();
    // The file also has the hashes of the other outputs.
    printed["outputs"] = record["outputs"].clone();
    assert_eq!(printed, record);
    assert!(caption("--format latex").contains("tabular") && out.join("summary.tex").exists());
}

#[test]
fn systems_are_compared_on_the_images_that_all_of_them_have() {
    let dir = captions();
    let out = dir.join("out");
    let all = |files: &str| dir.succeed(&format!("{CAPTION} {files}"));
    all("good.json bad.json");
    let whole = dir.values(&out, "good/rouge_l");
    let few: BTreeMap<String, Value> = serde_json::from_str(&dir.read("bad.json")).unwrap();
    dir.write("few.json", serde_json::json!({"decoded/2.png": few["2"]}).to_string());
    let ran = all("good.json few.json --pairs shared");
    for said in [
        "gt captions of few: 1 of 2 have no partner on the other side and are left out: 1",
        r#"captions of few: 1 of 2 by name without folder and ending ("2" is "decoded/2.png")"#,
        "captions: 1 of 2 are left out because not all systems have them: 1",
    ] {
        assert!(ran.stderr.contains(said), "{ran}");
    }
    assert_eq!(dir.scores(&out).pairs, ["2"]);
    assert_eq!(dir.values(&out, "good/rouge_l"), whole[1..]);
    let request = &dir.record(&out)["request"];
    assert_eq!(request["pairs"], "shared");
}

#[test]
fn a_single_image_has_no_cider() {
    let dir = folder();
    dir.write("one.json", r#"{"1": "a red cat"}"#);
    let ran = dir.succeed("score captions one.json --out out one.json");
    let out = dir.join("out");
    let cider = measure(&out, "one", "cider");
    assert_eq!(cider["value"], Value::Null);
    assert_eq!(cider["undefined"], "fewer than two items to compare");
    near(value(&out, "one", "rouge_l"), 1.0);
    assert!(ran.stdout.contains("CIDEr: fewer than two"), "{ran}");
}

#[test]
fn bad_captions_are_refused_with_file_and_key() {
    let dir = captions();
    dir.write("lacking.json", r#"{"1": "a cat"}"#);
    dir.write("several.json", r#"{"1": "a cat", "2": ["a", "b"]}"#);
    dir.write("twin/good.json", "{}");
    let table = r#"
    lacking.json
      exit 1, stderr: error: pairing captions: 1 of the gt stems has no partner among the recon stems: 2; every stem must be on both sides; --pairs shared scores the 1 on both sides (gt: reference.json, recon: lacking.json)
    several.json
      exit 1, stderr: error: several.json: stem "2" has 2 captions; a decoded caption is one; choose one, or give each choice a file of its own
    nowhere.json
      exit 1, stderr: error: nowhere.json: not found; expected captions as JSON, a table, or SEED's .npy
    good.json twin/good.json
      exit 2, stderr: error: good.json and twin/good.json are both called "good"; systems are told apart by the names of their files: rename one
    "#;
    dir.refuses(CAPTION, "out", table);
}
