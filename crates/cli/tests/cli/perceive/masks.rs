//! `--masks SEGMENTER` in `neurogauge perceive` and `neurogauge score`.

use super::observers::{images, perceive, run_record, seen};
use crate::support::*;
use neurogauge::MaskRecipe;
use neurogauge::formats::masks::read_grounded_sam;

const N_IMAGES: usize = 6;
const MODELS: &str = "--masks placeholder-segmenter --set mask_detector=placeholder-detector";
/// Every position that the placeholder examines becomes a box, and every word a label.
const ALL: &str = "--set box_threshold=0 --set text_threshold=0";
/// The placeholder examines five positions for things, and five for parts.
const N_MASKS: usize = 10 * N_IMAGES;

/// The categories of every image, except for one stem, which has `other`.
fn categories(dir: &Folder, name: &str, other: &str) {
    let of = |stem: usize| {
        let object = if stem == 2 { other } else { "dog" };
        json!({
            "foreground_objects": [{"object": object, "semantic_category": "animal", "parts": ["head", "tail"]}],
            "background_elements": [{"element": "sky", "semantic_category": "natural"}],
        })
    };
    dir.write(name, Value::Object((0..N_IMAGES).map(|stem| (stem.to_string(), of(stem))).collect()).to_string());
}

fn score(dir: &Folder, options: &str) -> Ran {
    let line = format!("score gt recon --metrics salient_iou,semantic_iou,part_iou {MODELS} {options}");
    dir.run_with_cache(&line, "cache")
}

/// Two boxes in each image, with names of COCO's categories: a person and a bus.
fn boxes(dir: &Folder) {
    for stem in 0..N_IMAGES {
        let found = json!({"labels": [0, 5], "scores": [0.9, 0.8], "bboxes": [[2.0, 3.0, 20.0, 30.0], [10.0, 5.0, 38.0, 25.0]]});
        dir.write(&format!("boxes/{stem}.json"), found.to_string());
    }
}

/// In images of 40 px, the same boxes as shares equal those in pixels.
#[test]
fn boxes_that_are_shares_are_of_each_image() {
    let dir = images(N_IMAGES, &["gt"]);
    let shares = [0.05, 0.075, 0.5, 0.75];
    let all = (0..N_IMAGES).map(|stem| (stem.to_string(), json!({"person": [shares]})));
    dir.write("boxes.json", Value::Object(all.collect()).to_string());
    for stem in 0..N_IMAGES {
        let found = json!({"labels": [0], "scores": [0.9], "bboxes": [shares]});
        dir.write(&format!("boxes/{stem}.json"), found.to_string());
    }
    let run = |boxes: &str| perceive(&dir, &format!("--boxes {boxes} --labels coco --masks placeholder-segmenter"));
    for boxes in ["boxes.json", "boxes.json --set box_units=shares", "boxes --set box_units=shares"] {
        run(boxes).done();
        let bbox = read_grounded_sam(&dir.join("out/masks/3.json")).unwrap().items[0].bbox;
        assert_eq!(bbox.edges(), [2.0, 3.0, 20.0, 30.0], "{boxes}");
    }
    let refused = ["boxes", "boxes.json --set box_units=pixels"].map(|boxes| run(boxes).to_string());
    assert_snapshot!(refused.join("\n"), @"
    exit 1, stderr: error: boxes: bboxes: all coordinates of 6 boxes are from 0.05 to 0.75, which are no pixels; --set box_units=shares reads them as shares of the image, --set box_units=pixels as they are
    exit 2, stderr: error: --boxes boxes.json: a file of boxes by category has shares of the image; expected a folder of mmdetection's JSON for boxes in pixels
    ");
}

#[test]
fn masks_are_made_of_boxes_that_are_given() {
    let dir = images(N_IMAGES, &["gt"]);
    boxes(&dir);
    let run = || perceive(&dir, "--boxes boxes --labels coco --masks placeholder-segmenter");
    let ran = run();
    assert_snapshot!(ran, @"
    exit 0, stdout: out/masks
    stderr:
    note: boxes: of 6 images, mmdetection's JSON for each image
    note: images: 6 images, files
    box-masks: masks of 6 of 6 images, 6 of them seen by the models now; 0 of 12 masks have no label (a placeholder: its masks mean nothing)
    ");
    assert_eq!((ran.code, seen(&ran)), (0, N_IMAGES));
    let masks = |stem: usize| read_grounded_sam(&dir.join(format!("out/masks/{stem}.json"))).unwrap();
    let of_three = masks(3);
    let found: Vec<_> = (of_three.items.iter()).map(|mask| (mask.name.as_str(), mask.bbox.x0, mask.bbox.y1)).collect();
    assert_eq!(found, [("person", 2.0, 30.0), ("bus", 10.0, 25.0)]);
    assert!(of_three.items.iter().all(|mask| !mask.mask.is_empty()));
    // No detector was involved.
    let recipe = dir.read("out/masks.recipe.json");
    assert!(!recipe.contains("detector"), "{recipe}");
    // When repeated, no image is observed; if a box moves, only its image is.
    assert_eq!(seen(&run()), 0);
    let moved = json!({"labels": [0], "scores": [0.9], "bboxes": [[4.0, 4.0, 30.0, 30.0]]});
    dir.write("boxes/2.json", moved.to_string());
    assert_eq!(seen(&run()), 1);
    assert_eq!(masks(2).items.len(), 1);
    dir.remove("boxes/4.json");
    assert_snapshot!(run(), @r#"exit 1, stderr: error: boxes: not found; expected boxes for every image of gt; "4" has none"#);
    assert_snapshot!(perceive(&dir, "--boxes boxes --labels coco --masks placeholder-segmenter --categories boxes"), @"
    exit 2, stderr:
    error: the argument '--boxes <PATH>' cannot be used with '--categories <PATH>'

    Usage: neurogauge perceive --out <DIR> --images <PATH> --boxes <PATH> --labels <LIST> --masks <MODEL>
    ");
}

#[test]
fn masks_are_made_once_and_anew_where_something_changed() {
    let dir = images(N_IMAGES, &["gt"]);
    categories(&dir, "categories.json", "dog");
    let perceive = |more: &str| perceive(&dir, &format!("{MODELS} --categories categories.json {more}"));
    let ran = perceive(ALL);
    assert_snapshot!(ran, @"
    exit 0, stdout: out/masks
    stderr:
    note: images: 6 images, files
    note: categories: for each stem, objects with their parts, and background
    box-masks: masks of 6 of 6 images, 6 of them seen by the models now; 0 of 60 masks have no label (a placeholder: its masks mean nothing)
    ");
    assert_eq!((ran.code, seen(&ran)), (0, N_IMAGES));
    let folder = dir.join("out/masks");
    let masks = read_grounded_sam(&folder.join("3.json")).unwrap();
    assert_eq!(masks.size_px, (40, 40));
    let names: Vec<&str> = masks.items.iter().map(|mask| mask.name.as_str()).collect();
    assert_eq!(names[..5], ["dog sky"; 5]);
    assert_eq!(names[5..], ["head tail"; 5]);
    assert!(masks.items.iter().all(|mask| !mask.mask.is_empty()));
    contains(&dir.read("out/masks/3.json"), &["3.png"]);
    contains(&dir.read("out/masks.recipe.json"), &["box-masks", "colour-boxes", "box_threshold", "1024"]);

    assert_eq!(seen(&perceive(ALL)), 0);
    // With the paper's thresholds, most boxes of a placeholder have no label.
    let default = perceive("--set box_threshold=0");
    assert_eq!((default.code, seen(&default)), (0, N_IMAGES));
    let n_unlabelled = || -> usize {
        let masks = dir.names("out/masks").into_iter().map(|file| read_grounded_sam(&folder.join(file)).unwrap());
        let unlabelled =
            |masks: neurogauge::core::Masks| masks.items.iter().filter(|mask| mask.name.is_empty()).count();
        masks.map(unlabelled).sum()
    };
    let n = n_unlabelled();
    assert!(n > 0);
    default.says(&[&format!("{n} of {N_MASKS} masks have no label")]);
    let dropped = perceive("--set box_threshold=0 --set unlabelled_boxes=drop");
    dropped.says(&[&format!("0 of {} masks have no label", N_MASKS - n)]);
    assert_eq!(n_unlabelled(), 0);
    // The categories of one image change.
    categories(&dir, "categories.json", "cat");
    assert_eq!(seen(&perceive(ALL)), 1);
    categories(&dir, "categories.json", "dog");

    // As after an interruption: finished masks are kept.
    for name in dir.names("cache/masks/box-masks").iter().step_by(2) {
        dir.remove(format!("cache/masks/box-masks/{name}"));
    }
    let again = perceive(ALL);
    assert!(seen(&again) < N_IMAGES, "{again}");
    assert_eq!(read_grounded_sam(&folder.join("3.json")).unwrap(), masks);
}

#[test]
fn masks_of_both_sides_are_planned_made_compared_and_read_back() {
    let dir = images(N_IMAGES, &["gt", "recon"]);
    categories(&dir, "categories.json", "dog");
    let of_both = "--gt categories=categories.json --recon categories=categories.json";
    let options = format!("{of_both} --set box_threshold=0 --out run");
    let plan = || score(&dir, &format!("{options} --dry-run"));
    assert_snapshot!(plan(), @"
    exit 0, stdout:
    observe
      gt/masks by box-masks, of gt/images: 6 items, 0 known
      recon/masks by box-masks, of recon/images: 6 items, 0 known
    compare 6 pairs
      salient_iou: computed, rests on a placeholder
      semantic_iou: computed, rests on a placeholder
      part_iou: computed, rests on a placeholder
    memory: about [SIZE]
    ");
    assert!(!dir.has("run"));

    score(&dir, &options).done();
    let record = run_record(&dir, "run");
    let recipe: MaskRecipe = record.recipe(ObservationKind::Masks).unwrap();
    assert!(recipe.model.stand_in && record.metrics[0].stand_in);
    assert_eq!(recipe.detector.id, "colour-boxes");
    assert!(record.models.contains(&recipe.detector) && record.models.contains(&recipe.model));
    let findings: Vec<&str> = record.findings.iter().map(|w| w.code.as_str()).collect();
    assert!(findings.contains(&"unlabelled_masks"), "{findings:?}");
    let known = format!("recon/masks by box-masks, of recon/images: {N_IMAGES} items, {N_IMAGES} known");
    assert!(plan().stdout.contains(&known), "{}", plan());
    score(&dir, &options).says(&["already finished"]);

    // Given masks have the same scores as masks made in the run.
    let masks = ["gt", "recon"].map(|side| format!("--{side} masks=run/observations/{side}/masks"));
    dir.succeed(&format!(
        "score {} {of_both} --metrics salient_iou,semantic_iou,part_iou --out given",
        masks.join(" ")
    ));
    let columns = |run: &str| dir.scores(run).columns;
    assert_eq!(columns("run"), columns("given"));

    // Reconstructions can be searched for the stimuli's categories.
    let of_stimuli = "--gt categories=categories.json --set mask_prompts=stimulus";
    score(&dir, &format!("{of_stimuli} --set box_threshold=0 --out by-stimulus")).done();
    assert_eq!(columns("by-stimulus"), columns("run"));
}

#[test]
fn an_image_that_cannot_be_read_costs_its_pair_only() {
    let dir = images(N_IMAGES, &["gt", "recon"]);
    dir.write("recon/2.png", "no picture");
    categories(&dir, "categories.json", "dog");
    let of_both = "--gt categories=categories.json --recon categories=categories.json";
    assert_snapshot!(score(&dir, &format!("{of_both} --set box_threshold=0 --out run")).messages(), @r#"
    note: image "2": [DIR]/recon/2.png: not a readable image: text that begins with "no picture"; expected a PNG, JPEG, WebP, BMP, TIFF, GIF or PPM file
    run: 6 pairs scored
    warning: stimulus masks: 5 of 6 are equal
    warning: reconstruction masks: 5 of 6 are equal
    warning: masks: 100 of 100 masks have no label, since no word of the prompt fits their box well enough; where there are categories they count at no level
    error: 1 image has no masks: recon/images "2" ([DIR]/recon/2.png: not a readable image: text that begins with "no picture"; expected a PNG, JPEG, WebP, BMP, TIFF, GIF or PPM file). All others are done; repair these and call again, with --overwrite if a file has changed
    "#);
    let outcomes = &dir.scores("run").columns[0].1;
    assert_eq!(outcomes[2].as_ref().unwrap_err().to_string(), "no masks of the reconstruction");
    assert_eq!(run_record(&dir, "run").failed(ObservationKind::Masks).count(), 1);
}

#[test]
fn a_segmenter_needs_images_categories_and_no_masks() {
    let dir = images(N_IMAGES, &["gt", "recon"]);
    categories(&dir, "categories.json", "dog");
    let table = r#"
    --masks placeholder-segmenter --set mask_detector=placeholder-detector
      exit 2, stderr: error: --masks asks each image for its categories, and the images have none (categories.json in --observations, or --gt categories=PATH and --recon categories=PATH)
    --masks placeholder-segmenter --set mask_detector=placeholder-detector --gt categories=categories.json
      exit 2, stderr: error: --masks asks each image for its categories, and the reconstructions have none (categories.json in --observations, or --gt categories=PATH and --recon categories=PATH); --set mask_prompts=stimulus asks reconstructions for the categories of their stimuli
    --masks placeholder-segmenter --set mask_detector=placeholder-detector --gt masks=gt --recon masks=recon
      exit 2, stderr: error: --masks makes masks of the images, and there are masks already ([DIR]/gt); leave one of them out
    --set mask_nms=0.5
      exit 2, stderr: error: --set mask_nms=0.5: it says how a model makes masks, and there is none
    --masks sam
      exit 2, stderr: error: --masks asks each image for its categories, and the images have none (categories.json in --observations, or --gt categories=PATH and --recon categories=PATH)
    --gt categories=categories.json --set mask_prompts=stimulus --masks sam
      exit 2, stderr: error: no model is called "sam"; did you mean "sam2_hiera_tiny"? `neurogauge list models` lists all
    "#;
    dir.refuses("score gt recon --out run", "run", table);
    let fewer = r#"{"0": {"foreground_objects": [], "background_elements": []}}"#;
    dir.write("fewer.json", fewer);
    let table = r#"
    --with sam2.1_hiera_tiny
      exit 2, stderr: error: --with sam2.1_hiera_tiny: a segmenter makes masks of boxes; ask for it with --masks sam2.1_hiera_tiny, and say what the images hold with --categories, or where with --boxes
    --masks placeholder-segmenter --set mask_detector=placeholder-detector
      exit 2, stderr: error: --masks: masks are made of what each image holds; give a folder of categories or a file of all of them (--categories PATH), or boxes (--boxes PATH)
    --masks placeholder-segmenter --set mask_detector=placeholder-detector --categories fewer.json
      exit 1, stderr: error: fewer.json: not found; expected categories for every image of gt; "1" has none
    "#;
    dir.refuses("perceive --images gt --out out", "out/masks", table);
}
