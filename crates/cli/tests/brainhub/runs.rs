//! `neurogauge caption` and `neurogauge ground`: by hand, on BrainHub's own files, and bad input.

use crate::support::{arg, folder, record, refused, scores, shared_data, succeed, values, write};
use serde_json::Value;
use std::path::{Path, PathBuf};

/// The value of a metric in a row of `run.json`.
fn value(run: &Path, row: &str, metric: &str) -> f64 {
    measure(run, row, metric)["value"].as_f64().unwrap()
}

fn measure(run: &Path, row: &str, metric: &str) -> Value {
    let record = record(run);
    let named = |items: &Value, key: &str, name: &str| -> Value {
        let items = items.as_array().unwrap();
        items.iter().find(|item| item[key] == name).unwrap().clone()
    };
    named(
        &named(&record["rows"], "name", row)["measures"],
        "id",
        metric,
    )
}

fn near(found: f64, expected: f64) {
    assert!((found - expected).abs() < 1e-8, "{found} {expected}");
}

fn captions(root: &Path) -> (PathBuf, PathBuf, PathBuf) {
    let (reference, good, bad) = (
        root.join("reference.json"),
        root.join("good.json"),
        root.join("bad.json"),
    );
    write(
        &reference,
        r#"{"1": ["Red cat.", "A cat"], "2": ["blue dog"]}"#,
    );
    write(&good, r#"{"2": "A dog!", "1": "red cat"}"#);
    write(&bad, r#"{"1": "nothing", "2": "of it"}"#);
    (reference, good, bad)
}

#[test]
fn captions_of_two_systems_by_hand() {
    let dir = folder();
    let out = dir.path().join("out");
    let (reference, good, bad) = captions(dir.path());
    let args = [
        "caption",
        "--reference",
        arg(&reference),
        "--decoded",
        arg(&good),
        arg(&bad),
        "--out",
        arg(&out),
    ];
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

/// Stems "1" and "2"; the first has two references, the second one.
fn embeddings(root: &Path) -> [PathBuf; 4] {
    let file = |name: &str, shape: &[u64], values: &[f32]| {
        let path = root.join(name);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        neurogauge::formats::npy::write_f32(&path, shape, values).unwrap();
        path
    };
    [
        file("images.npy", &[2, 2], &[1.0, 0.0, 0.0, 2.0]),
        file("good.npy", &[2, 2], &[3.0, 4.0, -4.0, 3.0]),
        file("bad.npy", &[2, 2], &[0.0, -5.0, 0.0, 0.0]),
        file("references.npy", &[3, 2], &[1.0, 0.0, 0.0, 1.0, -4.0, 3.0]),
    ]
}

#[test]
fn clip_scores_of_embeddings_by_hand() {
    let dir = folder();
    let out = dir.path().join("out");
    let (reference, good, bad) = captions(dir.path());
    let [images, of_good, of_bad, references] = embeddings(dir.path());
    let decoded = [
        "caption",
        "--reference",
        arg(&reference),
        "--decoded",
        arg(&good),
        arg(&bad),
    ];
    let of_captions = ["--caption-embeddings", arg(&of_good), arg(&of_bad)];
    let rest = ["--image-embeddings", arg(&images), "--out", arg(&out)];
    let args = [&decoded[..], &of_captions, &rest].concat();
    let ran = succeed(&args);
    assert!(
        ran.stdout.contains("CLIP-S") && !ran.stdout.contains("RefCLIP-S"),
        "{}",
        ran.stdout
    );
    // Cosines 0.6 and 0.6.
    let near_all = |found: &[f64], expected: &[f64]| {
        assert_eq!(found.len(), expected.len());
        found.iter().zip(expected).for_each(|(a, b)| near(*a, *b));
    };
    near_all(&values(&out, "good/clip_s"), &[1.5, 1.5]);
    near(value(&out, "good", "clip_s"), 1.5);
    // Of the other, one points away from its image, and one is zero throughout.
    let column = scores(&out).column("bad/clip_s").unwrap().to_vec();
    assert_eq!(column[0], Ok(0.0));
    assert_eq!(
        column[1].clone().unwrap_err().to_string(),
        "empty reconstruction"
    );

    let with_references = ["--reference-embeddings", arg(&references)];
    succeed(&[&args[..], &with_references].concat());
    // Nearest references: 0.8 of 0.6 and 0.8; the same direction.
    let harmonic = |a: f64, b: f64| 2.0 * a * b / (a + b);
    let expected = [harmonic(1.5, 0.8), harmonic(1.5, 1.0)];
    near_all(&values(&out, "good/ref_clip_s"), &expected);
    let recorded = record(&out);
    let conventions = recorded["conventions"].as_array().unwrap();
    assert!(conventions.iter().any(|id| id == "clip-score-rows"));
    let roles: Vec<&str> = recorded["inputs"]
        .as_array()
        .unwrap()
        .iter()
        .filter_map(|input| input["role"].as_str()?.strip_prefix("embeddings/"))
        .collect();
    assert_eq!(
        roles,
        ["images", "captions/good", "captions/bad", "references"]
    );
}

#[test]
fn rows_of_embeddings_go_by_ids_and_blocks_of_references_by_images() {
    let dir = folder();
    let out = dir.path().join("out");
    let (reference, good, _) = captions(dir.path());
    write(
        &reference,
        r#"{"1": ["Red cat.", "A cat"], "2": ["blue dog", "a dog"]}"#,
    );
    let write_rows = |name: &str, shape: &[u64], values: &[f32], ids: &str| {
        let path = dir.path().join(name);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        neurogauge::formats::npy::write_f32(&path, shape, values).unwrap();
        write(&path.with_file_name("ids.json"), ids);
        path
    };
    let images = write_rows("a/i.npy", &[2, 2], &[0.0, 2.0, 1.0, 0.0], r#"["2", "1"]"#);
    let of_good = write_rows("b/c.npy", &[2, 2], &[3.0, 4.0, -4.0, 3.0], r#"["1", "2"]"#);
    let blocks = [0.0, 1.0, -4.0, 3.0, 1.0, 0.0, 0.0, 1.0];
    let references = write_rows("c/r.npy", &[2, 2, 2], &blocks, r#"["2", "1"]"#);
    let args = [
        "caption",
        "--reference",
        arg(&reference),
        "--decoded",
        arg(&good),
        "--image-embeddings",
        arg(&images),
        "--caption-embeddings",
        arg(&of_good),
        "--reference-embeddings",
        arg(&references),
        "--out",
        arg(&out),
    ];
    succeed(&args);
    let harmonic = |a: f64, b: f64| 2.0 * a * b / (a + b);
    let found = values(&out, "good/ref_clip_s");
    near(found[0], harmonic(1.5, 0.8));
    near(found[1], harmonic(1.5, 1.0));
    near(value(&out, "good", "clip_s"), 1.5);
}

#[test]
fn embeddings_that_do_not_fit_are_refused() {
    let dir = folder();
    let out = dir.path().join("out");
    let (reference, good, bad) = captions(dir.path());
    let [images, of_good, of_bad, references] = embeddings(dir.path());
    let decoded = [
        "caption",
        "--reference",
        arg(&reference),
        "--decoded",
        arg(&good),
        arg(&bad),
    ];
    let refuse = |options: &[&str], code, parts: &[&str]| {
        refused(
            &[&decoded[..], &["--out", arg(&out)], options].concat(),
            code,
            parts,
        );
    };
    let of_captions = ["--caption-embeddings", arg(&of_good), arg(&of_bad)];
    let of_images = ["--image-embeddings", arg(&images)];
    refuse(&of_captions, 2, &["add --image-embeddings"]);
    refuse(
        &[
            "--image-embeddings",
            arg(&images),
            "--caption-embeddings",
            arg(&of_good),
        ],
        2,
        &["1 files for 2 of --decoded"],
    );
    let others = ["--caption-embeddings", arg(&of_good), arg(&references)];
    refuse(
        &[&of_images[..], &others].concat(),
        1,
        &["references.npy", "[3, 2]", "2 rows"],
    );
    let wide = dir.path().join("wide.npy");
    neurogauge::formats::npy::write_f32(&wide, &[2, 3], &[1.0; 6]).unwrap();
    let others = ["--caption-embeddings", arg(&of_good), arg(&wide)];
    refuse(
        &[&of_images[..], &others].concat(),
        1,
        &["wide.npy", "2 values per row"],
    );
    let more = ["--reference-embeddings", arg(&images)];
    refuse(
        &[&of_images[..], &of_captions, &more].concat(),
        1,
        &["images.npy", "the 3 reference captions one after the other"],
    );
}

#[test]
fn a_single_image_has_no_cider() {
    let dir = folder();
    let out = dir.path().join("out");
    let file = dir.path().join("one.json");
    write(&file, r#"{"1": "a red cat"}"#);
    let ran = succeed(&[
        "caption",
        "--reference",
        arg(&file),
        "--decoded",
        arg(&file),
        "--out",
        arg(&out),
    ]);
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
    let with = |decoded: &Path| {
        let args = [
            "caption",
            "--reference",
            arg(&reference),
            "--decoded",
            arg(decoded),
        ];
        let args = [&args[..], &["--out", arg(&out)]].concat();
        args.into_iter().map(str::to_owned).collect::<Vec<_>>()
    };
    let refuse = |decoded: &Path, code, parts: &[&str]| {
        let args = with(decoded);
        let args: Vec<&str> = args.iter().map(String::as_str).collect();
        refused(&args, code, parts);
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
    let twice = [
        "caption",
        "--reference",
        arg(&reference),
        "--decoded",
        arg(&good),
        arg(&twin),
        "--out",
        arg(&out),
    ];
    refused(&twice, 2, &["both called \"good\""]);
    assert!(!out.exists());
}

fn ground(reference: &Path, decoded: &Path, out: &Path) -> Vec<String> {
    let args = [
        "ground",
        "--reference",
        arg(reference),
        "--decoded",
        arg(decoded),
    ];
    let args = [&args[..], &["--out", arg(out)]].concat();
    args.into_iter().map(str::to_owned).collect()
}

#[test]
fn boxes_by_hand() {
    let dir = folder();
    let (reference, decoded, out) = (
        dir.path().join("reference.json"),
        dir.path().join("decoded.json"),
        dir.path().join("out"),
    );
    // Only the first box of a category counts; a kite and the second dog have no answer.
    write(
        &reference,
        r#"{"a": {"dog": [[0, 0, 0.5, 0.5], [0.5, 0.5, 1, 1]], "kite": [[0, 0, 1, 1]]},
            "b": {"dog": [[0, 0, 1, 0.5]], "car": [[0, 0, 1, 1]]}}"#,
    );
    write(
        &decoded,
        r#"{"b": {"car": [[[0, 0, 0.5, 0.5], [0, 0, 1, 1]]], "dog": [], "cat": [[[0, 0, 1, 1]]]},
            "a": {"dog": [[[0, 0, 0.5, 0.5]]]}}"#,
    );
    let args = ground(&reference, &decoded, &out);
    let args: Vec<&str> = args.iter().map(String::as_str).collect();
    let ran = succeed(&args);
    near(value(&out, "all", "accuracy"), 0.25);
    near(value(&out, "all", "iou"), 1.25 / 4.0);
    near(value(&out, "salient", "iou"), 1.25 / 3.0);
    near(value(&out, "salient creatures", "accuracy"), 0.5);
    near(value(&out, "salient objects", "iou"), 0.25);
    near(value(&out, "inconspicuous", "iou"), 0.0);
    assert_eq!(values(&out, "all/iou"), [0.5, 0.125]);
    let missing = scores(&out).column("inconspicuous/iou").unwrap()[1].clone();
    assert!(missing.is_err());
    for part in [
        "2 categories of the reference have no decoded box",
        "1 decoded categories",
    ] {
        assert!(ran.stderr.contains(part), "{}", ran.stderr);
    }
    succeed(&[&args[..], &["--threshold", "0.2"]].concat());
    near(value(&out, "all", "accuracy"), 0.5);

    refused(
        &[&args[..], &["--threshold", "1.5"]].concat(),
        2,
        &["--threshold is 1.5"],
    );
    write(&decoded, r#"{"a": {"dog": [[[0, 0, 1, 1]]]}}"#);
    refused(&args, 1, &["pairing boxes", "b"]);
    write(&decoded, r#"{"a": {"unicorn": []}, "b": {}}"#);
    refused(&args, 1, &["decoded.json", "unicorn"]);
    write(&decoded, r#"{"a": {"dog": [[[0, 0, 7, 1]]]}, "b": {}}"#);
    refused(&args, 1, &["decoded.json", "dog", "7"]);
}

#[test]
fn grounding_figures_of_brainhub() {
    let Some(data) = shared_data("brainhub/boxes") else {
        return;
    };
    let dir = folder();
    let (reference, decoded) = (
        data.join("reference_coco.json"),
        data.join("umbrae-subj01.json"),
    );
    let args = ground(&reference, &decoded, dir.path());
    let args: Vec<&str> = args.iter().map(String::as_str).collect();
    let ran = succeed(&args);
    // BrainHub's README, UMBRAE, subject 1: all, salient and inconspicuous categories.
    for (row, metric, printed) in [
        ("all", "accuracy", 18.93),
        ("all", "iou", 21.28),
        ("salient", "accuracy", 30.23),
        ("salient", "iou", 30.18),
        ("inconspicuous", "accuracy", 4.83),
        ("inconspicuous", "iou", 10.18),
    ] {
        let found = 100.0 * value(dir.path(), row, metric);
        assert!(
            (found - printed).abs() < 0.00501,
            "{row} {metric}: {found} {printed}"
        );
    }
    assert!(ran.stdout.contains("18.93"), "{}", ran.stdout);
}

#[test]
fn caption_figures_of_brainhub() {
    let Some(data) = shared_data("brainhub/captions") else {
        return;
    };
    let dir = folder();
    // BrainHub's README. Its rows of UMBRAE are of other files than those it holds.
    let printed = [
        ("braincap-subj01", [55.96, 14.51, 40.69, 41.30]),
        ("braincap-subj02", [53.80, 13.03, 39.96, 35.60]),
        ("onellm-subj01", [47.04, 9.51, 35.05, 22.99]),
        ("sdrecon-subj01", [36.21, 3.43, 25.13, 13.83]),
        ("sdrecon-subj02", [34.71, 3.02, 24.22, 13.38]),
    ];
    let reference = data.join("reference_coco.json");
    let files = printed.map(|(name, _)| data.join(format!("{name}.json")));
    let mut args = vec![
        "caption",
        "--reference",
        arg(&reference),
        "--resamples",
        "50",
    ];
    args.extend(["--out", arg(dir.path()), "--decoded"]);
    args.extend(files.iter().map(|file| arg(file)));
    succeed(&args);
    for (name, figures) in printed {
        for (metric, printed) in ["bleu_1", "bleu_4", "rouge_l", "cider"]
            .into_iter()
            .zip(figures)
        {
            let found = 100.0 * value(dir.path(), name, metric);
            assert!(
                (found - printed).abs() < 0.00501,
                "{name} {metric}: {found} {printed}"
            );
        }
    }
}
