//! BrainHub's boxes (hostile files and the real ones) and the source that reads either form.

use crate::prelude::*;
use neurogauge_formats::detections::{DetectionSource, check_upright};

const NSD: (f64, f64) = (425.0, 425.0);

#[test]
fn boxes_are_scaled_and_in_the_order_of_the_label_list() {
    let by_name = |file: &str| {
        let (_folder, path) = self::file("0.json", file);
        read_boxes(&path, &LabelList::coco(), (100.0, 10.0)).unwrap()
    };
    let nested = r#"{"10": {}, "9": {"car": [[[0.5,0.5,1,1]], []], "person": [], "bicycle":
        [[[0,0,1,1],[0,0,0.25,1]]]}}"#;
    let flat = r#"{"9": {"person": [], "bicycle": [[0,0,1,1],[0,0,0.25,1]],
        "car": [[0.5,0.5,1,1]]}, "10": {}}"#;
    let found = by_name(nested);
    assert_eq!(found, by_name(flat));
    assert_eq!((found[0].0.as_str(), found[1].0.as_str()), ("9", "10"));
    let categories: Vec<_> = found[0].1.items.iter().map(|item| item.category).collect();
    assert_eq!(categories, [1, 1, 2]);
    assert_eq!(found[0].1.items[2].bbox, BoxXyxy::of([50.0, 5.0, 100.0, 10.0]));
    assert!(found[0].1.items.iter().all(|item| item.score == 1.0));
    assert_eq!(found[1].1.items, []);
    assert_eq!(found[1].1.image_size_px, Some((100.0, 10.0)));
}

#[test]
fn each_fault_of_a_box_file_has_its_error() {
    for (content, words) in [
        (r#"{"0": {"unicorn": []}}"#, r#"stimulus "0": category "unicorn" is not in the label list "coco""#),
        (r#"{"0": {"car": [[0,0,425,1]]}}"#, "coordinate 425; expected shares of the image"),
        (r#"{"0": {"car": [[0,0,1]]}}"#, "a list of 3; expected boxes of 4 numbers"),
        (r#"{"0": {"car": [[0,0,1,[1]]]}}"#, "a list of 4; expected boxes of 4 numbers"),
        (r#"{"0": {"car": [0,0,1,1]}}"#, "the number 0; expected boxes of 4 numbers"),
        (r#"{"0": {"car": 4}}"#, "a number; expected a list of boxes"),
        (r#"{"0": {"car": [[[[0,0,1,1]]]]}}"#, "lists nested too deep"),
        (r#"{"0": {"hot dog": [], "hot_dog": []}}"#, r#""hot_dog": names the same category as "hot dog""#),
        (r#"{}"#, "no stimulus in it"),
        (r#"{"0": {"car": "x"}}"#, r#"1:17: invalid type: string "x", expected a list of boxes"#),
        (r#"{"0": {}, "0": {}}"#, r#"1:13: the key "0" occurs twice"#),
        (r#"{"0": {"car": [], "car": []}}"#, r#"1:23: the key "car" occurs twice"#),
        (r#"{"labels": [0]}"#, "1:11: invalid type: sequence, expected an object"),
    ] {
        let (_folder, path) = file("0.json", content);
        refused(read_boxes(&path, &LabelList::coco(), NSD), words);
    }
    // Read unchanged; refused when overlap is measured.
    let (_folder, path) = file("0.json", r#"{"0": {"car": [[0.9,0,0.1,1]]}}"#);
    let coco = LabelList::coco();
    let found = read_boxes(&path, &coco, (1.0, 1.0)).unwrap();
    refused(check_upright(&path, &coco, &found), r#"stimulus "0", "car" is [0.9, 0, 0.1, 1]; a box is"#);
    let source = DetectionSource::open(&path, &coco, (1.0, 1.0)).unwrap();
    let named = source.inverted(0, &source.load(0).unwrap());
    assert!(
        named.len() == 1 && named[0].ends_with(r#"0.json: stimulus "0", "car" is [0.9, 0.0, 0.1, 1.0]"#),
        "{named:?}"
    );

    let (_folder, path) = file("0.json", "{}");
    let error = read_boxes(&path, &LabelList::coco(), (0.0, f64::NAN)).unwrap_err();
    assert!(error.to_string().contains("0 x NaN px"), "{error}");
}

#[test]
fn a_source_reads_a_folder_its_preds_or_one_file() {
    let labels = LabelList::coco_gender();
    for folder in ["mmdet", "mmdet/preds"] {
        let source = DetectionSource::open(&golden(&format!("formats_observations/{folder}")), &labels, NSD).unwrap();
        assert_eq!(source.stems(), ["empty", "masks", "plain"]);
        let plain = read_mmdet(&golden("formats_observations/mmdet/preds/plain.json"), &labels).unwrap();
        assert_eq!(source.load(2).unwrap(), plain);
        assert_eq!(source.path(), golden(&format!("formats_observations/{folder}")));
        assert_ne!(source.content_hash(0).unwrap(), source.content_hash(1).unwrap());
    }
    let (_folder, path) = file("0.json", r#"{"b": {}, "a": {"boat": [[0,0,1,1]]}}"#);
    let source = DetectionSource::open(&path, &labels, NSD).unwrap();
    assert_eq!(source.stems(), ["a", "b"]);
    assert_eq!(source.load(0).unwrap().items[0].bbox.area_px2(), 425.0 * 425.0);
    let other_scale = DetectionSource::open(&path, &labels, (1.0, 1.0)).unwrap();
    assert_ne!(source.content_hash(0).unwrap(), other_scale.content_hash(0).unwrap());

    fn crosses_threads<T: Send + Sync>(_: &T) {}
    crosses_threads(&source);
}

#[test]
fn a_source_refuses_missing_empty_and_ambiguous_folders() {
    let labels = LabelList::coco();
    let folder = tempfile::tempdir().unwrap();
    refused(DetectionSource::open(&folder.path().join("no"), &labels, NSD), "not found; expected");
    std::fs::write(folder.path().join(".hidden.json"), "").unwrap();
    std::fs::create_dir(folder.path().join("folder.json")).unwrap();
    refused(DetectionSource::open(folder.path(), &labels, NSD), "the folder holds no");
    for name in ["1.json", "1.JSON"] {
        std::fs::write(folder.path().join(name), "{}").unwrap();
    }
    let words = "\"1.JSON\" and \"1.json\" share the stem \"1\"";
    refused(DetectionSource::open(folder.path(), &labels, NSD), words);
}

#[test]
fn brainhubs_real_boxes_are_read() {
    let Some(folder) = shared_data("brainhub/boxes") else {
        return;
    };
    let labels = LabelList::coco();
    // Counts found by Python's json in the same files.
    for (name, n_boxes) in [("reference_coco.json", 5829), ("umbrae-subj01.json", 2411)] {
        let source = DetectionSource::open(&folder.join(name), &labels, NSD).unwrap();
        assert_eq!(source.stems().len(), 982);
        assert_eq!(source.stems()[981], "981");
        let all = (0..982).map(|index| source.load(index).unwrap());
        assert_eq!(all.map(|detections| detections.items.len()).sum::<usize>(), n_boxes, "{name}");
    }
    let reference = read_boxes(&folder.join("reference_coco.json"), &labels, NSD).unwrap();
    let umbrella = labels.index_of("umbrella").unwrap();
    let first = reference[0].1.items.iter().find(|item| item.category == umbrella).unwrap();
    assert_eq!(first.bbox.x0, 0.2484705882352941 * 425.0);
}
