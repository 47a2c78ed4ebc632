//! `--with DETECTOR` of `neurogauge perceive`.

use super::observers::{DETECTOR, perceiving, seen};
use crate::support::{self, Ran, arg, folder, neurogauge_with_cache, picture, pictures, refused};
use neurogauge::core::LabelList;
use neurogauge::formats::captions;
use neurogauge::formats::detections::DetectionSource;
use neurogauge::formats::image_file::{read_rgb8, write_png};
use std::fs;
use std::path::{Path, PathBuf};

/// More than a batch.
pub(crate) const N_IMAGES: usize = 6;

pub(crate) fn images(root: &Path, name: &str) -> PathBuf {
    pictures(&root.join(name), name, N_IMAGES, 40, 60.0)
}

pub(crate) fn perceive(root: &Path, images: &Path, out: &Path, options: &[&str]) -> Ran {
    let args = perceiving(images, out, DETECTOR.name, options);
    neurogauge_with_cache(&args, &root.join("cache"))
}

pub(crate) fn stems(folder: &Path) -> Vec<String> {
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
    ran.says(&["means nothing"]);
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

    // As an interruption leaves it: finished images are kept.
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
    ran.says(&[
        "image \"4\": ",
        "4.png",
        "1 images have no detections: images \"4\"",
    ]);
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
    let args = perceiving(&images, &out, with, &["--layout", "official", "--vis"]);
    let ran = neurogauge_with_cache(&args, &root.join("cache"));
    assert_eq!(ran.code, 0, "{}", ran.stderr);
    let names = stems(&out);
    // Files kept by content are in the cache.
    assert_eq!(names[..2], ["captions.npy", "captions.recipe.json"]);
    assert_eq!(names[2..], ["detections.recipe.json", "preds", "vis"]);
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
    ran.says(&["detections.recipe.json"]);
    assert_eq!(
        fs::read_to_string(out.join("detections/0.json")).unwrap(),
        "mine"
    );
    let run = |with: &str, options: &[&str], parts: &[&str]| {
        let out = root.join("other");
        refused(&perceiving(&images, &out, with, options), 2, parts);
        assert!(!out.exists());
    };
    run(
        "stand-in-detector:grid4",
        &[],
        &["a detector has no layers"],
    );
    run(
        "stand-in-detector,stand-in-detector",
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
    run(
        DETECTOR.name,
        &["--caption-beams", "2"],
        &["--with names none"],
    );
    run(
        DETECTOR.name,
        &["--labels", "nowhere.txt"],
        &["--labels \"nowhere.txt\""],
    );
    run(DETECTOR.name, &["--vis-score", "0.5"], &["--vis"]);
    run("stand-in-detectr", &[], &["no model is called"]);
}

/// A placeholder has no weights, so it is the same model on any device, and kept detections are not computed again.
#[test]
fn a_placeholder_is_the_same_on_every_device() {
    let dir = folder();
    let root = dir.path();
    let (images, out) = (images(root, "gt"), root.join("out"));
    assert_eq!(perceive(root, &images, &out, &[]).code, 0);
    let ran = perceive(root, &images, &out, &["--device", "cpu-f64"]);
    assert_eq!(ran.code, 0, "{}", ran.stderr);
    ran.says(&["0 of them seen"]);
}
