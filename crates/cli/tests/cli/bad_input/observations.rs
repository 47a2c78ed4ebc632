//! Observations that are refused: the message names the file and the place, and nothing panics.

use crate::support::observations::{damage_refused, observations_refused, write_features};
use crate::support::{arg, folder, refused, succeed, values, write};
use neurogauge::formats::npy;
use std::fs;

/// Detections of one object, with these three lists.
fn mmdet(labels: &str, scores: &str, bboxes: &str) -> Vec<u8> {
    format!(r#"{{"labels": [{labels}], "scores": [{scores}], "bboxes": [{bboxes}]}}"#).into_bytes()
}

const DETECTIONS: &str = "recon/detections/2.json";

#[test]
fn json_that_does_not_parse_or_lacks_something() {
    observations_refused(
        DETECTIONS,
        b"{\n  \"labels\": [1, 2],\n  \"scores\": [0.9 0.8]\n}",
        &["2.json:3:18:", "expected `,` or `]`"],
    );
    observations_refused(DETECTIONS, b"", &["2.json:1:1:", "EOF"]);
    observations_refused(DETECTIONS, b"[]", &["expected an object"]);
    observations_refused(DETECTIONS, b"{\"labels\": []}", &["missing field `scores`"]);
    observations_refused(
        DETECTIONS,
        &mmdet("1", "0.5, 0.4", "[0, 0, 9, 9]"),
        &["1, 2 and 1 entries"],
    );
    observations_refused(
        DETECTIONS,
        &mmdet("1", "0.5", "[0, 0, 9]"),
        &["2.json:1:", "4 numbers"],
    );
    observations_refused(DETECTIONS, b"\xff\xfe\x00\x01", &["2.json:1:1:"]);
    observations_refused("gt/captions.json", b"{\"1\": 7}", &["captions.json:1:7:"]);
    observations_refused("gt/captions.json", b"{}", &["no caption in it"]);
    observations_refused(
        "gt/captions.json",
        b"{\"1\": \"a\", \"1\": \"b\"}",
        &["captions.json:1:", "\"1\""],
    );
}

#[test]
fn detections_that_make_no_sense() {
    let sound = "[0, 0, 9, 9]";
    observations_refused(
        DETECTIONS,
        &mmdet("0, 82", "0.5, 0.4", &[sound, sound].join(", ")),
        &[
            "labels[1] is 82",
            "\"coco_gender\" has 82 names (0 to 81)",
            "--labels",
        ],
    );
    observations_refused(DETECTIONS, &mmdet("-1", "0.5", sound), &["labels[0] is -1"]);
    observations_refused(
        DETECTIONS,
        &mmdet("\"unicorn\"", "0.5", sound),
        &["labels[0]", "\"unicorn\"", "--labels"],
    );
    for score in ["1.5", "-0.1"] {
        observations_refused(
            DETECTIONS,
            &mmdet("1", score, sound),
            &[&format!("scores[0] is {score}"), "between 0 and 1"],
        );
    }
    observations_refused(
        DETECTIONS,
        &mmdet("1", "0.5", "[0, 0, 1e999, 9]"),
        &["2.json:1:", "number out of range"],
    );
}

/// As SEED's code has it: a box with one inverted axis has a negative area and is too small, one with both counts.
#[test]
fn an_inverted_box_is_named_and_the_run_goes_on() {
    let dir = folder();
    let of = |side: &str| dir.path().join(side);
    let (gt, recon, run) = (of("gt"), of("recon"), of("run"));
    let (sound, one_axis, both) = ("[0, 0, 20, 20]", "[90, 0, 30, 90]", "[90, 90, 30, 30]");
    for (side, stem, labels, boxes) in [
        (&gt, "1", "1", sound),
        (&recon, "1", "1, 2", &format!("{sound}, {one_axis}")),
        (&gt, "2", "1", sound),
        (&recon, "2", "1, 2", &format!("{sound}, {both}")),
    ] {
        let scores = if labels == "1" { "0.9" } else { "0.9, 0.9" };
        fs::create_dir_all(side).unwrap();
        fs::write(
            side.join(format!("{stem}.json")),
            mmdet(labels, scores, boxes),
        )
        .unwrap();
    }
    let inputs = [
        "--gt-detections",
        arg(&gt),
        "--recon-detections",
        arg(&recon),
    ];
    let metrics = ["--metrics", "object_precision", "--out", arg(&run)];
    let said = succeed(&[&["score"][..], &inputs, &metrics].concat()).stdout;
    for named in [
        "1.json: bboxes[1] is [90.0, 0.0, 30.0, 90.0]",
        "2.json: bboxes[1] is [90.0, 90.0, 30.0, 30.0]",
    ] {
        assert!(said.contains(named), "{said}");
    }
    assert_eq!(values(&run, "object_precision"), [1.0, 0.5]);
}

#[test]
fn features_that_do_not_fit() {
    let (matrix, ids) = (
        "recon/features/efficientnet_b1.npy",
        "recon/features/ids.json",
    );
    damage_refused(
        |root| npy::write_f32(&root.join(matrix), &[9], &[0.5; 9]).unwrap(),
        &[matrix, "shape [9]", "(images, features)"],
    );
    damage_refused(
        |root| {
            let mut values = [0.5; 9];
            values[5] = f32::NAN;
            npy::write_f32(&root.join(matrix), &[3, 3], &values).unwrap();
        },
        &[matrix, "row 1, column 2 is NaN"],
    );
    damage_refused(
        |root| npy::write_f32(&root.join(matrix), &[3, 2], &[0.5; 6]).unwrap(),
        &[matrix, "3 features per row for the stimuli and 2"],
    );
    observations_refused(ids, b"[\"1\", \"2\"]", &["2 ids for 3 rows"]);
    observations_refused(
        ids,
        b"[\"1\", \"2\", \"2\"]",
        &["id 2", "\"2\" is id 1 already"],
    );
    observations_refused(
        ids,
        b"[\"1\", \"2\", \"3\"]",
        &["pairing features", "no partner", "10;"],
    );
    damage_refused(
        |root| fs::remove_file(root.join(ids)).unwrap(),
        &[ids, "not found", "order of the rows"],
    );
    observations_refused(matrix, b"PK", &["not a .npy file"]);
}

#[test]
fn a_folder_of_detections_without_any_and_a_stem_without_partner() {
    damage_refused(
        |root| {
            for stem in ["1", "2", "10"] {
                fs::remove_file(root.join(format!("gt/detections/{stem}.json"))).unwrap();
            }
        },
        &["gt/detections: the folder holds no detections"],
    );
    damage_refused(
        |root| fs::remove_file(root.join(DETECTIONS)).unwrap(),
        &[
            "pairing detections",
            "1 of the gt stems",
            "2;",
            "recon/detections",
        ],
    );
    damage_refused(
        |root| {
            let rows = [("1", [1.0, 2.0, 3.0])];
            fs::remove_dir_all(root.join("gt/features")).unwrap();
            write_features(&root.join("gt"), "efficientnet_b1", &rows);
        },
        &["pairing features", "2 of the recon stems", "2, 10;"],
    );
}

#[test]
fn boxes_by_category_that_make_no_sense() {
    let dir = folder();
    let (boxes, run) = (dir.path().join("boxes.json"), dir.path().join("run"));
    let file = arg(&boxes);
    for (content, parts) in [
        (
            r#"{"1": {"unicorn": [[0, 0, 1, 1]]}}"#,
            ["\"1\"", "unicorn"],
        ),
        (r#"{"1": {"dog": [[0, 0, 1]]}}"#, ["\"1\"", "dog"]),
        (r#"{"1": ["dog"]}"#, [":1:", "boxes.json"]),
        ("{}", ["no stimulus", "boxes.json"]),
    ] {
        write(&boxes, content);
        let inputs = ["score", "--gt-detections", file, "--recon-detections", file];
        refused(&[&inputs[..], &["--out", arg(&run)]].concat(), 1, &parts);
    }
    // An inverted box does not end a run, but has no overlap that `neurogauge ground` could measure.
    write(&boxes, r#"{"1": {"dog": [[0.9, 0, 0.1, 1]]}}"#);
    let inputs = ["score", "--gt-detections", file, "--recon-detections", file];
    let said = succeed(&[&inputs[..], &["--out", arg(&run)]].concat()).stdout;
    assert!(
        said.contains("boxes.json: stimulus \"1\", \"dog\" is ["),
        "{said}"
    );
    let inputs = ["ground", "--reference", file, "--decoded", file];
    let inputs = [&inputs[..], &["--out", arg(&run)]].concat();
    refused(&inputs, 1, &["stimulus \"1\", \"dog\"", "left <= right"]);
}
