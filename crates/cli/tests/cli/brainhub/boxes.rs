//! `neurogauge score boxes`: results computed by hand, and refused boxes.

use super::measures::{measure, near, value};
use crate::support::*;

#[test]
fn boxes_by_hand() {
    let dir = folder();
    let out = dir.join("out");
    let ground = "score boxes reference.json decoded.json --out out --overwrite";
    // Only the first box of a category counts; a kite and the second dog have no counterpart.
    dir.write(
        "reference.json",
        r#"{"a": {"dog": [[0, 0, 0.5, 0.5], [0.5, 0.5, 1, 1]], "kite": [[0, 0, 1, 1]]},
            "b": {"dog": [[0, 0, 1, 0.5]], "car": [[0, 0, 1, 1]]}}"#,
    );
    dir.write(
        "decoded.json",
        r#"{"b": {"car": [[[0, 0, 0.5, 0.5], [0, 0, 1, 1]]], "dog": [], "cat": [[[0, 0, 1, 1]]]},
            "a": {"dog": [[[0, 0, 0.5, 0.5]]]}}"#,
    );
    // A regression snapshot of the table and its notes.
    assert_snapshot!(dir.succeed(ground), @"
    exit 0, stdout:
    Brain grounding: 2 images

    categories         boxes             accuracy                  IoU
    all                    4  25.00 [0.12, 98.97]  31.25 [0.36, 98.27]
    salient                3  33.33 [0.06, 99.76]  41.67 [0.14, 99.73]
    salient creatures      2  50.00 [0.15, 99.85]  50.00 [0.15, 99.85]
    salient objects        1                 0.00                25.00
    inconspicuous          1                 0.00                 0.00

    All values times 100, as BrainHub prints them (the files hold them as they are); 95% intervals for new images (jackknife over images, each with all its boxes).
    stderr:
    warning: grounding: 2 categories of the reference have no decoded box and count with IoU 0
    warning: grounding: 1 decoded categories are not in the reference of their image and do not count
    out: 2 images scored
    ");
    near(value(&out, "all", "accuracy"), 0.25);
    near(value(&out, "all", "iou"), 1.25 / 4.0);
    near(value(&out, "salient", "iou"), 1.25 / 3.0);
    near(value(&out, "salient creatures", "accuracy"), 0.5);
    near(value(&out, "salient objects", "iou"), 0.25);
    near(value(&out, "inconspicuous", "iou"), 0.0);
    assert_eq!(dir.values(&out, "all/iou"), [0.5, 0.125]);
    assert!(dir.scores(&out).column("inconspicuous/iou").unwrap()[1].clone().is_err());
    // Two images with two boxes each: without one image the mean is 0.125, without the other 0.5. There is one degree
    // of freedom.
    let ends = measure(&out, "all", "iou")["interval"].clone();
    let (share, error, student) = (1.25 / 4.0, 0.1875, 12.706_204_736_432_095_f64);
    for end in [&ends[0], &ends[1]].map(|end| end.number()) {
        let distance = (end - share).abs();
        let own_error = error * (end * (1.0 - end) / (share * (1.0 - share))).sqrt();
        near(distance / own_error, student);
    }
    dir.succeed(&format!("{ground} --threshold 0.2"));
    near(value(&out, "all", "accuracy"), 0.5);

    assert_snapshot!(dir.run(&format!("{ground} --threshold 1.5")), @"exit 2, stderr: error: --threshold is 1.5; expected an intersection over union from 0 to below 1");
    let said = [
        r#"{"a": {"dog": [[[0, 0, 1, 1]]]}}"#,
        r#"{"a": {"unicorn": []}, "b": {}}"#,
        r#"{"a": {"dog": [[[0, 0, 7, 1]]]}, "b": {}}"#,
    ]
    .map(|decoded| {
        dir.write("decoded.json", decoded);
        format!("{}\n", dir.run(ground))
    });
    dir.write("decoded.json", r#"{"a.png": {"dog": [[[0, 0, 1, 1]]]}}"#);
    let shared = dir.succeed(&format!("{ground} --pairs shared"));
    for said in [
        "gt boxes: 1 of 2 have no partner on the other side and are left out: b",
        "boxes: 1 of 2 by name without folder and ending",
    ] {
        assert!(shared.stderr.contains(said), "{shared}");
    }
    assert_snapshot!(said.concat(), @r#"
    exit 1, stderr: error: pairing boxes: 1 of the gt stems has no partner among the recon stems: b; every stem must be on both sides; --pairs shared scores the 1 on both sides (gt: reference.json, recon: decoded.json)
    exit 1, stderr: error: decoded.json: stimulus "a": category "unicorn" is not in the label list "coco"; choose another with --labels
    exit 1, stderr: error: decoded.json: stimulus "a", "dog": coordinate 7; expected shares of the image, 0 to 1 (boxes in pixels belong into mmdetection's form, one file per image)
    "#);
}
