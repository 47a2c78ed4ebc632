//! Real reconstructions, captions and boxes against the field's own tools (`reference/real_data.py`).
//!
//! The data are not part of the repository: without them the tests say so and pass.

#![allow(clippy::unwrap_used)]

mod support;

use serde_json::Value;
use std::fs;
use std::path::{Path, PathBuf};
use support::{arg, folder, scores, shared_data, succeed, values, weights};

fn golden(file: &str) -> PathBuf {
    let goldens = concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/../../reference/golden/real_data"
    );
    Path::new(goldens).join(file)
}

fn golden_json(file: &str) -> Value {
    serde_json::from_slice(&fs::read(golden(file)).unwrap()).unwrap()
}

/// The largest difference between two columns.
fn largest_difference(found: &[f64], expected: &[f64]) -> f64 {
    assert_eq!(found.len(), expected.len());
    let differences = found.iter().zip(expected).map(|(a, b)| (a - b).abs());
    differences.fold(0.0, f64::max)
}

#[test]
fn pixels_of_brain_diffuser_s_reconstructions() {
    let Some(data) = shared_data("brain-diffuser") else {
        return;
    };
    let dir = folder();
    let reference = golden_json("pixels.json");
    for (system, pairs) in reference.as_object().unwrap() {
        let run = dir.path().join(system);
        let (gt, recon) = (data.join("gt"), data.join(system));
        let inputs = ["score", "--gt", arg(&gt), "--recon", arg(&recon)];
        succeed(&[&inputs[..], &["--out", arg(&run)]].concat());
        let pairs = pairs.as_array().unwrap();
        let stems: Vec<&str> = pairs.iter().map(|p| p["stem"].as_str().unwrap()).collect();
        assert_eq!(scores(&run).pairs, stems);
        for (metric, tolerance) in [("pixcorr", 1e-6), ("ssim", 1e-5)] {
            let expected: Vec<f64> = pairs.iter().map(|p| p[metric].as_f64().unwrap()).collect();
            let difference = largest_difference(&values(&run, metric), &expected);
            println!("{system} {metric}: differs by up to {difference:.1e}");
            assert!(difference < tolerance, "{system} {metric}: {difference:e}");
        }
    }
}

/// Rows of the golden that the test embeds, in the order of their means; the others take a minute
/// more.
const METHODS: [&str; 3] = ["umbrae-subj01", "braincap-subj01", "sdrecon-subj01"];

#[test]
fn captions_of_brainhub_s_methods_and_their_ranks() {
    let Some(data) = shared_data("brainhub/captions") else {
        return;
    };
    let dir = folder();
    let methods = golden_json("cap_sim_methods.json");
    let methods: Vec<&str> = methods
        .as_array()
        .unwrap()
        .iter()
        .filter_map(Value::as_str)
        .collect();
    let (shape, table) = neurogauge::formats::npy::read_f64(&golden("cap_sim.npy")).unwrap();
    let n_stems = shape[1] as usize;
    let mut runs = Vec::new();
    for method in METHODS {
        let run = dir.path().join(method);
        let gt = data.join("reference_coco.json");
        let recon = data.join(format!("{method}.json"));
        let inputs = [
            "score",
            "--gt-captions",
            arg(&gt),
            "--recon-captions",
            arg(&recon),
        ];
        let weights = weights();
        let others = ["--out", arg(&run), "--weights", arg(&weights)];
        succeed(&[&inputs[..], &others].concat());
        assert_eq!(scores(&run).pairs.len(), n_stems);
        assert_eq!(scores(&run).pairs[n_stems - 1], "981", "numeric order");

        let row = methods.iter().position(|m| *m == method).unwrap();
        let expected = &table[row * n_stems..(row + 1) * n_stems];
        let difference = largest_difference(&values(&run, "cap_sim"), expected);
        println!("{method}: differs by up to {difference:.1e}");
        assert!(difference < 1e-5, "{method}: {difference:e}");
        runs.push(run);
    }

    let runs: Vec<&str> = runs.iter().map(|run| arg(run)).collect();
    let text = succeed(&[&["compare"], &runs[..], &["--format", "json"]].concat()).stdout;
    let comparison: Value = serde_json::from_str(&text).unwrap();
    let rows = comparison["rows"].as_array().unwrap().iter();
    let ranks: Vec<f64> = rows
        .map(|row| row["estimates"][0]["rank"]["rank"].as_f64().unwrap())
        .collect();
    assert_eq!(ranks, [1.0, 2.0, 3.0]);
    assert_eq!(comparison["notes"], serde_json::json!([]));
}

#[test]
fn boxes_of_brainhub() {
    let Some(data) = shared_data("brainhub/boxes") else {
        return;
    };
    let dir = folder();
    let run = dir.path().join("run");
    let (gt, recon) = (
        data.join("reference_coco.json"),
        data.join("umbrae-subj01.json"),
    );
    let inputs = [
        "--gt-detections",
        arg(&gt),
        "--recon-detections",
        arg(&recon),
    ];
    succeed(&[&["score", "--out", arg(&run)], &inputs[..]].concat());
    let expected: Vec<f64> = serde_json::from_value(golden_json("object_f1.json")).unwrap();
    let difference = largest_difference(&values(&run, "object_f1"), &expected);
    println!("object_f1: differs by up to {difference:.1e}");
    assert!(difference < 1e-12, "{difference:e}");
}
