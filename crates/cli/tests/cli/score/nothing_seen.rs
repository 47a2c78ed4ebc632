//! Empty sides, and boxes that cannot have the given units: always reported, never silently counted.

use crate::support::*;

const DETECTIONS: &str = "score --gt detections=gt --recon detections=recon --overwrite --out run";

/// Four pairs without a common object, with this box and score.
fn detections(bbox: [f64; 4], score: f64) -> Folder {
    let dir = folder();
    for stem in 0..4 {
        // No two images have equal detections.
        let own = score - f64::from(stem) / 1000.0;
        for (side, label) in [("gt", "dog"), ("recon", "car")] {
            let file = json!({"labels": [label], "scores": [own], "bboxes": [bbox]});
            dir.write(&format!("{side}/{stem}.json"), file.to_string());
        }
    }
    dir
}

#[test]
fn boxes_that_cannot_be_pixels_are_refused_with_the_option_that_decides() {
    let dir = detections([0.1, 0.1, 0.5, 0.6], 0.9);
    dir.run(&format!("{DETECTIONS} --metrics object_f1")).exits(1).says(&[
        "from 0.1 to 0.6, which are no pixels",
        "--set box_units=shares",
        "--set box_units=pixels",
    ]);
    dir.succeed(&format!("{DETECTIONS} --metrics object_f1 --set box_units=shares"));
    assert_eq!(dir.values("run", "object_f1"), [0.0; 4]);
    assert_eq!(codes(&dir.record("run")["findings"]), [""; 0]);
    // As pixels, all are below 50 px², and SEED's code counts 1.
    dir.succeed(&format!("{DETECTIONS} --metrics object_f1 --set box_units=pixels")).says(&[
        "8 of 8 boxes are smaller than 50 px² and do not count",
        "Object F1: 4 of 4 pairs have nothing on either side and count 1",
    ]);
    assert_eq!(dir.values("run", "object_f1"), [1.0; 4]);
    // One side is enough.
    for stem in 0..4 {
        dir.write(
            &format!("gt/{stem}.json"),
            r#"{"labels": ["dog"], "scores": [0.9], "bboxes": [[10, 10, 200, 220]]}"#,
        );
    }
    dir.run(&format!("{DETECTIONS} --metrics object_f1")).exits(1);
}

#[test]
fn boxes_far_outside_their_images_are_refused() {
    // Boxes of models that write thousandths of the image.
    let dir = detections([100.0, 100.0, 900.0, 950.0], 0.9);
    for side in ["a", "b"] {
        pictures(&dir.join(side), side, 4, 64, 60.0);
    }
    let score = format!("{DETECTIONS} --gt a --recon b --metrics ssim,object_f1");
    dir.run(&score)
        .exits(1)
        .says(&["lies far outside the image of 64 x 64 px", "--set box_units=pixels"]);
    dir.succeed(&format!("{score} --set box_units=pixels"));
    assert_eq!(dir.values("run", "object_f1"), [0.0; 4]);
}

/// For each metric with a rule for empty sides: how many pairs it affected, and their score.
#[test]
fn pairs_that_count_by_a_rule_for_empty_sides_are_counted() {
    let below = || detections([0.0, 0.0, 50.0, 50.0], 0.04);
    let empty = || {
        let dir = folder();
        for (side, stem) in [("gt", 0), ("gt", 1), ("recon", 0), ("recon", 1)] {
            dir.write(&format!("{side}/{stem}.json"), r#"{"labels": [], "scores": [], "bboxes": []}"#);
        }
        dir
    };
    let one_side = || {
        let dir = detections([0.0, 0.0, 50.0, 50.0], 0.9);
        dir.write("recon/1.json", r#"{"labels": [], "scores": [], "bboxes": []}"#);
        dir
    };
    let names = |gt: &str, recon: &str| {
        let dir = folder();
        dir.write("gt.json", gt);
        dir.write("recon.json", recon);
        dir
    };
    let said = |dir: Folder, line: &str, words: &[&str]| {
        let ran = dir.succeed(line);
        ran.says(words);
        assert!(codes(&dir.record("run")["findings"]).contains(&"nothing_seen"), "{ran}");
    };
    let objects = format!("{DETECTIONS} --metrics object_recall,object_precision,object_f1");
    let all = "Object Recall, Object Precision, Object F1: 4 of 4 pairs have nothing on either side and count 1";
    said(below(), &objects, &[all]);
    let of_empty = [
        "Object F1: 2 of 2 pairs have nothing on either side and count 1",
        "stimulus detections: 2 of 2 are empty",
        "reconstruction detections: 2 of 2 are empty",
    ];
    said(empty(), &objects, &of_empty);
    let of_one_side = [
        "Object F1: 1 of 4 pairs have nothing in the reconstruction and count 0",
        "Object Precision: 1 of 4 pairs have nothing in the reconstruction and count 1",
    ];
    said(one_side(), &objects, &of_one_side);
    let no_names = names(r#"{"a": [], "b": ["dog"]}"#, r#"{"a": [], "b": ["dog"]}"#);
    let vlm = "score --gt vlm-categories=gt.json --recon vlm-categories=recon.json --out run --metrics object_f1_vlm";
    said(no_names, vlm, &["Object F1 (VLM): 1 of 2 pairs have nothing on either side and count 1"]);
    let blank = names(r#"{"a": "a dog", "b": " "}"#, r#"{"a": "", "b": ""}"#);
    let words = "score --gt captions=gt.json --recon captions=recon.json --out run --metrics rouge_l,bleu_1";
    let of_blank = [
        "1 of 2 pairs have nothing in the reconstruction and count",
        "1 of 2 pairs have nothing on either side and count",
        "reconstruction captions: 2 of 2 are empty",
    ];
    said(blank, words, &of_blank);
    // Without such a rule, there is no message.
    let dir = empty();
    dir.succeed(&format!("{objects} --preset exact"));
    assert!(!codes(&dir.record("run")["findings"]).contains(&"nothing_seen"));
}

#[test]
fn inputs_that_say_the_same_of_most_items_are_named() {
    let dir = folder();
    let same = r#"{"1": "a photo", "2": "a photo", "3": "a photo", "4": "a cat"}"#;
    dir.write("gt.json", r#"{"1": "a dog", "2": "a boat", "3": "a bus", "4": "a cat"}"#);
    dir.write("recon.json", same);
    let ran = dir.succeed("score --gt captions=gt.json --recon captions=recon.json --metrics rouge_l --out run");
    ran.says(&["reconstruction captions: 3 of 4 are equal"]);
    assert_eq!(codes(&dir.record("run")["findings"]), ["mostly_equal"]);
}
