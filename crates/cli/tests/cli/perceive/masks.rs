//! `--masks SEGMENTER` of `neurogauge perceive` and of `neurogauge score`.

use super::detections::{N_IMAGES, images, stems};
use super::observers::{run_record, seen};
use crate::support::{self, Ran, arg, folder, neurogauge_with_cache, refused, write};
use neurogauge::MaskRecipe;
use neurogauge::core::ObservationKind;
use neurogauge::formats::masks::read_grounded_sam;
use serde_json::{Value, json};
use std::fs;
use std::path::{Path, PathBuf};

const MODELS: [&str; 4] = [
    "--masks",
    "stand-in-segmenter",
    "--mask-detector",
    "stand-in-detector",
];
/// Every place that the stand-in looks at is a box, and every word a label.
const ALL: [&str; 4] = ["--box-threshold", "0", "--text-threshold", "0"];
/// The stand-in looks at five places for things, and at five for parts.
const N_MASKS: usize = 10 * N_IMAGES;

/// The contents of every image except one stem's, which holds `other`.
fn categories(root: &Path, name: &str, other: &str) -> PathBuf {
    let of = |stem: usize| {
        let object = if stem == 2 { other } else { "dog" };
        json!({
            "foreground_objects": [{"object": object, "semantic_category": "animal", "parts": ["head", "tail"]}],
            "background_elements": [{"element": "sky", "semantic_category": "natural"}],
        })
    };
    let all: serde_json::Map<String, Value> = (0..N_IMAGES)
        .map(|stem| (stem.to_string(), of(stem)))
        .collect();
    let path = root.join(name);
    write(&path, &Value::Object(all).to_string());
    path
}

fn perceive(root: &Path, images: &Path, categories: &Path, options: &[&str]) -> Ran {
    let out = root.join("out");
    let command = ["perceive", "--images", arg(images), "--out", arg(&out)];
    let asked = ["--categories", arg(categories)];
    let args = [&command[..], &asked, &MODELS, options].concat();
    neurogauge_with_cache(&args, &root.join("cache"))
}

fn score(root: &Path, options: &[&str]) -> Ran {
    let [gt, recon] = ["gt", "recon"].map(|side| root.join(side));
    let command = ["score", "--gt", arg(&gt), "--recon", arg(&recon)];
    let asked = ["--metrics", "salient_iou,semantic_iou,part_iou"];
    let args = [&command[..], &asked, &MODELS, options].concat();
    neurogauge_with_cache(&args, &root.join("cache"))
}

/// Two boxes in each image, with the names of COCO's categories: a person and a bus.
fn boxes(root: &Path) -> PathBuf {
    let folder = root.join("boxes");
    for stem in 0..N_IMAGES {
        let found = json!({"labels": [0, 5], "scores": [0.9, 0.8], "bboxes": [[2.0, 3.0, 20.0, 30.0], [10.0, 5.0, 38.0, 25.0]]});
        write(&folder.join(format!("{stem}.json")), &found.to_string());
    }
    folder
}

#[test]
fn masks_are_made_of_boxes_that_are_given() {
    let dir = folder();
    let root = dir.path();
    let (images, given) = (images(root, "gt"), boxes(root));
    let out = root.join("out");
    let command = [
        "perceive",
        "--images",
        arg(&images),
        "--boxes",
        arg(&given),
        "--labels",
        "coco",
        "--out",
        arg(&out),
    ];
    let args = [&command[..], &MODELS[..2]].concat();
    let run = || neurogauge_with_cache(&args, &root.join("cache"));
    let ran = run();
    assert_eq!((ran.code, seen(&ran)), (0, N_IMAGES), "{}", ran.stderr);
    ran.says(&[&format!("0 of {} masks have no label", 2 * N_IMAGES)]);
    let masks = read_grounded_sam(&out.join("masks/3.json")).unwrap();
    let found: Vec<_> = (masks.items.iter())
        .map(|mask| (mask.name.as_str(), mask.bbox.x0, mask.bbox.y1))
        .collect();
    assert_eq!(found, [("person", 2.0, 30.0), ("bus", 10.0, 25.0)]);
    assert!(masks.items.iter().all(|mask| !mask.mask.is_empty()));
    // No detector had a part in it.
    let recipe = fs::read_to_string(out.join("masks.recipe.json")).unwrap();
    assert!(!recipe.contains("detector"), "{recipe}");
    // Again, nothing is seen; with a box elsewhere, that image is.
    assert_eq!(seen(&run()), 0);
    let moved = json!({"labels": [0], "scores": [0.9], "bboxes": [[4.0, 4.0, 30.0, 30.0]]});
    write(&given.join("2.json"), &moved.to_string());
    assert_eq!(seen(&run()), 1);
    assert_eq!(
        read_grounded_sam(&out.join("masks/2.json"))
            .unwrap()
            .items
            .len(),
        1
    );
    fs::remove_file(given.join("4.json")).unwrap();
    let ran = run();
    assert_eq!(ran.code, 1);
    ran.says(&["boxes for every image of", "\"4\" has none"]);
    refused(
        &[&args[..], &["--categories", arg(&given)]].concat(),
        2,
        &["--categories", "--boxes"],
    );
}

#[test]
fn masks_are_made_once_and_anew_where_something_changed() {
    let dir = folder();
    let root = dir.path();
    let images = images(root, "gt");
    let asked = categories(root, "categories.json", "dog");
    let ran = perceive(root, &images, &asked, &ALL);
    assert_eq!((ran.code, seen(&ran)), (0, N_IMAGES), "{}", ran.stderr);
    let counted = format!("0 of {N_MASKS} masks have no label");
    ran.says(&[&counted, "its masks mean nothing"]);
    let folder = root.join("out/masks");
    assert_eq!(ran.stdout.trim(), arg(&folder));
    let masks = read_grounded_sam(&folder.join("3.json")).unwrap();
    assert_eq!(masks.size_px, (40, 40));
    let names: Vec<&str> = masks.items.iter().map(|mask| mask.name.as_str()).collect();
    assert_eq!(names[..5], ["dog sky"; 5]);
    assert_eq!(names[5..], ["head tail"; 5]);
    assert!(masks.items.iter().all(|mask| !mask.mask.is_empty()));
    let text = fs::read_to_string(folder.join("3.json")).unwrap();
    assert!(text.contains("3.png"), "{text}");
    let recipe = fs::read_to_string(root.join("out/masks.recipe.json")).unwrap();
    for part in ["box-masks", "colour-boxes", "box_threshold", "1024"] {
        assert!(recipe.contains(part), "{part} in {recipe}");
    }

    assert_eq!(seen(&perceive(root, &images, &asked, &ALL)), 0);
    // At the paper's thresholds, most boxes of a stand-in have no label.
    let default = perceive(root, &images, &asked, &["--box-threshold", "0"]);
    assert_eq!((default.code, seen(&default)), (0, N_IMAGES));
    let n_unlabelled = || -> usize {
        let files = stems(&folder).into_iter();
        let masks = files.map(|file| read_grounded_sam(&folder.join(file)).unwrap());
        let unlabelled = |masks: neurogauge::core::Masks| {
            masks
                .items
                .iter()
                .filter(|mask| mask.name.is_empty())
                .count()
        };
        masks.map(unlabelled).sum()
    };
    let n = n_unlabelled();
    assert!(n > 0);
    default.says(&[&format!("{n} of {N_MASKS} masks have no label")]);
    let dropping = ["--box-threshold", "0", "--unlabelled-boxes", "drop"];
    let dropped = perceive(root, &images, &asked, &dropping);
    dropped.says(&[&format!("0 of {} masks have no label", N_MASKS - n)]);
    assert_eq!(n_unlabelled(), 0);
    // One image holds something else.
    let other = categories(root, "other.json", "cat");
    assert_eq!(seen(&perceive(root, &images, &other, &ALL)), 1);

    // As an interruption leaves it: finished masks are kept.
    let store = root.join("cache/masks/box-masks");
    let kept = stems(&store);
    for name in kept.iter().take(kept.len() / 2) {
        fs::remove_file(store.join(name)).unwrap();
    }
    let again = perceive(root, &images, &asked, &ALL);
    assert!(seen(&again) < N_IMAGES, "{}", again.stderr);
    assert_eq!(read_grounded_sam(&folder.join("3.json")).unwrap(), masks);
}

#[test]
fn masks_of_both_sides_are_planned_made_compared_and_read_back() {
    let dir = folder();
    let root = dir.path();
    for side in ["gt", "recon"] {
        images(root, side);
    }
    let asked = categories(root, "categories.json", "dog");
    let run = root.join("run");
    let of_both = [
        "--gt-categories",
        arg(&asked),
        "--recon-categories",
        arg(&asked),
    ];
    let words = ["--box-threshold", "0", "--out", arg(&run)];
    let options = [&of_both[..], &words].concat();
    let planned = score(root, &[&options[..], &["--dry-run"]].concat());
    assert_eq!(planned.code, 0, "{}", planned.stderr);
    let step = |known: usize| {
        format!("recon/masks by box-masks, of recon/images: {N_IMAGES} items, {known} known")
    };
    assert!(planned.stdout.contains(&step(0)), "{}", planned.stdout);
    assert!(!run.exists());

    let ran = score(root, &options);
    assert_eq!(ran.code, 0, "{}", ran.stderr);
    let record = run_record(root, "run");
    let recipe: MaskRecipe = record.recipe(ObservationKind::Masks).unwrap();
    assert!(recipe.model.stand_in && record.metrics[0].stand_in);
    assert_eq!(recipe.detector.id, "colour-boxes");
    assert!(record.models.contains(&recipe.detector) && record.models.contains(&recipe.model));
    let warnings: Vec<&str> = record.warnings.iter().map(|w| w.code.as_str()).collect();
    assert!(warnings.contains(&"unlabelled_masks"), "{warnings:?}");
    let planned = score(root, &[&options[..], &["--dry-run"]].concat());
    assert!(
        planned.stdout.contains(&step(N_IMAGES)),
        "{}",
        planned.stdout
    );
    score(root, &options).says(&["already finished"]);

    // What given masks score is what those made here score.
    let masks = |side: &str| run.join("observations").join(side).join("masks");
    let (gt, recon, given) = (masks("gt"), masks("recon"), root.join("given"));
    let paths = ["--gt-masks", arg(&gt), "--recon-masks", arg(&recon)];
    let metrics = ["--metrics", "salient_iou,semantic_iou,part_iou"];
    let args = [
        &["score"][..],
        &paths,
        &of_both,
        &metrics,
        &["--out", arg(&given)],
    ]
    .concat();
    assert_eq!(support::neurogauge(&args).code, 0);
    let columns = |run: &str| support::scores(&root.join(run)).columns;
    assert_eq!(columns("run"), columns("given"));

    // The stimuli's categories can be asked for in reconstructions.
    let other = root.join("by-stimulus");
    let of_stimuli = ["--gt-categories", arg(&asked), "--mask-prompts", "stimulus"];
    let options = [
        &of_stimuli[..],
        &["--box-threshold", "0", "--out", arg(&other)],
    ]
    .concat();
    let ran = score(root, &options);
    assert_eq!(ran.code, 0, "{}", ran.stderr);
    assert_eq!(columns("by-stimulus"), columns("run"));
}

#[test]
fn an_image_that_cannot_be_read_costs_its_pair_only() {
    let dir = folder();
    let root = dir.path();
    images(root, "gt");
    let recon = images(root, "recon");
    fs::write(recon.join("2.png"), b"no picture").unwrap();
    let asked = categories(root, "categories.json", "dog");
    let out = root.join("run");
    let of_both = [
        "--gt-categories",
        arg(&asked),
        "--recon-categories",
        arg(&asked),
    ];
    let ran = score(
        root,
        &[&of_both[..], &["--box-threshold", "0", "--out", arg(&out)]].concat(),
    );
    assert_eq!(ran.code, 1, "{}", ran.stderr);
    ran.says(&["recon/images \"2\""]);
    let outcomes = &support::scores(&out).columns[0].1;
    let reason = outcomes[2].as_ref().unwrap_err().to_string();
    assert_eq!(reason, "no masks of the reconstruction");
    assert_eq!(
        run_record(root, "run")
            .failed(ObservationKind::Masks)
            .count(),
        1
    );
}

#[test]
fn a_segmenter_needs_images_categories_and_no_masks() {
    let dir = folder();
    let root = dir.path();
    let (gt, recon) = (images(root, "gt"), images(root, "recon"));
    let asked = categories(root, "categories.json", "dog");
    let out = root.join("out");
    let sides = ["--gt", arg(&gt), "--recon", arg(&recon), "--out", arg(&out)];
    let run = |options: &[&str], parts: &[&str]| {
        refused(&[&["score"][..], &sides, options].concat(), 2, parts);
    };
    let of_gt = ["--gt-categories", arg(&asked)];
    run(&MODELS, &["the images have none", "--recon-categories"]);
    run(
        &[&MODELS[..], &of_gt].concat(),
        &["the reconstructions have none", "--mask-prompts stimulus"],
    );
    run(
        &[
            &MODELS[..],
            &["--gt-masks", arg(&gt), "--recon-masks", arg(&recon)],
        ]
        .concat(),
        &["--masks makes masks of the images, and there are masks already"],
    );
    run(
        &["--mask-nms", "0.5"],
        &["how --masks makes masks, and there is none"],
    );
    run(&["--masks", "sam"], &["--recon-categories"]);
    let unknown = [
        &of_gt[..],
        &["--mask-prompts", "stimulus", "--masks", "sam"],
    ]
    .concat();
    run(&unknown, &["did you mean \"sam2_hiera_tiny\"?"]);
    let perceiving = ["perceive", "--images", arg(&gt), "--out", arg(&out)];
    refused(
        &[&perceiving[..], &["--with", "sam2.1_hiera_tiny"]].concat(),
        2,
        &["ask for it with --masks sam2.1_hiera_tiny"],
    );
    refused(
        &[&perceiving[..], &MODELS].concat(),
        2,
        &["--categories PATH"],
    );
    let fewer = root.join("fewer.json");
    write(
        &fewer,
        r#"{"0": {"foreground_objects": [], "background_elements": []}}"#,
    );
    let options = [&["--categories", arg(&fewer)][..], &MODELS].concat();
    refused(
        &[&perceiving[..], &options].concat(),
        1,
        &["fewer.json", "\"1\" has none"],
    );
}
