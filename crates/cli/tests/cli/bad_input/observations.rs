//! Refused observations: the message names the file and the position, and nothing panics.

use crate::support::*;

/// Detections of one image, with these three lists.
fn mmdet(labels: &str, scores: &str, bboxes: &str) -> String {
    format!(r#"{{"labels": [{labels}], "scores": [{scores}], "bboxes": [{bboxes}]}}"#)
}

const DETECTIONS: &str = "recon/detections/2.json";

#[test]
fn json_that_does_not_parse_or_lacks_something() {
    let detections = |content: &'static str| move |dir: &Folder| dir.write(DETECTIONS, content);
    let captions = |content: &'static str| move |dir: &Folder| dir.write("gt/captions.json", content);
    assert_snapshot!(refusals_of(&[
        &detections("{\n  \"labels\": [1, 2],\n  \"scores\": [0.9 0.8]\n}"),
        &detections(""),
        &detections("{\"labels\": []}"),
        &|dir| dir.write(DETECTIONS, b"\xff\xfe\x00\x01"),
        &captions("{\"1\": \"a\", \"1\": \"b\"}"),
    ]), @r#"
    exit 1, stderr: error: [DIR]/recon/detections/2.json:3:18: a comma or `]` is missing; expected the objects in an image, {"labels": [16], "scores": [0.9], "bboxes": [[left, top, right, bottom]]}
    exit 1, stderr: error: [DIR]/recon/detections/2.json:1:1: the file is empty; expected the objects in an image, {"labels": [16], "scores": [0.9], "bboxes": [[left, top, right, bottom]]}
    exit 1, stderr: error: [DIR]/recon/detections/2.json:1:14: no key `scores`; expected the objects in an image, {"labels": [16], "scores": [0.9], "bboxes": [[left, top, right, bottom]]}
    exit 1, stderr: error: [DIR]/recon/detections/2.json:1:1: the file is in UTF-16; save the file as UTF-8 without a byte-order mark
    exit 1, stderr: error: [DIR]/gt/captions.json:1:14: the key "1" occurs twice; expected captions: JSON such as {"0001": "a dog on a beach"}, or a table such as the lines "image,caption" and "0001,a dog on a beach"
    "#);
}

#[test]
fn detections_that_make_no_sense() {
    let sound = "[0, 0, 9, 9]";
    let of = |labels, scores, boxes| move |dir: &Folder| dir.write(DETECTIONS, mmdet(labels, scores, boxes));
    assert_snapshot!(refusals_of(&[
        &of("\"unicorn\"", "0.5", sound),
        &of("1", "1.5", sound),
    ]), @r#"
    exit 1, stderr: error: [DIR]/recon/detections/2.json: labels[0]: category "unicorn" is not in the label list "coco_gender"; choose another with --labels
    exit 1, stderr: error: [DIR]/recon/detections/2.json: scores[0] is 1.5; expected a score between 0 and 1
    "#);
}

/// As in SEED's code, a box with one inverted axis has a negative area and is too small, and one with two inverted axes
/// counts.
#[test]
fn an_inverted_box_is_named_and_the_run_goes_on() {
    let dir = folder();
    let (sound, one_axis, both) = ("[0, 0, 20, 20]", "[90, 0, 30, 90]", "[90, 90, 30, 30]");
    for (stem, inverted) in [("1", one_axis), ("2", both)] {
        dir.write(&format!("gt/{stem}.json"), mmdet("1", "0.9", sound));
        dir.write(&format!("recon/{stem}.json"), mmdet("1, 2", "0.9, 0.9", &format!("{sound}, {inverted}")));
    }
    let ran = dir.succeed("score --gt detections=gt --recon detections=recon --metrics object_precision --out run");
    assert_snapshot!(lines_with(&ran.stdout.replace(arg(dir.path()), "[DIR]"), &["detections:"]), @"
    detections: labels are numbers without names (1 (4), 2 (2)), and are compared as numbers; --labels says what they mean
    detections: inverted boxes (a box is [left, top, right, bottom]): [DIR]/recon/1.json: bboxes[1] is [90.0, 0.0, 30.0, 90.0], [DIR]/recon/2.json: bboxes[1] is [90.0, 90.0, 30.0, 30.0]; as in SEED's code, such a box does not count unless both axes are inverted, which makes its area positive
    ");
    ran.says(&["warning: detections: inverted boxes (a box is [left, top, right, bottom])"]);
    assert_eq!(dir.values("run", "object_precision"), [1.0, 0.5]);
}

#[test]
fn features_that_do_not_fit() {
    const MATRIX: &str = "recon/features/efficientnet_b1.npy";
    const IDS: &str = "recon/features/ids.json";
    let matrix = |shape: &'static [u64], values: [f32; 9]| {
        let n = shape.iter().product::<u64>() as usize;
        move |dir: &Folder| write_f32(&dir.join(MATRIX), shape, &values[..n]).unwrap()
    };
    let mut one_is_nan = [0.5; 9];
    one_is_nan[5] = f32::NAN;
    assert_snapshot!(refusals_of(&[
        &matrix(&[9], [0.5; 9]),
        &matrix(&[3, 3], one_is_nan),
        &matrix(&[3, 2], [0.5; 9]),
        &|dir| dir.write(IDS, r#"["1", "2"]"#),
        &|dir| dir.write(IDS, r#"["1", "2", "2"]"#),
        &|dir| dir.write(IDS, r#"["1", "2", "3"]"#),
        &|dir| dir.remove(IDS),
        &|dir| dir.write(MATRIX, "PK"),
    ]), @r#"
    exit 1, stderr: error: [DIR]/recon/features/efficientnet_b1.npy: an array of shape [9]; expected (images, features), at least one of each
    exit 1, stderr: error: [DIR]/recon/features/efficientnet_b1.npy: row 1, column 2 is NaN; expected a finite number
    exit 1, stderr: error: [DIR]/recon/features/efficientnet_b1.npy: 3 features per row for the stimuli and 2 for the reconstructions; both must come from the same model and layer
    exit 1, stderr: error: [DIR]/recon/features/ids.json: 2 ids for 3 rows; expected one id per row
    exit 1, stderr: error: [DIR]/recon/features/ids.json: id 2: "2" is id 1 already; ids are unique
    exit 1, stderr: error: pairing features: 1 of the gt stems has no partner among the recon stems: 10; every stem must be on both sides; the recon stems without a partner are 3; --pairs shared scores the 2 on both sides (gt: [DIR]/gt/features/ids.json, recon: [DIR]/recon/features/ids.json)
    exit 1, stderr: error: [DIR]/recon/features/ids.json: not found; expected a JSON list with the stem of the image of each row of efficientnet_b1.npy, in the order of the rows (which cannot be guessed), e.g. ["0", "1"]
    exit 1, stderr: error: [DIR]/recon/features/efficientnet_b1.npy: not a .npy file (it should begin with \x93NUMPY)
    "#);
}

#[test]
fn a_folder_of_detections_without_any_and_a_stem_without_partner() {
    assert_snapshot!(refusals_of(&[
        &|dir| {
            for stem in ["1", "2", "10"] {
                dir.remove(format!("gt/detections/{stem}.json"));
            }
        },
        &|dir| dir.remove(DETECTIONS),
        &|dir| {
            dir.remove("gt/features");
            write_features(&dir.join("gt"), "efficientnet_b1", &[("1", [1.0, 2.0, 3.0])]);
        },
    ]), @"
    exit 1, stderr: error: [DIR]/gt/detections: the folder holds no detections (<stem>.json, there or in a subfolder preds/, or YOLO's <stem>.txt)
    exit 1, stderr: error: pairing detections: 1 of the gt stems has no partner among the recon stems: 2; every stem must be on both sides; --pairs shared scores the 2 on both sides (gt: [DIR]/gt/detections, recon: [DIR]/recon/detections)
    exit 1, stderr: error: pairing features: 2 of the recon stems have no partner among the gt stems: 2, 10; every stem must be on both sides; --pairs shared scores the 1 on both sides (gt: [DIR]/gt/features/ids.json, recon: [DIR]/recon/features/ids.json)
    ");
}

#[test]
fn boxes_by_category_that_make_no_sense() {
    let dir = folder();
    let score = "score --gt detections=boxes.json --recon detections=boxes.json --out run -q";
    dir.write("boxes.json", r#"{"1": {"unicorn": [[0, 0, 1, 1]]}}"#);
    assert_snapshot!(dir.run(score), @r#"exit 1, stderr: error: [DIR]/boxes.json: stimulus "1": category "unicorn" is not in the label list "coco_gender"; choose another with --labels"#);
    // An inverted box does not end a run, but `neurogauge score boxes` cannot measure its overlap.
    dir.write("boxes.json", r#"{"1": {"dog": [[0.9, 0, 0.1, 1]]}}"#);
    let ran = dir.succeed(score).to_string();
    assert_snapshot!(lines_with(&ran, &["Object F1 ↑", "inverted", "either side"]), @r#"
      Object F1 ↑         1.000  -                        1          0
    detections: inverted boxes (a box is [left, top, right, bottom]): [DIR]/boxes.json: stimulus "1", "dog" is [382.5, 0.0, 42.5, 425.0], [DIR]/boxes.json: stimulus "1", "dog" is [382.5, 0.0, 42.5, 425.0]; as in SEED's code, such a box does not count unless both axes are inverted, which makes its area positive
    Object Recall, Object Precision, Object F1: 1 of 1 pairs have nothing on either side and count 1
    "#);
    assert_snapshot!(dir.run("score boxes boxes.json boxes.json --out run"), @r#"exit 1, stderr: error: boxes.json: stimulus "1", "dog" is [0.9, 0, 0.1, 1]; a box is [left, top, right, bottom] with left <= right and top <= bottom"#);
}
