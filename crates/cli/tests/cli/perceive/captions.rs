//! `--with CAPTIONER` of `neurogauge perceive`.

use super::observers::{CAPTIONER, perceiving, seen};
use crate::support::{Ran, folder, neurogauge, picture, pictures, refused};
use neurogauge::formats::image_file::write_png;
use neurogauge::formats::json;
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

/// More than a batch.
pub(crate) const N_IMAGES: usize = 11;

pub(crate) fn images(root: &Path, name: &str) -> PathBuf {
    pictures(&root.join(name), name, N_IMAGES, 40, 60.0)
}

fn perceive(images: &Path, out: &Path, options: &[&str]) -> Ran {
    neurogauge(&perceiving(images, out, CAPTIONER.name, options))
}

/// The written captions, and the number of images the model saw.
#[track_caller]
fn written(ran: &Ran, out: &Path) -> (BTreeMap<String, String>, usize) {
    (json::read(&out.join("captions.json")).unwrap(), seen(ran))
}

#[test]
fn captions_are_written_once_and_made_anew_where_something_changed() {
    let dir = folder();
    let (images, out) = (images(dir.path(), "gt"), dir.path().join("out"));
    let ran = perceive(&images, &out, &[]);
    assert_eq!(ran.code, 0, "{}", ran.stderr);
    let (first, seen) = written(&ran, &out);
    assert_eq!((first.len(), seen), (N_IMAGES, N_IMAGES));
    assert!(first["3"].starts_with("a picture that is"), "{first:?}");
    ran.says(&["mean nothing"]);
    assert_eq!(
        ran.stdout.trim(),
        out.join("captions.json").to_str().unwrap()
    );
    let recipe = fs::read_to_string(out.join("captions.recipe.json")).unwrap();
    for part in [
        "colour-words",
        "\"n_beams\": 1",
        "\"max_new_tokens\": 50",
        "shorter_side",
    ] {
        assert!(recipe.contains(part), "{part} in {recipe}");
    }

    assert_eq!(
        written(&perceive(&images, &out, &[]), &out),
        (first.clone(), 0)
    );
    write_png(&images.join("3.png"), &picture("another", 40, 60.0)).unwrap();
    let (second, seen) = written(&perceive(&images, &out, &[]), &out);
    assert_eq!(seen, 1);
    assert_eq!(second["4"], first["4"]);
    // Another way of writing is another caption.
    assert_eq!(
        written(&perceive(&images, &out, &["--caption-beams", "3"]), &out).1,
        N_IMAGES
    );
    assert_eq!(written(&perceive(&images, &out, &[]), &out), (second, 0));
    // Half a line, as a crash leaves it, is no caption.
    let journal = fs::read(out.join("captions.jsonl")).unwrap();
    fs::write(out.join("captions.jsonl"), &journal[..100]).unwrap();
    let (_, seen) = written(&perceive(&images, &out, &[]), &out);
    assert!(seen >= N_IMAGES - 1, "{seen}");
}

#[test]
fn an_image_that_cannot_be_read_is_named_and_the_others_go_on() {
    let dir = folder();
    let (images, out) = (images(dir.path(), "gt"), dir.path().join("out"));
    fs::write(images.join("7.png"), b"no picture").unwrap();
    let ran = perceive(&images, &out, &[]);
    assert_eq!(ran.code, 1, "{}", ran.stderr);
    let (captions, seen) = written(&ran, &out);
    assert_eq!((captions.len(), seen), (N_IMAGES - 1, N_IMAGES));
    assert!(!captions.contains_key("7"));
    ran.says(&[
        "image \"7\": ",
        "7.png",
        "1 images have no caption: images \"7\"",
    ]);
    write_png(&images.join("7.png"), &picture("gt7", 40, 60.0)).unwrap();
    let ran = perceive(&images, &out, &[]);
    assert_eq!((ran.code, written(&ran, &out).1), (0, 1));
}

#[test]
fn somebody_else_s_captions_and_contradictions_are_refused() {
    let dir = folder();
    let (images, out) = (images(dir.path(), "gt"), dir.path().join("out"));
    fs::create_dir_all(&out).unwrap();
    fs::write(out.join("captions.json"), r#"{"0": "mine"}"#).unwrap();
    let run = |with: &str, code, parts: &[&str]| {
        refused(&perceiving(&images, &out, with, &[]), code, parts);
    };
    run(CAPTIONER.name, 1, &["captions.json", "not replaced"]);
    assert_eq!(
        fs::read_to_string(out.join("captions.json")).unwrap(),
        r#"{"0": "mine"}"#
    );
    run("stand-in-captioner:grid4", 2, &["no layers"]);
    run(
        "stand-in-captioner,git_base_coco",
        2,
        &["both write captions.json"],
    );
    let other = dir.path().join("other");
    let args = perceiving(&images, &other, "git_large_coco", &[]);
    refused(&args, 1, &["microsoft/git-large-coco", "model.safetensors"]);
    assert!(!other.exists());
}
