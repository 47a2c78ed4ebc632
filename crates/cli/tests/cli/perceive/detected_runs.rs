//! `--detector` of `neurogauge score`.

use super::detections::{N_IMAGES, images, perceive, stems};
use super::observers::{DETECTOR, repeat, run_record, seen};
use crate::support::{self, arg, folder, refused};
use neurogauge::DetectionRecipe;
use neurogauge::core::ObservationKind;
use std::fs;

#[test]
fn both_sides_are_looked_at_and_the_stimuli_once_for_all_systems() {
    let dir = folder();
    let root = dir.path();
    let (gt, a, b) = (images(root, "gt"), images(root, "a"), images(root, "b"));
    let ran = DETECTOR.score(root, (&gt, &a), "run-a", &["--export-layout", "official"]);
    assert_eq!(ran.code, 0, "{}", ran.stderr);
    let n_kept = || stems(&root.join("cache/detections/colour-boxes")).len();
    assert_eq!(n_kept(), 2 * N_IMAGES);
    assert_eq!(DETECTOR.score(root, (&gt, &b), "run-b", &[]).code, 0);
    assert_eq!(n_kept(), 3 * N_IMAGES);
    // What perceive knows, score knows, and the other way round.
    assert_eq!(seen(&perceive(root, &gt, &root.join("out"), &[])), 0);

    // What given detections score is what those made here score.
    let side = |side: &str| {
        root.join("run-a/observations")
            .join(side)
            .join("detections")
    };
    let out = root.join("given");
    let given = [
        "score",
        "--metrics",
        "object_f1",
        "--gt-detections",
        arg(&side("gt")),
        "--recon-detections",
        arg(&side("recon")),
        "--out",
        arg(&out),
    ]
    .map(str::to_owned);
    let given: Vec<&str> = given.iter().map(String::as_str).collect();
    assert_eq!(support::neurogauge(&given).code, 0);
    let scores = |run: &str| support::scores(&root.join(run)).columns;
    assert_eq!(scores("run-a"), scores("given"));
    assert_ne!(scores("run-a"), scores("run-b"));

    let record = run_record(root, "run-a");
    let recipe: DetectionRecipe = record.recipe(ObservationKind::Detections).unwrap();
    assert_eq!(
        (recipe.model.id.as_str(), recipe.categories.len()),
        ("colour-boxes", 82)
    );
    assert!(record.models.contains(&recipe.model));
    assert!(record.metrics[0].stand_in);
    let exported = root.join("run-a/evaluations/run-a/gt_detection_results/preds");
    assert_eq!(stems(&exported).len(), N_IMAGES);

    // The same is read back and exported again; another way of asking is another run.
    fs::remove_dir_all(root.join("run-a/evaluations")).unwrap();
    let again = DETECTOR.score(root, (&gt, &a), "run-a", &["--export-layout", "official"]);
    again.says(&["already finished"]);
    assert_eq!(stems(&exported).len(), N_IMAGES);
    let other = DETECTOR.score(root, (&gt, &a), "run-a", &["--prompt-names", "underscores"]);
    assert!(
        !other.stderr.contains("already finished"),
        "{}",
        other.stderr
    );
    assert_eq!(n_kept(), 5 * N_IMAGES);
    let ran = repeat(root, "run-a", "repeated");
    assert_eq!(ran.code, 0, "{}", ran.stderr);
    assert_eq!(scores("repeated"), scores("run-a"));
}

#[test]
fn a_pair_whose_image_cannot_be_looked_at_has_no_value() {
    let dir = folder();
    let root = dir.path();
    let (gt, recon) = (images(root, "gt"), images(root, "recon"));
    fs::write(recon.join("2.png"), b"no picture").unwrap();
    let ran = DETECTOR.score(root, (&gt, &recon), "run", &["--export-layout", "official"]);
    assert_eq!(ran.code, 1, "{}", ran.stderr);
    ran.says(&["recon/images \"2\""]);
    assert!(ran.stdout.contains("Object F1"), "{}", ran.stdout);
    let outcomes = &support::scores(&root.join("run")).columns[0].1;
    let is_undefined = |pair: &usize| outcomes[*pair].is_err();
    assert_eq!((0..N_IMAGES).filter(is_undefined).collect::<Vec<_>>(), [2]);
    let reason = outcomes[2].as_ref().unwrap_err().to_string();
    assert_eq!(reason, "no detections of the reconstruction");
    assert_eq!(
        run_record(root, "run")
            .failed(ObservationKind::Detections)
            .count(),
        1
    );
    // Read back, it is still not whole.
    let again = DETECTOR.score(root, (&gt, &recon), "run", &[]);
    again.says(&["already finished"]);
    assert_eq!(again.code, 1);
}

#[test]
fn a_detector_needs_images_and_no_detections() {
    let dir = folder();
    let root = dir.path();
    let (gt, recon) = (images(root, "gt"), images(root, "recon"));
    let out = root.join("out");
    let sides = ["--gt", arg(&gt), "--recon", arg(&recon)];
    let run = |options: &[&str], parts: &[&str]| {
        refused(
            &[&["score", "--out", arg(&out)], options].concat(),
            2,
            parts,
        );
    };
    let with = ["--detector", DETECTOR.name];
    let given = [
        "--gt-detections",
        arg(&gt),
        "--recon-detections",
        arg(&recon),
    ];
    run(
        &[&sides[..], &with, &given].concat(),
        &["leave one of them away"],
    );
    run(
        &[&with[..], &["--metrics", "object_f1"]].concat(),
        &["needs images of both sides"],
    );
    run(
        &[&sides[..], &["--max-detections", "2"]].concat(),
        &["there is none"],
    );
    run(&["--metrics", "object_f1"], &["--detector MODEL"]);
    run(
        &[&sides[..], &["--detector", "yolo"]].concat(),
        &["known models:", "placeholder-detector"],
    );
    // SEED's detector is taken where the metric is asked for by name; its weights are not here.
    let args = ["score", "--metrics", "object_f1", "--out", arg(&out)];
    let part = "openmmlab-community/mm_grounding_dino_large_all";
    refused(&[&args[..], &sides].concat(), 1, &[part]);
}
