//! `neurogauge check`.

use crate::support::{arg, folder, image_folders, neurogauge, picture, refused, succeed};
use neurogauge::core::Image;
use neurogauge::formats::image_file::write_png;
use serde_json::Value;
use std::fs;
use std::path::Path;

/// Exit code, and severity and code of each finding.
fn found(gt: &Path, recon: &Path, options: &[&str]) -> (i32, Vec<(String, String)>, Value) {
    let args = [&["check", arg(gt), arg(recon), "--json"], options].concat();
    let ran = neurogauge(&args);
    let json: Value = serde_json::from_str(&ran.stdout).unwrap();
    let word = |finding: &Value, name: &str| finding[name].as_str().unwrap().to_owned();
    let findings = json["findings"].as_array().unwrap().iter();
    let findings = findings
        .map(|f| (word(f, "severity"), word(f, "code")))
        .collect();
    (ran.code, findings, json)
}

fn codes(gt: &Path, recon: &Path, options: &[&str]) -> (i32, Vec<String>) {
    let (code, findings, _) = found(gt, recon, options);
    (code, findings.into_iter().map(|(_, code)| code).collect())
}

#[test]
fn sound_images_are_summed_up() {
    let dir = folder();
    let (gt, recon) = image_folders(dir.path(), &["1", "2", "3"]);
    let ran = succeed(&["check", "--gt", arg(&gt), "--recon", arg(&recon)]);
    for part in [
        "3 pairs of images",
        "48 x 48",
        "PNG, RGB, 8 bits",
        "1 to 3",
        "no problems found",
    ] {
        assert!(ran.stdout.contains(part), "{part} in\n{}", ran.stdout);
    }
    let (code, findings, json) = found(&gt, &recon, &[]);
    assert_eq!((code, findings), (0, vec![]));
    assert_eq!(json["n_pairs"], 3);
    assert_eq!(
        json["recon"]["sizes_px"],
        serde_json::json!([[[48, 48], 3]])
    );
    refused(&["check", arg(&gt)], 2, &["RECON"]);
    refused(
        &["check", arg(&gt), arg(&dir.path().join("none"))],
        1,
        &["none: not found"],
    );
}

#[test]
fn what_stops_score_is_a_problem_here_and_score_agrees() {
    let dir = folder();
    let (gt, recon) = image_folders(dir.path(), &["1", "2", "3"]);
    let run = dir.path().join("run");
    let score = |options: &[&str]| {
        let args = [
            "score",
            "--gt",
            arg(&gt),
            "--recon",
            arg(&recon),
            "--out",
            arg(&run),
        ];
        neurogauge(&[&args, options].concat()).code
    };
    let wide = Image::new(96, 24, picture("2", 48, 4.0).into_data()).unwrap();
    write_png(&recon.join("2.png"), &wide).unwrap();
    let (code, findings) = codes(&gt, &recon, &[]);
    assert_eq!((code, score(&[])), (1, 1));
    assert_eq!(findings, ["shapes_differ", "several_sizes"]);
    let ran = neurogauge(&["check", arg(&gt), arg(&recon)]);
    assert!(
        ran.stdout.contains("2 (48 x 48 px and 96 x 24 px)"),
        "{}",
        ran.stdout
    );
    ran.says(&["1 of the findings above would stop"]);

    fs::write(recon.join("2.png"), "no image").unwrap();
    assert_eq!(
        (codes(&gt, &recon, &[]), score(&[])),
        ((1, vec!["unreadable".to_owned()]), 1)
    );

    fs::remove_file(recon.join("2.png")).unwrap();
    let (code, findings) = codes(&gt, &recon, &[]);
    assert_eq!(
        (code, score(&[]), findings),
        (1, 1, vec!["stems".to_owned()])
    );
    let shared = ["--pairs", "shared"];
    let (code, findings) = codes(&gt, &recon, &shared);
    assert_eq!(
        (code, score(&shared), findings),
        (0, 0, vec!["without_partner".to_owned()])
    );

    fs::rename(recon.join("1.png"), recon.join("1_r.png")).unwrap();
    fs::rename(recon.join("3.png"), recon.join("3_r.png")).unwrap();
    let (code, _, json) = found(&gt, &recon, &[]);
    let advice = json["findings"][0]["advice"].as_str().unwrap();
    assert_eq!(
        (code, advice),
        (1, "--match '{stem}_r' pairs 2 of the reconstructions")
    );
    assert_eq!(
        codes(&gt, &recon, &["--pairs", "shared", "--match", "{stem}_r"]).0,
        0
    );
}

#[test]
fn what_makes_numbers_incomparable_does_not_stop() {
    let dir = folder();
    let (gt, recon) = image_folders(dir.path(), &["1", "2", "10"]);
    write_png(&recon.join("1.png"), &picture("1", 24, 9.0)).unwrap();
    fs::copy(gt.join("2.png"), recon.join("10.png")).unwrap();
    let flat = Image::new(48, 48, vec![90_u8; 48 * 48 * 3]).unwrap();
    write_png(&recon.join("2.png"), &flat).unwrap();
    let (code, findings, _) = found(&gt, &recon, &[]);
    assert_eq!(code, 0);
    let expected = [
        ("warning", "stimulus_of_another"),
        ("warning", "constant_images"),
        ("note", "several_sizes"),
        ("note", "order"),
    ];
    let expected = expected.map(|(severity, code)| (severity.to_owned(), code.to_owned()));
    assert_eq!(findings, expected);
    let same = found(&gt, &gt, &[]).1;
    assert_eq!(same[0], ("warning".to_owned(), "same_source".to_owned()));
}
