//! `--with DETECTOR` of `neurogauge perceive` and `--detector` of `neurogauge score`.

use crate::support;
use crate::support::{Ran, arg, folder, neurogauge_with_cache, picture, refused};
use neurogauge::RunRecord;
use neurogauge::core::LabelList;
use neurogauge::formats::detections::DetectionSource;
use neurogauge::formats::image_file::{read_rgb8, write_png};
use neurogauge::formats::{captions, json};
use std::fs;
use std::path::{Path, PathBuf};

const STAND_IN: &str = "stand-in-detector";
/// More than a batch.
const N_IMAGES: usize = 6;

fn images(root: &Path, name: &str) -> PathBuf {
    let dir = root.join(name);
    for index in 0..N_IMAGES {
        let picture = picture(&format!("{name}{index}"), 40, 60.0);
        write_png(&dir.join(format!("{index}.png")), &picture).unwrap();
    }
    dir
}

fn perceive(root: &Path, images: &Path, out: &Path, options: &[&str]) -> Ran {
    let args = ["perceive", "--images", arg(images), "--out", arg(out)];
    let with = ["--with", STAND_IN];
    let args = [&args[..], &with, options].concat();
    neurogauge_with_cache(&args, &root.join("cache"))
}

/// How many images the model saw.
#[track_caller]
fn seen(ran: &Ran) -> usize {
    let said = ran.stderr.split(" of them seen").next().unwrap();
    said.rsplit(' ').next().unwrap().parse().unwrap()
}

fn stems(folder: &Path) -> Vec<String> {
    let entries = fs::read_dir(folder).unwrap();
    let name = |entry: fs::DirEntry| entry.file_name().into_string().unwrap();
    let mut names: Vec<String> = entries.map(|entry| name(entry.unwrap())).collect();
    names.sort();
    names
}

#[test]
fn objects_are_looked_for_once_and_anew_where_something_changed() {
    let dir = folder();
    let root = dir.path();
    let (images, out) = (images(root, "gt"), root.join("out"));
    let ran = perceive(root, &images, &out, &["--vis", "--vis-score", "0.5"]);
    assert_eq!(ran.code, 0, "{}", ran.stderr);
    assert_eq!(seen(&ran), N_IMAGES);
    assert!(ran.stderr.contains("means nothing"), "{}", ran.stderr);
    let paths: Vec<&str> = ran.stdout.lines().collect();
    assert_eq!(paths, [arg(&out.join("detections")), arg(&out.join("vis"))]);
    let json_of = |n: usize| format!("{n}.json");
    let expected: Vec<String> = (0..N_IMAGES).map(json_of).collect();
    assert_eq!(stems(&out.join("detections")), expected);
    assert_eq!(stems(&out.join("vis")).len(), N_IMAGES);
    let drawn = read_rgb8(&out.join("vis/3.png")).unwrap();
    assert_eq!((drawn.width_px(), drawn.height_px()), (960, 960));

    let labels = LabelList::coco_gender();
    let source = DetectionSource::open(&out.join("detections"), &labels, (1.0, 1.0)).unwrap();
    let found = source.load(3).unwrap();
    assert_eq!(
        (found.items.len(), found.image_size_px),
        (300, Some((40.0, 40.0)))
    );
    assert!(found.is_descending() && found.items[0].score > 0.5);
    let recipe = fs::read_to_string(out.join("detections.recipe.json")).unwrap();
    for part in [
        "colour-boxes",
        "\"spaces\"",
        "\"most\": 300",
        "\"longer_px\": 1333",
        "\"man\"",
    ] {
        assert!(recipe.contains(part), "{part} in {recipe}");
    }

    assert_eq!(seen(&perceive(root, &images, &out, &[])), 0);
    let other = perceive(root, &images, &out, &["--prompt-names", "underscores"]);
    assert_eq!((other.code, seen(&other)), (0, N_IMAGES));
    let fewer = perceive(
        root,
        &images,
        &out,
        &["--labels", "coco", "--max-detections", "7"],
    );
    assert_eq!((fewer.code, seen(&fewer)), (0, N_IMAGES));
    write_png(&images.join("3.png"), &picture("another", 40, 60.0)).unwrap();
    fs::remove_file(images.join("5.png")).unwrap();
    assert_eq!(seen(&perceive(root, &images, &out, &["--vis"])), 1);
    assert_eq!(stems(&out.join("detections")), expected[..5]);
    assert_eq!(stems(&out.join("vis")).len(), 5);

    // As an interruption leaves it: what was looked at stays known.
    let store = root.join("cache/detections/colour-boxes");
    for (n, name) in stems(&store).iter().enumerate() {
        if n % 2 == 0 {
            fs::remove_file(store.join(name)).unwrap();
        }
    }
    let again = perceive(root, &images, &out, &[]);
    assert!((1..5).contains(&seen(&again)), "{}", again.stderr);
}

#[test]
fn an_image_that_cannot_be_read_is_named_and_the_others_go_on() {
    let dir = folder();
    let root = dir.path();
    let (images, out) = (images(root, "gt"), root.join("out"));
    fs::write(images.join("4.png"), b"no picture").unwrap();
    let ran = perceive(root, &images, &out, &["--vis"]);
    assert_eq!(ran.code, 1, "{}", ran.stderr);
    for part in [
        "image \"4\": ",
        "4.png",
        "1 images have no detections: images \"4\"",
    ] {
        assert!(ran.stderr.contains(part), "{part} in {}", ran.stderr);
    }
    for kind in ["detections", "vis"] {
        assert_eq!(stems(&out.join(kind)).len(), N_IMAGES - 1);
    }
    write_png(&images.join("4.png"), &picture("gt4", 40, 60.0)).unwrap();
    let ran = perceive(root, &images, &out, &[]);
    assert_eq!((ran.code, seen(&ran)), (0, 1));
}

#[test]
fn the_official_layout_is_what_seed_s_code_reads() {
    let dir = folder();
    let root = dir.path();
    let (images, out) = (images(root, "gt"), root.join("gt_detection_results"));
    let with = "stand-in-detector,stand-in-captioner";
    let args = [
        "perceive",
        "--images",
        arg(&images),
        "--out",
        arg(&out),
        "--with",
        with,
    ];
    let args = [&args[..], &["--layout", "official", "--vis"]].concat();
    let ran = neurogauge_with_cache(&args, &root.join("cache"));
    assert_eq!(ran.code, 0, "{}", ran.stderr);
    let names = stems(&out);
    let expected = ["captions.jsonl", "captions.npy", "captions.recipe.json"];
    assert_eq!(names[..3], expected);
    assert_eq!(names[3..], ["detections.recipe.json", "preds", "vis"]);
    let source = DetectionSource::open(&out, &LabelList::coco_gender(), (1.0, 1.0)).unwrap();
    assert_eq!(source.stems().len(), N_IMAGES);
    let texts = captions::read(&out.join("captions.npy")).unwrap();
    assert_eq!((texts.len(), texts[2].0.as_str()), (N_IMAGES, "2"));
}

#[test]
fn somebody_else_s_detections_and_contradictions_are_refused() {
    let dir = folder();
    let root = dir.path();
    let (images, out) = (images(root, "gt"), root.join("out"));
    support::write(&out.join("detections/0.json"), "mine");
    let ran = perceive(root, &images, &out, &[]);
    assert_eq!(ran.code, 1);
    assert!(
        ran.stderr.contains("detections.recipe.json"),
        "{}",
        ran.stderr
    );
    assert_eq!(
        fs::read_to_string(out.join("detections/0.json")).unwrap(),
        "mine"
    );
    let run = |with: &str, options: &[&str], parts: &[&str]| {
        let out = root.join("other");
        let args = [
            "perceive",
            "--images",
            arg(&images),
            "--out",
            arg(&out),
            "--with",
            with,
        ];
        refused(&[&args[..], options].concat(), 2, parts);
        assert!(!out.exists());
    };
    run(
        "stand-in-detector:grid4",
        &[],
        &["a detector has no layers"],
    );
    run(
        &format!("{STAND_IN},{STAND_IN}"),
        &[],
        &["both write detections/"],
    );
    run("stand-in", &["--vis"], &["--with names none"]);
    run(
        "stand-in-captioner",
        &["--labels", "coco"],
        &["--with names none"],
    );
    run(
        "stand-in",
        &["--layout", "official"],
        &["neither a captioner nor a detector"],
    );
    run(STAND_IN, &["--caption-beams", "2"], &["--with names none"]);
    run(
        STAND_IN,
        &["--labels", "nowhere.txt"],
        &["--labels \"nowhere.txt\""],
    );
    run(STAND_IN, &["--vis-score", "0.5"], &["--vis"]);
    run("stand-in-detectr", &[], &["no model is called"]);
}

#[test]
fn a_device_that_is_not_used_is_said_so() {
    let dir = folder();
    let root = dir.path();
    let (images, out) = (images(root, "gt"), root.join("out"));
    let ran = perceive(root, &images, &out, &["--device", "cpu-f64"]);
    assert_eq!(ran.code, 0, "{}", ran.stderr);
    assert!(
        ran.stderr.contains("runs on the processor (cpu)"),
        "{}",
        ran.stderr
    );
    assert!(
        !perceive(root, &images, &out, &[])
            .stderr
            .contains("runs on")
    );
}

fn score(root: &Path, gt: &Path, recon: &Path, out: &str, options: &[&str]) -> Ran {
    let out = root.join(out);
    let args = [
        "score",
        "--gt",
        arg(gt),
        "--recon",
        arg(recon),
        "--out",
        arg(&out),
    ];
    let metric = ["--metrics", "object_f1", "--detector", STAND_IN];
    let args = [&args[..], &metric, options].concat();
    neurogauge_with_cache(&args, &root.join("cache"))
}

fn record(root: &Path, out: &str) -> RunRecord {
    json::read(&root.join(out).join("run.json")).unwrap()
}

#[test]
fn both_sides_are_looked_at_and_the_stimuli_once_for_all_systems() {
    let dir = folder();
    let root = dir.path();
    let (gt, a, b) = (images(root, "gt"), images(root, "a"), images(root, "b"));
    let ran = score(root, &gt, &a, "run-a", &["--export-layout", "official"]);
    assert_eq!(ran.code, 0, "{}", ran.stderr);
    let n_kept = || stems(&root.join("cache/detections/colour-boxes")).len();
    assert_eq!(n_kept(), 2 * N_IMAGES);
    assert_eq!(score(root, &gt, &b, "run-b", &[]).code, 0);
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

    let record = record(root, "run-a");
    let recipe = record.detected.as_ref().unwrap();
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
    let again = score(root, &gt, &a, "run-a", &["--export-layout", "official"]);
    assert!(
        again.stderr.contains("already finished"),
        "{}",
        again.stderr
    );
    assert_eq!(stems(&exported).len(), N_IMAGES);
    let other = score(root, &gt, &a, "run-a", &["--prompt-names", "underscores"]);
    assert!(
        !other.stderr.contains("already finished"),
        "{}",
        other.stderr
    );
    assert_eq!(n_kept(), 5 * N_IMAGES);
    let (run_json, repeated) = (root.join("run-a/run.json"), root.join("repeated"));
    let args = [
        "score",
        "--from-run",
        arg(&run_json),
        "--out",
        arg(&repeated),
    ];
    let ran = neurogauge_with_cache(&args, &root.join("cache"));
    assert_eq!(ran.code, 0, "{}", ran.stderr);
    assert_eq!(scores("repeated"), scores("run-a"));
}

#[test]
fn a_pair_whose_image_cannot_be_looked_at_has_no_value() {
    let dir = folder();
    let root = dir.path();
    let (gt, recon) = (images(root, "gt"), images(root, "recon"));
    fs::write(recon.join("2.png"), b"no picture").unwrap();
    let ran = score(root, &gt, &recon, "run", &["--export-layout", "official"]);
    assert_eq!(ran.code, 1, "{}", ran.stderr);
    assert!(ran.stderr.contains("recon/images \"2\""), "{}", ran.stderr);
    assert!(ran.stdout.contains("Object F1"), "{}", ran.stdout);
    let outcomes = &support::scores(&root.join("run")).columns[0].1;
    let is_undefined = |pair: &usize| outcomes[*pair].is_err();
    assert_eq!((0..N_IMAGES).filter(is_undefined).collect::<Vec<_>>(), [2]);
    let reason = outcomes[2].as_ref().unwrap_err().to_string();
    assert_eq!(reason, "no detections of the reconstruction");
    assert_eq!(record(root, "run").undetected.len(), 1);
    // Read back, it is still not whole.
    let again = score(root, &gt, &recon, "run", &[]);
    assert!(
        again.stderr.contains("already finished"),
        "{}",
        again.stderr
    );
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
    let with = ["--detector", STAND_IN];
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
        &["Known models:", STAND_IN],
    );
    // SEED's detector is taken where the metric is asked for by name; its weights are not here.
    let args = ["score", "--metrics", "object_f1", "--out", arg(&out)];
    let part = "openmmlab-community/mm_grounding_dino_large_all";
    refused(&[&args[..], &sides].concat(), 1, &[part]);
}
