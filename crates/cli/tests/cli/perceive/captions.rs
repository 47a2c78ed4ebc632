//! `--with CAPTIONER` of `neurogauge perceive`.

use super::observers::{images, seen};
use crate::support::*;
use neurogauge::formats::json;

/// More images than a batch.
const N_IMAGES: usize = 11;

const WITH: &str = "--with placeholder-captioner";

/// Runs `neurogauge perceive` for the images in `gt` into `out`, without a cache.
#[track_caller]
fn perceive(dir: &Folder, line: &str) -> Ran {
    dir.run(&format!("perceive --images gt --out out {line}"))
}

/// The written captions, and the number of images that the model saw.
#[track_caller]
fn written(dir: &Folder, ran: &Ran) -> (BTreeMap<String, String>, usize) {
    (json::read(&dir.join("out/captions.json")).unwrap(), seen(ran))
}

#[test]
fn captions_are_written_once_and_made_anew_where_something_changed() {
    let dir = images(N_IMAGES, &["gt"]);
    let ran = perceive(&dir, WITH);
    assert_snapshot!(ran, @"
    exit 0, stdout: out/captions.json
    stderr:
    note: images: 11 images, files
    colour-words: 11 of 11 images described, 11 of them seen by the model now (a placeholder: its captions mean nothing)
    ");
    let (first, seen) = written(&dir, &ran);
    assert_eq!((first.len(), seen), (N_IMAGES, N_IMAGES));
    assert!(first["3"].starts_with("a picture that is"), "{first:?}");
    let recipe = dir.read("out/captions.recipe.json");
    contains(&recipe, &["colour-words", "\"n_beams\": 1", "\"max_new_tokens\": 50", "shorter_side"]);

    let again = |more: &str| written(&dir, &perceive(&dir, &format!("{WITH} {more}")));
    assert_eq!(again(""), (first.clone(), 0));
    dir.picture("gt/3.png", "another", 40, 60.0);
    let (second, seen) = again("");
    assert_eq!(seen, 1);
    assert_eq!(second["4"], first["4"]);
    // With other options of generation, captions are made again.
    assert_eq!(again("--set caption_beams=3").1, N_IMAGES);
    assert_eq!(again(""), (second, 0));
    // An incomplete line, as after a crash, does not count as a caption.
    dir.write("out/captions.jsonl", &dir.read("out/captions.jsonl")[..100]);
    let (_, seen) = again("");
    assert!(seen >= N_IMAGES - 1, "{seen}");
}

#[test]
fn an_image_that_cannot_be_read_is_named_and_the_others_go_on() {
    let dir = images(N_IMAGES, &["gt"]);
    dir.write("gt/7.png", "no picture");
    let ran = perceive(&dir, WITH);
    assert_snapshot!(ran, @r#"
    exit 1, stdout: out/captions.json
    stderr:
    note: image "7": gt/7.png: not a readable image: text that begins with "no picture"; expected a PNG, JPEG, WebP, BMP, TIFF, GIF or PPM file
    note: images: 11 images, files
    colour-words: 10 of 11 images described, 11 of them seen by the model now (a placeholder: its captions mean nothing)
    error: 1 image has no caption: images "7" (gt/7.png: not a readable image: text that begins with "no picture"; expected a PNG, JPEG, WebP, BMP, TIFF, GIF or PPM file). All others are done; repair these and call again
    "#);
    let (captions, seen) = written(&dir, &ran);
    assert_eq!((captions.len(), seen), (N_IMAGES - 1, N_IMAGES));
    assert!(!captions.contains_key("7"));
    dir.picture("gt/7.png", "gt7", 40, 60.0);
    let ran = perceive(&dir, WITH);
    assert_eq!((ran.code, written(&dir, &ran).1), (0, 1));

    // The recipe belongs to the existing captions.
    let there = || ["captions.json", "captions.recipe.json"].map(|name| dir.read(format!("out/{name}")));
    let before = there();
    dir.write("gt/7.png", "no picture");
    let other = format!("{WITH} --set caption_beams=3");
    perceive(&dir, &format!("{other} --on-failure stop")).exits(1);
    assert_eq!(there(), before);
    // The others are described with the other options.
    assert_eq!(perceive(&dir, &other).code, 1);
    assert!(there()[1].contains("\"n_beams\": 3"), "{}", there()[1]);
}

#[test]
fn somebody_else_s_captions_and_contradictions_are_refused() {
    let dir = images(N_IMAGES, &["gt"]);
    let mine = r#"{"0": "mine"}"#;
    dir.write("out/captions.json", mine);
    let with = |with: &str| perceive(&dir, &format!("--with {with}"));
    assert_snapshot!(with("placeholder-captioner"), @"exit 1, stderr: error: out/captions.json: not written by neurogauge (it has no captions.recipe.json beside it), so it is not replaced; choose another --out or move it");
    assert_eq!(dir.read("out/captions.json"), mine);
    assert_snapshot!(with("placeholder-captioner:grid4"), @"exit 2, stderr: error: --with placeholder-captioner: a captioner has no layers to ask for; write placeholder-captioner alone");
    assert_snapshot!(with("placeholder-captioner,git_base_coco"), @"exit 2, stderr: error: --with placeholder-captioner,git_base_coco: both write captions.json; call once for each, with an --out of its own");
    let ran = dir.run("perceive --images gt --out other --with git_large_coco");
    ran.says(&["microsoft/git-large-coco", "model.safetensors"]);
    assert!(ran.code == 1 && !dir.has("other"), "{ran}");
}
