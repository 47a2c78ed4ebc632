//! `--captioner` of `neurogauge score`.

use super::captions::{N_IMAGES, images};
use super::observers::{CAPTIONER, repeat, run_record, score};
use crate::support::scores;
use insta::assert_snapshot;
use neurogauge::CaptionRecipe;
use neurogauge::core::ObservationKind;
use neurogauge::formats::captions;
use std::fs;

#[test]
fn both_sides_are_described_and_the_stimuli_once_for_all_systems() {
    let dir = images(&["gt", "a", "b"]);
    let run_a = |more: &str| score(&dir, &format!("gt a --out run-a {CAPTIONER} {more}"));
    let ran = run_a("--export-layout official");
    assert_eq!(ran.code, 0, "{ran}");
    let n_known = || dir.read("cache/captions/colour-words.jsonl").lines().count();
    assert_eq!(n_known(), 2 * N_IMAGES);
    let ran = score(&dir, &format!("gt b --out run-b {CAPTIONER}"));
    assert_eq!(ran.code, 0, "{ran}");
    assert_eq!(n_known(), 3 * N_IMAGES);

    // What given captions score is what those made here score.
    let made = dir.join("run-a/observations/gt/captions.json");
    assert_eq!(captions::read(&made).unwrap().len(), N_IMAGES);
    dir.succeed(
        "score --metrics cap_sim --gt-captions run-a/observations/gt/captions.json --recon-captions \
         run-a/observations/recon/captions.json --text-encoder stand-in --out given",
    );
    let scores = |run: &str| scores(&dir.join(run)).columns;
    assert_eq!(scores("run-a"), scores("given"));
    assert_ne!(scores("run-a"), scores("run-b"));

    let record = run_record(&dir, "run-a");
    let recipe: CaptionRecipe = record.recipe(ObservationKind::Captions).unwrap();
    assert_eq!(recipe.model.id, "colour-words");
    assert!(record.models.contains(&recipe.model));
    assert!(record.metrics[0].stand_in);
    let inputs = record.provenance.inputs.iter();
    let roles: Vec<&String> = inputs.map(|input| &input.role).collect();
    assert_eq!(roles, ["gt/images", "recon/images"]);
    let exported = dir.join("run-a/evaluations/run-a/intermediate_results/gt_captions.npy");
    let same = captions::read(&made).unwrap();
    assert_eq!(captions::read(&exported).unwrap(), same);

    // Another way of writing is another run, and the same is read back and exported again.
    fs::remove_dir_all(dir.join("run-a/evaluations")).unwrap();
    run_a("--export-layout official").says(&["already finished"]);
    assert!(exported.exists());
    let other = run_a("--caption-tokens 20");
    assert!(!other.stderr.contains("already finished"), "{other}");
    assert_eq!(n_known(), 5 * N_IMAGES);
    assert_eq!(repeat(&dir, "run-a", "repeated").code, 0);
    assert_eq!(scores("repeated"), scores("run-a"));
}

#[test]
fn a_pair_whose_image_cannot_be_described_has_no_value() {
    let dir = images(&["gt", "recon"]);
    dir.write("recon/2.png", "no picture");
    let run = || score(&dir, &format!("gt recon --out run {CAPTIONER} --export-layout official"));
    // A regression snapshot of its numbers.
    assert_snapshot!(run(), @r#"
    exit 1, stdout:
    run: 11 pairs
    System: run

    Metric         mean  95% interval     n  undefined
    Semantic
      Cap-Sim ↑†  0.914  [0.890, 0.937]  10          1

    † rests on a placeholder model: the number shows that the pipeline runs and means nothing else
    Cap-Sim: 1 pair undefined (no caption of the reconstruction)
    pairs whose reconstruction failed are left out of these means; with failures at chance, or at the worst where chance is unknown: Cap-Sim 0.831 (1 at 0)
    95% intervals for new stimuli (studentised bootstrap over pairs, 2000 resamples)
    Cap-Sim: intervals may cover less than 95% below n = 30, since such scores often have a long tail that few of them do not show
    stderr:
    note: image "2": [DIR]/recon/2.png: not a readable image: text that begins with "no picture"; expected a PNG, JPEG, WebP, BMP, TIFF, GIF or PPM file
    run: 11 pairs scored
    error: 1 image has no caption: recon/images "2"; the reasons are above. All others are done; repair these and call again, with --overwrite if a file has changed
    "#);
    let outcomes = &scores(&dir.join("run")).columns[0].1;
    let undefined: Vec<usize> = (0..N_IMAGES).filter(|&pair| outcomes[pair].is_err()).collect();
    assert_eq!(undefined, [2]);
    let reason = outcomes[2].as_ref().unwrap_err().to_string();
    assert_eq!(reason, "no caption of the reconstruction");
    let record = run_record(&dir, "run");
    assert_eq!(record.failed(ObservationKind::Captions).count(), 1);
    // What failed is tried again, and fails again.
    let again = run();
    again.says(&["11 pairs scored", "1 image has no caption"]);
    assert_eq!(again.code, 1);
}

#[test]
fn a_captioner_needs_images_and_no_captions() {
    let dir = images(&["gt", "recon"]);
    dir.write("captions.json", r#"{"0": "a dog"}"#);
    let ends = [
        "gt recon --captioner stand-in-captioner --gt-captions captions.json --recon-captions captions.json",
        "--captioner stand-in-captioner --metrics cap_sim",
        "gt recon --caption-beams 2",
        "--metrics cap_sim",
        "gt recon --captioner git_larg_coco",
    ];
    assert_snapshot!(dir.refusals("score --out run", &ends, "run"), @r#"
    gt recon --captioner stand-in-captioner --gt-captions captions.json --recon-captions captions.json
      exit 2, stderr: error: --captioner describes the images, and there are captions already ([DIR]/captions.json); leave one of them out
    --captioner stand-in-captioner --metrics cap_sim
      exit 2, stderr: error: --captioner needs images of both sides (--gt, --recon)
    gt recon --caption-beams 2
      exit 2, stderr: error: --caption-beams and --caption-tokens say how --captioner writes, and there is none
    --metrics cap_sim
      exit 2, stderr: error: cap_sim needs captions of both sides (--observations, or --gt-captions and --recon-captions), or images of both sides (--gt, --recon) and --captioner MODEL
    gt recon --captioner git_larg_coco
      exit 2, stderr: error: no model is called "git_larg_coco"; did you mean "git_large_coco"? `neurogauge models list` lists all
    "#);
    // SEED's captioner is taken where the metric is asked for by name; its weights are not here.
    let by_name = dir.run("score gt recon --metrics cap_sim --out run");
    by_name.says(&["microsoft/git-large-coco"]);
}
