//! `--captioner` and `--detector` of `neurogauge score`.

use super::observers::{CAPTIONER, DETECTOR, images, perceive, repeat, run_record, score, seen};
use crate::support::*;
use neurogauge::formats::captions;

/// A placeholder's results in a run.
struct Made {
    kind: ObservationKind,
    /// More images than a batch.
    n_images: usize,
    /// How `score` requests it, and a request with other options.
    asked: [&'static str; 2],
    model: &'static str,
    file: &'static str,
    /// In SEED's layout.
    exported: &'static str,
    metrics: &'static str,
}

const MADE: [Made; 2] = [
    Made {
        kind: ObservationKind::Captions,
        n_images: 11,
        asked: [CAPTIONER, "--set caption_tokens=20"],
        model: "colour-words",
        file: "captions.json",
        exported: "intermediate_results/gt_captions.npy",
        metrics: "cap_sim --set text_encoder=placeholder",
    },
    Made {
        kind: ObservationKind::Detections,
        n_images: 6,
        asked: [DETECTOR, "--set prompt_names=underscores"],
        model: "colour-boxes",
        file: "detections",
        exported: "gt_detection_results/preds/5.json",
        metrics: "object_f1",
    },
];

/// Number of images with results of a placeholder in the cache: lines of a journal, or files.
fn n_known(dir: &Folder, made: &Made) -> usize {
    match made.kind {
        ObservationKind::Captions => dir.read("cache/captions/colour-words.jsonl").lines().count(),
        _ => dir.names("cache/detections/colour-boxes").len(),
    }
}

#[test]
fn both_sides_are_observed_and_the_stimuli_once_for_all_systems() {
    for made in MADE {
        let ([asked, otherwise], n, kind) = (made.asked, made.n_images, made.kind.id());
        let dir = images(n, &["gt", "a", "b"]);
        let run =
            |system: &str, more: &str| score(&dir, &format!("gt {system} --out run-{system} {asked} {more}")).done();
        run("a", "--export-layout official");
        assert_eq!(n_known(&dir, &made), 2 * n);
        run("b", "");
        assert_eq!(n_known(&dir, &made), 3 * n);
        // `score` knows what `perceive` observed, and vice versa.
        assert_eq!(seen(&perceive(&dir, &format!("--with {}", asked.split(' ').nth(3).unwrap()))), 0);

        // Given observations have the same scores as those made here.
        let given = ["gt", "recon"].map(|side| format!("--{side} {kind}=run-a/observations/{side}/{}", made.file));
        dir.succeed(&format!("score {} --metrics {} --out given", given.join(" "), made.metrics));
        let scores = |run: &str| dir.scores(run).columns;
        assert_eq!(scores("run-a"), scores("given"));
        assert_ne!(scores("run-a"), scores("run-b"));

        let record = dir.record("run-a");
        let recipe = &step(&record, kind)["recipe"];
        assert_eq!(recipe["model"]["id"], made.model);
        assert!(record["models"].list().contains(&recipe["model"]));
        assert_eq!(record["metrics"][0]["stand_in"], true);
        assert_eq!([0, 1].map(|place| record["inputs"][place]["role"].clone()), ["gt/images", "recon/images"]);
        let exported = format!("run-a/evaluations/run-a/{}", made.exported);
        if made.kind == ObservationKind::Captions {
            let made = captions::read(&dir.join("run-a/observations/gt/captions.json")).unwrap();
            assert_eq!((made.len(), captions::read(&dir.join(&exported)).unwrap()), (n, made));
        } else {
            assert_eq!(recipe["categories"].list().len(), 82);
        }

        // The same run is read and exported again; other options make another run.
        dir.remove("run-a/evaluations");
        run("a", "--export-layout official").says(&["already finished"]);
        assert!(dir.has(exported));
        let other = run("a", otherwise);
        assert!(!other.stderr.contains("already finished"), "{other}");
        assert_eq!(n_known(&dir, &made), 5 * n);
        assert_eq!(repeat(&dir, "run-a", "repeated").code, 0);
        assert_eq!(scores("repeated"), scores("run-a"));
    }
}

#[test]
fn a_pair_whose_image_cannot_be_observed_has_no_value() {
    let said = MADE.map(|made| {
        let (n, name) = (made.n_images, made.kind.id().trim_end_matches('s'));
        let dir = images(n, &["gt", "recon"]);
        dir.write("recon/2.png", "no picture");
        let run = || score(&dir, &format!("gt recon --out run {} --export-layout official", made.asked[0]));
        let ran = run();
        assert_eq!(ran.code, 1);
        let outcomes = &dir.scores("run").columns[0].1;
        assert_eq!((0..n).filter(|&pair| outcomes[pair].is_err()).collect::<Vec<_>>(), [2]);
        let reason = outcomes[2].as_ref().unwrap_err().to_string();
        assert!(reason.starts_with(&format!("no {name}")) && reason.ends_with(" of the reconstruction"), "{reason}");
        assert_eq!(run_record(&dir, "run").failed(made.kind).count(), 1);
        // Failed images are tried again, and fail again.
        let again = run();
        again.says(&[&format!("{n} pairs scored"), &format!("1 image has no {name}")]);
        assert_eq!(again.code, 1);
        let table = lines_with(&ran.stdout, &["↑†", "undefined (", "with failures"]);
        format!("{table}\n{}", ran.messages())
    });
    assert_snapshot!(said.concat(), @r#"
      Cap-Sim ↑†  0.914  [0.890, 0.937]  10          1
    Cap-Sim: 1 pair undefined (no caption of the reconstruction)
    pairs whose reconstruction failed are left out of these means; with failures at chance, or at the worst where chance is unknown: Cap-Sim 0.831 (1 at 0)
    note: image "2": [DIR]/recon/2.png: not a readable image: text that begins with "no picture"; expected a PNG, JPEG, WebP, BMP, TIFF, GIF or PPM file
    run: 11 pairs scored
    error: 1 image has no caption: recon/images "2" ([DIR]/recon/2.png: not a readable image: text that begins with "no picture"; expected a PNG, JPEG, WebP, BMP, TIFF, GIF or PPM file). All others are done; repair these and call again, with --overwrite if a file has changed
      Object F1 ↑†  0.479  [0.057, 0.902]  5          1
    Object F1: 1 pair undefined (no detections of the reconstruction)
    pairs whose reconstruction failed are left out of these means; with failures at chance, or at the worst where chance is unknown: Object F1 0.400 (1 at 0)
    note: image "2": [DIR]/recon/2.png: not a readable image: text that begins with "no picture"; expected a PNG, JPEG, WebP, BMP, TIFF, GIF or PPM file
    run: 6 pairs scored
    error: 1 image has no detections: recon/images "2" ([DIR]/recon/2.png: not a readable image: text that begins with "no picture"; expected a PNG, JPEG, WebP, BMP, TIFF, GIF or PPM file). All others are done; repair these and call again, with --overwrite if a file has changed
    "#);
}

#[test]
fn a_captioner_or_detector_needs_images_and_nothing_in_its_place() {
    let dir = images(1, &["gt", "recon"]);
    dir.write("captions.json", r#"{"0": "a dog"}"#);
    let table = r#"
    gt recon --captioner placeholder-captioner --gt captions=captions.json --recon captions=captions.json
      exit 2, stderr: error: --captioner describes the images, and there are captions already ([DIR]/captions.json); leave one of them out
    --captioner placeholder-captioner --metrics cap_sim
      exit 2, stderr: error: --captioner needs images of both sides (--gt, --recon)
    gt recon --set caption_beams=2
      exit 2, stderr: error: --set caption_beams=2: it says how a captioner writes, and there is none
    --metrics cap_sim
      exit 2, stderr: error: cap_sim needs captions of both sides (--observations, or --gt captions=FILE and --recon captions=FILE), or images of both sides (--gt, --recon) and --captioner MODEL
    gt recon --captioner git_larg_coco
      exit 2, stderr: error: no model is called "git_larg_coco"; did you mean "git_large_coco"? `neurogauge list models` lists all
    gt recon --detector placeholder-detector --gt detections=gt --recon detections=recon
      exit 2, stderr: error: --detector looks at the images, and there are detections already ([DIR]/gt); leave one of them out
    --detector placeholder-detector --metrics object_f1
      exit 2, stderr: error: --detector needs images of both sides (--gt, --recon)
    gt recon --set max_detections=2
      exit 2, stderr: error: --set max_detections=2: it says how a detector looks, and there is none
    gt recon --detector yolo
      exit 2, stderr: error: no model is called "yolo"; did you mean "yolo_world_v2_s"? `neurogauge list models` lists all
    "#;
    dir.refuses("score --out run", "run", table);
    // If the metric is requested by name, SEED's models are chosen; their weights are not on this machine.
    for (metric, model) in [
        ("cap_sim", "microsoft/git-large-coco"),
        ("object_f1", "openmmlab-community/mm_grounding_dino_large_all"),
    ] {
        dir.run(&format!("score gt recon --metrics {metric} --out run")).says(&[model]);
    }
}
