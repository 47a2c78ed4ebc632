//! mmdetection's JSON against files from Python, and hostile files.

use crate::prelude::*;
use neurogauge_formats::detections::write_mmdet;

/// The same as `detections` in the reference script.
fn synthetic(name: &str, n: u64) -> Vec<Detection> {
    let corners = Synthetic::new(&format!("{name}/corners"), 0);
    let labels = Synthetic::new(&format!("{name}/labels"), 0);
    let scores = Synthetic::new(&format!("{name}/scores"), 0);
    let mut scores: Vec<f32> = (0..n).map(|index| scores.uniform(index)).collect();
    scores.sort_by(|a, b| b.total_cmp(a));
    (0..n)
        .map(|index| {
            let corner = |edge| corners.uniform(4 * index + edge) * 212.5;
            Detection {
                category: (labels.bits(index) % 82) as usize,
                score: f64::from(scores[index as usize]),
                bbox: BoxXyxy::of([corner(0), corner(1), 212.5 + corner(2), 212.5 + corner(3)].map(f64::from)),
            }
        })
        .collect()
}

fn mmdet(content: impl AsRef<[u8]>) -> Result<Detections, FormatError> {
    let (_folder, path) = file("0.json", content);
    read_mmdet(&path, &LabelList::coco_gender())
}

#[test]
fn what_python_writes_is_read_to_the_last_bit() {
    let labels = LabelList::coco_gender();
    let expected = synthetic("mmdet", 30);
    for name in ["plain", "masks"] {
        let found = read_mmdet(&golden(&format!("formats_observations/mmdet/preds/{name}.json")), &labels).unwrap();
        assert_eq!(found.items, expected, "{name}");
        assert_eq!(found.image_size_px, None);
        assert!(found.is_descending());
    }
    let empty = read_mmdet(&golden("formats_observations/mmdet/preds/empty.json"), &labels).unwrap();
    assert_eq!(empty, Detections::default());
}

#[test]
fn what_is_written_is_read_back() {
    let (_folder, path) = place("preds/0.json");
    for image_size_px in [None, Some((425.0, 312.5))] {
        let detections = Detections::of(synthetic("round trip", 20), image_size_px);
        write_mmdet(&path, &detections).unwrap();
        assert_eq!(read_mmdet(&path, &LabelList::coco_gender()).unwrap(), detections);
    }
}

#[test]
fn what_would_not_be_read_is_not_written() {
    let (_folder, path) = place("0.json");
    let sound = synthetic("mmdet", 1)[0];
    let mut nan = sound;
    nan.bbox.x1 = f64::NAN;
    let mut sure = sound;
    sure.score = 1.5;
    for faulty in [nan, sure] {
        let detections = Detections::of(vec![faulty], None);
        assert!(write_mmdet(&path, &detections).is_err());
        assert!(!path.exists());
    }
}

#[test]
fn labels_may_be_names() {
    let (_folder, path) = file(
        "0.json",
        r#"{"labels": ["traffic_light", "man", "caf\u0065 no"], "scores": [0.5, 0.5, 0.5],
            "bboxes": [[0,0,1,1],[0,0,1,1],[0,0,1,1]]}"#,
    );
    refused(
        read_mmdet(&path, &LabelList::coco_gender()),
        "labels[2]: category \"cafe no\" is not in the label list",
    );
    let list = LabelList::new("mine", ["man", "traffic light", "cafe no"]);
    let categories: Vec<_> = read_mmdet(&path, &list).unwrap().items.iter().map(|d| d.category).collect();
    assert_eq!(categories, [1, 0, 2]);
}

#[test]
fn each_fault_of_an_mmdet_file_has_its_error() {
    let one = |label: &str, score: &str, bbox: &str| {
        format!(r#"{{"labels": [{label}], "scores": [{score}], "bboxes": [{bbox}]}}"#)
    };
    for (content, words) in [
        (
            one("82", "0.5", "[0,0,1,1]"),
            "labels[0] is 82, but the label list \"coco_gender\" has 82 names (0 to 81); choose another with labels",
        ),
        (one("-1", "0.5", "[0,0,1,1]"), "labels[0] is -1, but the label list \"coco_gender\" has 82 names"),
        // JSON numbers beyond 64 bits are floating point, and so not an index.
        (one("99999999999999999999", "0.5", "[0,0,1,1]"), "expected a label index"),
        (one("0", "1.0000001", "[0,0,1,1]"), "scores[0] is 1.0000001; expected a score between 0 and 1"),
        (one("0", "-0.1", "[0,0,1,1]"), "scores[0] is -0.1; expected a score between 0 and 1"),
        (
            r#"{"labels": [1, 2], "scores": [0.5], "bboxes": []}"#.to_owned(),
            "2, 1 and 0 entries; expected one of each per object",
        ),
        (
            r#"{"labels": [], "scores": [], "bboxes": [], "image_size_px": [0, 5]}"#.to_owned(),
            "image_size_px: ",
        ),
    ] {
        refused(mmdet(&content), words);
    }
    // An inverted box is read, since it keeps its position among the scores; a comparison reports it.
    for (bbox, area_px2) in [("[2,0,1,1]", -1.0), ("[0,2,1,1]", -1.0), ("[3,2,1,1]", 2.0)] {
        let (_folder, path) = file("0.json", one("0", "0.5", bbox));
        let bbox = read_mmdet(&path, &LabelList::coco()).unwrap().items[0].bbox;
        assert!(bbox.is_inverted() && bbox.area_px2() == area_px2, "{bbox:?}");
    }
    let mut endless = synthetic("endless", 1);
    endless[0].bbox.x1 = f64::INFINITY;
    let endless = Detections::of(endless, None);
    refused(write_mmdet(Path::new("9.json"), &endless), "bboxes[0] is [");
}

#[test]
fn faults_of_json_have_line_and_column() {
    for (content, words) in [
        (
            "{\n  \"labels\": [0],\n  \"scores\": [0.5],\n  \"bboxes\": [[0, 0, 1]]\n}",
            ":4:22: a list of 3; expected a box of 4 numbers",
        ),
        (
            r#"{"labels": [0], "scores": [0.5], "bboxes": [[0, 0, 1, 1, 9]]}"#,
            ":1:59: a list of 5; expected a box of 4 numbers",
        ),
        (
            r#"{"labels": [0], "scores": [0.5]}"#,
            ":1:32: no key `bboxes`; expected the objects in an image, {\"labels\": [16]",
        ),
        (r#"{"labels": [0.5]}"#, ":1:15: the number 0.5; expected a label index"),
        (r#"{"labels": [], "labels": []}"#, ":1:23: the key `labels` occurs twice"),
        ("{\"scores\":\n[NaN]}", ":2:2: NaN is not JSON"),
        ("{\"scores\":\n[1.0, -Infinity]}", ":2:8: -Infinity is not JSON"),
        ("{\"scores\":\n[1.0, Infinity]}", ":2:7: Infinity is not JSON"),
        ("{\"scores\": [1e999]}", ":1:17: a number too large to compute with"),
        ("{\"labels\": [1, 2", ":1:16: the file ends within a list"),
        ("", ":1:1: the file is empty; expected the objects in an image"),
        ("7", ":1:1: the number 7; expected an object with the lists"),
        (
            "[[0], [0.5], [[0, 0, 1, 1]]]",
            "0.json:1:4: a list of 1; expected an object with score, label and box",
        ),
    ] {
        refused(mmdet(content), words);
        assert!(!mmdet(content).unwrap_err().to_string().contains(" at line "), "{content}");
    }
    refused(mmdet(format!("{{\"masks\": {}", "[".repeat(100_000))), ":1:");
    refused(mmdet(b"{\"labels\": [\"\xff\"]}"), ":1:");
}
