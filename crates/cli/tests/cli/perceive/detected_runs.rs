//! `--detector` of `neurogauge score`.

use super::detections::{N_IMAGES, WITH, images, stems};
use super::observers::{DETECTOR, perceive, repeat, run_record, score, seen};
use crate::support::scores;
use insta::assert_snapshot;
use neurogauge::DetectionRecipe;
use neurogauge::core::ObservationKind;
use std::fs;

#[test]
fn both_sides_are_looked_at_and_the_stimuli_once_for_all_systems() {
    let dir = images(&["gt", "a", "b"]);
    let run_a = |more: &str| score(&dir, &format!("gt a --out run-a {DETECTOR} {more}"));
    let ran = run_a("--export-layout official");
    assert_eq!(ran.code, 0, "{ran}");
    let n_kept = || stems(&dir.join("cache/detections/colour-boxes")).len();
    assert_eq!(n_kept(), 2 * N_IMAGES);
    let ran = score(&dir, &format!("gt b --out run-b {DETECTOR}"));
    assert_eq!(ran.code, 0, "{ran}");
    assert_eq!(n_kept(), 3 * N_IMAGES);
    // What perceive knows, score knows, and the other way round.
    assert_eq!(seen(&perceive(&dir, WITH)), 0);

    // What given detections score is what those made here score.
    let sides = ["gt", "recon"].map(|side| format!("--{side}-detections run-a/observations/{side}/detections"));
    dir.succeed(&format!("score --metrics object_f1 {} --out given", sides.join(" ")));
    let scores = |run: &str| scores(&dir.join(run)).columns;
    assert_eq!(scores("run-a"), scores("given"));
    assert_ne!(scores("run-a"), scores("run-b"));

    let record = run_record(&dir, "run-a");
    let recipe: DetectionRecipe = record.recipe(ObservationKind::Detections).unwrap();
    assert_eq!(recipe.model.id, "colour-boxes");
    assert_eq!(recipe.categories.len(), 82);
    assert!(record.models.contains(&recipe.model));
    assert!(record.metrics[0].stand_in);
    let exported = dir.join("run-a/evaluations/run-a/gt_detection_results/preds");
    assert_eq!(stems(&exported).len(), N_IMAGES);

    // The same is read back and exported again; another way of asking is another run.
    fs::remove_dir_all(dir.join("run-a/evaluations")).unwrap();
    run_a("--export-layout official").says(&["already finished"]);
    assert_eq!(stems(&exported).len(), N_IMAGES);
    let other = run_a("--prompt-names underscores");
    assert!(!other.stderr.contains("already finished"), "{other}");
    assert_eq!(n_kept(), 5 * N_IMAGES);
    assert_eq!(repeat(&dir, "run-a", "repeated").code, 0);
    assert_eq!(scores("repeated"), scores("run-a"));
}

#[test]
fn a_pair_whose_image_cannot_be_looked_at_has_no_value() {
    let dir = images(&["gt", "recon"]);
    dir.write("recon/2.png", "no picture");
    let run = || score(&dir, &format!("gt recon --out run {DETECTOR} --export-layout official"));
    // A regression snapshot of its numbers.
    assert_snapshot!(run(), @r#"
    exit 1, stdout:
    run: 6 pairs
    System: run

    Metric           mean  95% interval    n  undefined
    Semantic
      Object F1 ↑†  0.479  [0.057, 0.902]  5          1

    † rests on a placeholder model: the number shows that the pipeline runs and means nothing else
    Object F1: 1 pair undefined (no detections of the reconstruction)
    pairs whose reconstruction failed are left out of these means; with failures at chance, or at the worst where chance is unknown: Object F1 0.400 (1 at 0)
    95% intervals for new stimuli (studentised bootstrap over pairs, 2000 resamples)
    Only 5 pairs: no test of two systems can reach p < 0.062, and 95% intervals are at least ±2.8 standard errors wide (large n: ±2.0).
    Object F1: intervals may cover less than 95% below n = 30, since such scores often have a long tail that few of them do not show
    stderr:
    note: image "2": [DIR]/recon/2.png: not a readable image: text that begins with "no picture"; expected a PNG, JPEG, WebP, BMP, TIFF, GIF or PPM file
    run: 6 pairs scored
    error: 1 image has no detections: recon/images "2"; the reasons are above. All others are done; repair these and call again, with --overwrite if a file has changed
    "#);
    let outcomes = &scores(&dir.join("run")).columns[0].1;
    let is_undefined = |pair: &usize| outcomes[*pair].is_err();
    assert_eq!((0..N_IMAGES).filter(is_undefined).collect::<Vec<_>>(), [2]);
    let reason = outcomes[2].as_ref().unwrap_err().to_string();
    assert_eq!(reason, "no detections of the reconstruction");
    let record = run_record(&dir, "run");
    assert_eq!(record.failed(ObservationKind::Detections).count(), 1);
    // What failed is tried again, and fails again.
    let again = run();
    again.says(&["6 pairs scored", "1 image has no detections"]);
    assert_eq!(again.code, 1);
}

#[test]
fn a_detector_needs_images_and_no_detections() {
    let dir = images(&["gt", "recon"]);
    let ends = [
        "gt recon --detector stand-in-detector --gt-detections gt --recon-detections recon",
        "--detector stand-in-detector --metrics object_f1",
        "gt recon --max-detections 2",
        "--metrics object_f1",
        "gt recon --detector yolo",
    ];
    assert_snapshot!(dir.refusals("score --out run", &ends, "run"), @r#"
    gt recon --detector stand-in-detector --gt-detections gt --recon-detections recon
      exit 2, stderr: error: --detector looks at the images, and there are detections already ([DIR]/gt); leave one of them out
    --detector stand-in-detector --metrics object_f1
      exit 2, stderr: error: --detector needs images of both sides (--gt, --recon)
    gt recon --max-detections 2
      exit 2, stderr: error: --prompt-names and --max-detections say how --detector looks, and there is none
    --metrics object_f1
      exit 2, stderr: error: object_f1 needs detections of both sides (--observations, or --gt-detections and --recon-detections), or images of both sides (--gt, --recon) and --detector MODEL
    gt recon --detector yolo
      exit 2, stderr: error: no model is called "yolo"; did you mean "yolo_world_v2_s"? `neurogauge models list` lists all
    "#);
    // SEED's detector is taken where the metric is asked for by name; its weights are not here.
    let by_name = dir.run("score gt recon --metrics object_f1 --out run");
    by_name.says(&["openmmlab-community/mm_grounding_dino_large_all"]);
}
