//! `--with DETECTOR` of `neurogauge perceive`.

use super::observers::{images, perceive, seen};
use crate::support::*;
use neurogauge::core::LabelList;
use neurogauge::formats::captions;
use neurogauge::formats::detections::DetectionSource;
use neurogauge::formats::item_source::ItemSource;

/// More images than a batch.
const N_IMAGES: usize = 6;

const WITH: &str = "--with placeholder-detector";

#[test]
fn objects_are_looked_for_once_and_anew_where_something_changed() {
    let dir = images(N_IMAGES, &["gt"]);
    let out = dir.join("out");
    let perceive = |more: &str| perceive(&dir, &format!("{WITH} {more}"));
    let ran = perceive("--vis --vis-score 0.5");
    assert_snapshot!(ran, @"
    exit 0, stdout:
    out/detections
    out/vis
    stderr:
    note: images: 6 images, files
    colour-boxes: objects looked for in 6 of 6 images, 6 of them seen by the model now (a placeholder: what it finds means nothing)
    ");
    assert_eq!(seen(&ran), N_IMAGES);
    let expected: Vec<String> = (0..N_IMAGES).map(|n: usize| format!("{n}.json")).collect();
    assert_eq!(dir.names("out/detections"), expected);
    assert_eq!(dir.names("out/vis").len(), N_IMAGES);
    let drawn = read_rgb8(&out.join("vis/3.png")).unwrap();
    assert_eq!((drawn.width_px(), drawn.height_px()), (960, 960));

    let labels = LabelList::coco_gender();
    let found = DetectionSource::open(&out.join("detections"), &labels, (1.0, 1.0)).unwrap().load(3).unwrap();
    assert_eq!(found.items.len(), 300);
    assert_eq!(found.image_size_px, Some((40.0, 40.0)));
    assert!(found.is_descending() && found.items[0].score > 0.5);
    let recipe = dir.read("out/detections.recipe.json");
    contains(&recipe, &["colour-boxes", "\"spaces\"", "\"most\": 300", "\"longer_px\": 1333", "\"man\""]);

    // A placeholder has no weights, so it is the same model on any device.
    assert_eq!([seen(&perceive("")), seen(&perceive("--device cpu-f64"))], [0, 0]);
    for other in ["--set prompt_names=underscores", "--labels coco --set max_detections=7"] {
        let ran = perceive(other);
        assert_eq!((ran.code, seen(&ran)), (0, N_IMAGES), "{ran}");
    }
    dir.picture("gt/3.png", "another", 40, 60.0);
    dir.remove("gt/5.png");
    assert_eq!(seen(&perceive("--vis")), 1);
    assert_eq!(dir.names("out/detections"), expected[..5]);
    assert_eq!(dir.names("out/vis").len(), 5);

    // As after an interruption: finished observations are kept.
    for name in dir.names("cache/detections/colour-boxes").iter().step_by(2) {
        dir.remove(format!("cache/detections/colour-boxes/{name}"));
    }
    let again = perceive("");
    assert!((1..5).contains(&seen(&again)), "{again}");
}

#[test]
fn an_image_that_cannot_be_read_is_named_and_the_others_go_on() {
    let dir = images(N_IMAGES, &["gt"]);
    dir.write("gt/4.png", "no picture");
    assert_snapshot!(perceive(&dir, &format!("{WITH} --vis")), @r#"
    exit 1, stdout:
    out/detections
    out/vis
    stderr:
    note: image "4": gt/4.png: not a readable image: text that begins with "no picture"; expected a PNG, JPEG, WebP, BMP, TIFF, GIF or PPM file
    note: images: 6 images, files
    colour-boxes: objects looked for in 5 of 6 images, 6 of them seen by the model now (a placeholder: what it finds means nothing)
    error: 1 image has no detections: images "4" (gt/4.png: not a readable image: text that begins with "no picture"; expected a PNG, JPEG, WebP, BMP, TIFF, GIF or PPM file). All others are done; repair these and call again
    "#);
    for kind in ["out/detections", "out/vis"] {
        assert_eq!(dir.names(kind).len(), N_IMAGES - 1);
    }
    dir.picture("gt/4.png", "gt4", 40, 60.0);
    let ran = perceive(&dir, WITH);
    assert_eq!((ran.code, seen(&ran)), (0, 1));
}

#[test]
fn the_official_layout_is_what_seed_s_code_reads() {
    let dir = images(N_IMAGES, &["gt"]);
    perceive(&dir, "--with placeholder-detector,placeholder-captioner --layout official --vis").done();
    let out = dir.join("out");
    let names = dir.names("out");
    // Files stored by content are in the cache.
    assert_eq!(names[..2], ["captions.npy", "captions.recipe.json"]);
    assert_eq!(names[2..], ["detections.recipe.json", "preds", "vis", "vis.recipe.json"]);
    assert_eq!(DetectionSource::open(&out, &LabelList::coco_gender(), (1.0, 1.0)).unwrap().stems().len(), N_IMAGES);
    let texts = captions::read(&out.join("captions.npy")).unwrap();
    assert_eq!((texts.len(), texts[2].0.as_str()), (N_IMAGES, "2"));
}

#[test]
fn somebody_else_s_detections_and_contradictions_are_refused() {
    let dir = images(N_IMAGES, &["gt"]);
    dir.write("out/detections/0.json", "mine");
    assert_snapshot!(perceive(&dir, WITH), @"exit 1, stderr: error: out/detections: not written by neurogauge (it has no detections.recipe.json beside it), so it is not replaced; choose another --out or move it");
    assert_eq!(dir.read("out/detections/0.json"), "mine");
    let table = r#"
    placeholder-detector:grid4
      exit 2, stderr: error: --with placeholder-detector: a detector has no layers to ask for; write placeholder-detector alone
    placeholder-detector,placeholder-detector
      exit 2, stderr: error: --with placeholder-detector,placeholder-detector: both write detections/; call once for each, with an --out of its own
    placeholder --vis
      exit 2, stderr: error: --labels and --vis say what a detector looks for and what is drawn, and --with names none
    placeholder-captioner --labels coco
      exit 2, stderr: error: --labels and --vis say what a detector looks for and what is drawn, and --with names none
    placeholder --layout official
      exit 2, stderr: error: --layout says how captions and detections are written, and --with names neither a captioner nor a detector
    placeholder-detector --set caption_beams=2
      exit 2, stderr: error: --set caption_beams=2: it says how a captioner writes, and there is none
    placeholder-detector --vis-score 0.5
      exit 2, stderr:
      error: the following required arguments were not provided:
        --vis

      Usage: neurogauge perceive --out <DIR> --vis --images <PATH> --with <MODEL[:LAYER[:POOLING]],...> --vis-score <SCORE>
    placeholder-detectr
      exit 2, stderr: error: no model is called "placeholder-detectr"; known models: alexnet, inception_v3, efficientnet_b1, efficientnet_b1_v1, resnet18, resnet50, resnet50_v1, vgg16, vit_b_16, convnext_tiny, swin_t, swav_resnet50, dino_resnet50, robust_resnet50, clip_vit_l_14, clip_vit_l_14_hf, clip_vit_b_16, clip_vit_b_32, clip_rn50, siglip2_vit_so400m_14, siglip2_vit_so400m_16, siglip2_vit_so400m_16_gap, siglip2_vit_b_16, dfn_clip_vit_l_14, mobileclip2_vit_b, pe_core_vit_b_16, pe_core_vit_l_14_336, dinov2_vit_b_14, dinov3_vit_b_16, videomae_vit_b_16, dreamsim, dreamsim_dino_vit_b_16, dreamsim_clip_vit_b_32, dreamsim_open_clip_vit_b_32, placeholder; and MODEL-untrained-SEED for random weights
    "#;
    dir.refuses("perceive --images gt --out other --with", "other", table);
}

#[test]
fn somebody_else_s_pictures_stay() {
    let dir = images(N_IMAGES, &["gt"]);
    let with = format!("{WITH} --vis");
    dir.write("out/vis/mine.png", "mine");
    assert_eq!(perceive(&dir, &with).code, 0);
    dir.remove("gt/5.png");
    assert_eq!(perceive(&dir, &with).code, 0);
    assert_eq!(dir.names("out/vis"), ["0.png", "1.png", "2.png", "3.png", "4.png", "mine.png"]);
    assert_eq!(dir.read("out/vis/mine.png"), "mine");

    // A file is at a drawing's path, so no image is observed.
    pictures(&dir.join("gt"), "gt", N_IMAGES, 40, 60.0);
    dir.write("out/vis/5.png", "mine");
    assert_snapshot!(perceive(&dir, &with), @"exit 1, stderr: error: out/vis/5.png: not written by neurogauge (it has no entry in vis.recipe.json beside it), so it is not replaced; choose another --out or move it");
    assert_eq!(dir.read("out/vis/5.png"), "mine");
    dir.remove("out/vis/5.png");
    assert_eq!(perceive(&dir, &with).code, 0);
    assert_eq!(dir.names("out/vis").len(), N_IMAGES + 1);
}
