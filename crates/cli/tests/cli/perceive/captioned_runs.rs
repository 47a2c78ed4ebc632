//! `--captioner` of `neurogauge score`.

use super::captions::{N_IMAGES, images};
use super::observers::{CAPTIONER, repeat, run_record};
use crate::support::{self, arg, folder, neurogauge, refused};
use neurogauge::core::ObservationKind;
use neurogauge::formats::captions;
use neurogauge::{CaptionRecipe, InputRecord};
use std::fs;

#[test]
fn both_sides_are_described_and_the_stimuli_once_for_all_systems() {
    let dir = folder();
    let root = dir.path();
    let (gt, a, b) = (images(root, "gt"), images(root, "a"), images(root, "b"));
    let ran = CAPTIONER.score(root, (&gt, &a), "run-a", &["--export-layout", "official"]);
    assert_eq!(ran.code, 0, "{}", ran.stderr);
    let journal = || fs::read_to_string(root.join("cache/captions/colour-words.jsonl")).unwrap();
    assert_eq!(journal().lines().count(), 2 * N_IMAGES);
    assert_eq!(CAPTIONER.score(root, (&gt, &b), "run-b", &[]).code, 0);
    assert_eq!(journal().lines().count(), 3 * N_IMAGES);

    // What given captions score is what those made here score.
    let side = |side: &str| {
        root.join("run-a/observations")
            .join(side)
            .join("captions.json")
    };
    let (gt_captions, recon_captions) = (side("gt"), side("recon"));
    assert_eq!(captions::read(&gt_captions).unwrap().len(), N_IMAGES);
    let out = root.join("given");
    let given = [
        "score",
        "--metrics",
        "cap_sim",
        "--gt-captions",
        arg(&gt_captions),
        "--recon-captions",
        arg(&recon_captions),
        "--text-encoder",
        "stand-in",
        "--out",
        arg(&out),
    ];
    assert_eq!(neurogauge(&given).code, 0);
    let scores = |run: &str| support::scores(&root.join(run)).columns;
    assert_eq!(scores("run-a"), scores("given"));
    assert_ne!(scores("run-a"), scores("run-b"));

    let record = run_record(root, "run-a");
    let recipe: CaptionRecipe = record.recipe(ObservationKind::Captions).unwrap();
    assert_eq!(recipe.model.id, "colour-words");
    assert!(record.models.contains(&recipe.model));
    assert!(record.metrics[0].stand_in);
    let roles: Vec<&str> = record
        .provenance
        .inputs
        .iter()
        .map(|i: &InputRecord| i.role.as_str())
        .collect();
    assert_eq!(roles, ["gt/images", "recon/images"]);
    let exported = root.join("run-a/evaluations/run-a/intermediate_results");
    let exported = captions::read(&exported.join("gt_captions.npy")).unwrap();
    assert_eq!(exported, captions::read(&gt_captions).unwrap());

    // Another way of writing is another run, and the same is read back and exported again.
    fs::remove_dir_all(root.join("run-a/evaluations")).unwrap();
    let again = CAPTIONER.score(root, (&gt, &a), "run-a", &["--export-layout", "official"]);
    again.says(&["already finished"]);
    assert!(
        root.join("run-a/evaluations/run-a/intermediate_results/gt_captions.npy")
            .exists()
    );
    let other = CAPTIONER.score(root, (&gt, &a), "run-a", &["--caption-tokens", "20"]);
    assert!(
        !other.stderr.contains("already finished"),
        "{}",
        other.stderr
    );
    assert_eq!(journal().lines().count(), 5 * N_IMAGES);
    assert_eq!(repeat(root, "run-a", "repeated").code, 0);
    assert_eq!(scores("repeated"), scores("run-a"));
}

#[test]
fn a_pair_whose_image_cannot_be_described_has_no_value() {
    let dir = folder();
    let root = dir.path();
    let (gt, recon) = (images(root, "gt"), images(root, "recon"));
    fs::write(recon.join("2.png"), b"no picture").unwrap();
    let ran = CAPTIONER.score(root, (&gt, &recon), "run", &["--export-layout", "official"]);
    assert_eq!(ran.code, 1, "{}", ran.stderr);
    ran.says(&["recon/images \"2\""]);
    assert!(
        ran.stdout.contains("Cap-Sim"),
        "the table is printed: {}",
        ran.stdout
    );
    let outcomes = &support::scores(&root.join("run")).columns[0].1;
    let undefined: Vec<usize> = (0..N_IMAGES)
        .filter(|&pair| outcomes[pair].is_err())
        .collect();
    assert_eq!(undefined, [2]);
    let reason = outcomes[2].as_ref().unwrap_err().to_string();
    assert_eq!(reason, "no caption of the reconstruction");
    assert_eq!(
        run_record(root, "run")
            .failed(ObservationKind::Captions)
            .count(),
        1
    );
    // Read back, it is still not whole.
    let again = CAPTIONER.score(root, (&gt, &recon), "run", &[]);
    again.says(&["already finished"]);
    assert_eq!(again.code, 1);
}

#[test]
fn a_captioner_needs_images_and_no_captions() {
    let dir = folder();
    let root = dir.path();
    let (gt, recon) = (images(root, "gt"), images(root, "recon"));
    let captions = root.join("captions.json");
    fs::write(&captions, r#"{"0": "a dog"}"#).unwrap();
    let out = root.join("out");
    let sides = ["--gt", arg(&gt), "--recon", arg(&recon)];
    let run = |options: &[&str], parts: &[&str]| {
        refused(
            &[&["score", "--out", arg(&out)], options].concat(),
            2,
            parts,
        );
    };
    let with_captioner = ["--captioner", CAPTIONER.name];
    run(
        &[
            &sides[..],
            &with_captioner,
            &[
                "--gt-captions",
                arg(&captions),
                "--recon-captions",
                arg(&captions),
            ],
        ]
        .concat(),
        &["leave one of them away"],
    );
    run(
        &[&with_captioner[..], &["--metrics", "cap_sim"]].concat(),
        &["needs images of both sides"],
    );
    run(
        &[&sides[..], &["--caption-beams", "2"]].concat(),
        &["there is none"],
    );
    // SEED's captioner is taken where the metric is asked for by name; its weights are not here.
    let args = ["score", "--metrics", "cap_sim", "--out", arg(&out)];
    refused(
        &[&args[..], &sides].concat(),
        1,
        &["microsoft/git-large-coco"],
    );
    let args = ["score", "--metrics", "cap_sim", "--out", arg(&out)];
    refused(&args, 2, &["--captioner MODEL"]);
    run(
        &[&sides[..], &["--captioner", "git_larg_coco"]].concat(),
        &["did you mean \"git_large_coco\"?"],
    );
}
