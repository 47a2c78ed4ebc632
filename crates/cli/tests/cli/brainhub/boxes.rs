//! `neurogauge ground`: numbers by hand, and boxes that are refused.

use super::measures::{measure, near, value};
use crate::support::{arg, folder, refused, scores, succeed, values, write};
use std::path::Path;

pub(crate) fn ground<'a>(reference: &'a Path, decoded: &'a Path, out: &'a Path) -> Vec<&'a str> {
    let inputs = ["ground", "--reference", arg(reference)];
    let outputs = ["--overwrite", "--out", arg(out)];
    [&inputs[..], &["--decoded", arg(decoded)], &outputs].concat()
}

#[test]
fn boxes_by_hand() {
    let dir = folder();
    let (reference, decoded, out) = (
        dir.path().join("reference.json"),
        dir.path().join("decoded.json"),
        dir.path().join("out"),
    );
    // Only the first box of a category counts; a kite and the second dog have no answer.
    write(
        &reference,
        r#"{"a": {"dog": [[0, 0, 0.5, 0.5], [0.5, 0.5, 1, 1]], "kite": [[0, 0, 1, 1]]},
            "b": {"dog": [[0, 0, 1, 0.5]], "car": [[0, 0, 1, 1]]}}"#,
    );
    write(
        &decoded,
        r#"{"b": {"car": [[[0, 0, 0.5, 0.5], [0, 0, 1, 1]]], "dog": [], "cat": [[[0, 0, 1, 1]]]},
            "a": {"dog": [[[0, 0, 0.5, 0.5]]]}}"#,
    );
    let args = ground(&reference, &decoded, &out);
    let ran = succeed(&args);
    near(value(&out, "all", "accuracy"), 0.25);
    near(value(&out, "all", "iou"), 1.25 / 4.0);
    near(value(&out, "salient", "iou"), 1.25 / 3.0);
    near(value(&out, "salient creatures", "accuracy"), 0.5);
    near(value(&out, "salient objects", "iou"), 0.25);
    near(value(&out, "inconspicuous", "iou"), 0.0);
    assert_eq!(values(&out, "all/iou"), [0.5, 0.125]);
    let missing = scores(&out).column("inconspicuous/iou").unwrap()[1].clone();
    assert!(missing.is_err());
    for part in [
        "2 categories of the reference have no decoded box",
        "1 decoded categories",
    ] {
        ran.says(&[part]);
    }
    // Two images of two boxes: without one the mean is 0.125, without the other 0.5. One degree of freedom.
    assert!(ran.stdout.contains("jackknife"), "{}", ran.stdout);
    let ends = measure(&out, "all", "iou")["interval"].clone();
    let (share, error, student) = (1.25 / 4.0, 0.1875, 12.706_204_736_432_095_f64);
    for end in [&ends[0], &ends[1]].map(|end| end.as_f64().unwrap()) {
        let distance = (end - share).abs();
        let own_error = error * (end * (1.0 - end) / (share * (1.0 - share))).sqrt();
        near(distance / own_error, student);
    }
    succeed(&[&args[..], &["--threshold", "0.2"]].concat());
    near(value(&out, "all", "accuracy"), 0.5);

    refused(
        &[&args[..], &["--threshold", "1.5"]].concat(),
        2,
        &["--threshold is 1.5"],
    );
    write(&decoded, r#"{"a": {"dog": [[[0, 0, 1, 1]]]}}"#);
    refused(&args, 1, &["pairing boxes", "b"]);
    write(&decoded, r#"{"a": {"unicorn": []}, "b": {}}"#);
    refused(&args, 1, &["decoded.json", "unicorn"]);
    write(&decoded, r#"{"a": {"dog": [[[0, 0, 7, 1]]]}, "b": {}}"#);
    refused(&args, 1, &["decoded.json", "dog", "7"]);
}
