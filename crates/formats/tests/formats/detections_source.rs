//! BrainHub's boxes (hostile files and the real ones) and the source that reads either form.

use crate::prelude::*;
use neurogauge_formats::detections::DetectionSource;

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
        (r#"{"0": {"car": "x"}}"#, r#"1:17: the text "x"; expected a list of boxes"#),
        (r#"{"0": {}, "0": {}}"#, r#"1:13: the key "0" occurs twice"#),
        (r#"{"0": {"car": [], "car": []}}"#, r#"1:23: the key "car" occurs twice"#),
        (r#"{"labels": [0]}"#, "1:11: a list; expected an object"),
    ] {
        let (_folder, path) = file("0.json", content);
        refused(read_boxes(&path, &LabelList::coco(), NSD), words);
    }
    // Read unchanged; refused when overlap is measured.
    let (_folder, path) = file("0.json", r#"{"0": {"car": [[0.9,0,0.1,1]]}}"#);
    let coco = LabelList::coco();
    let source = DetectionSource::open(&path, &coco, (1.0, 1.0)).unwrap();
    refused(source.load_upright(0), r#"stimulus "0", "car" is [0.9, 0, 0.1, 1]; a box is"#);
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

/// The source of a folder with these files, or of the only file if it has the name "all.json".
fn source(files: &[(&str, &str)]) -> (tempfile::TempDir, Result<DetectionSource, FormatError>) {
    let folder = tempfile::tempdir().unwrap();
    for (name, content) in files {
        std::fs::create_dir_all(folder.path().join(name).parent().unwrap()).unwrap();
        std::fs::write(folder.path().join(name), content).unwrap();
    }
    let path = if files[0].0 == "all.json" {
        folder.path().join("all.json")
    } else {
        folder.path().to_owned()
    };
    let source = DetectionSource::open(&path, &LabelList::coco(), NSD);
    (folder, source)
}

#[test]
fn boxes_of_other_programs_are_read_as_they_are() {
    // A cat and, less certain, a dog.
    let expected = [(15, 0.9, [10.0, 40.0, 210.0, 300.0]), (16, 0.5, [0.0, 0.0, 20.0, 30.0])];
    let forms = [
        "mmdetection's data samples",
        "torchvision's dictionaries",
        "transformers' lists",
        "transformers' lists",
        "JSON of boxes by stem",
        "COCO's results",
        "COCO's instances",
    ];
    let of_forms = [
        [(
            "preds/1.json",
            r#"{"pred_instances": {"labels": [15, 16], "scores": [0.9, 0.5],
            "bboxes": [[10, 40, 210, 300], [0, 0, 20, 30]]}, "ori_shape": [480, 640]}"#,
        )],
        [(
            "1.json",
            r#"{"boxes": [[0, 0, 20, 30], [10, 40, 210, 300]], "labels": [16, 15], "scores": [0.5, 0.9]}"#,
        )],
        [(
            "1.json",
            r#"[{"boxes": [[0, 0, 20, 30], [10, 40, 210, 300]], "labels": ["dog", "cat"], "scores": [0.5, 0.9]}]"#,
        )],
        [(
            "1.json",
            r#"[{"score": 0.5, "label": "dog", "box": {"xmin": 0, "ymin": 0, "xmax": 20, "ymax": 30}},
            {"score": 0.9, "label": "cat", "box": {"xmin": 10, "ymin": 40, "xmax": 210, "ymax": 300}}]"#,
        )],
        [(
            "all.json",
            r#"{"1": {"boxes": [[0, 0, 20, 30], [10, 40, 210, 300]], "labels": [16, 15], "scores": [0.5, 0.9]}}"#,
        )],
        // The ids of COCO's categories, since the list is COCO's.
        [(
            "all.json",
            r#"[{"image_id": 1, "category_id": 18, "bbox": [0, 0, 20, 30], "score": 0.5},
            {"image_id": "1", "category_id": 17.0, "bbox": [10, 40, 200, 260], "score": 0.9}]"#,
        )],
        [(
            "all.json",
            r#"{"images": [{"id": 7, "file_name": "a/1.jpg", "width": 640, "height": 480}], "categories":
            [{"id": 2, "name": "cat"}, {"id": 3, "name": "dog"}], "annotations": [
            {"id": 1, "image_id": 7, "category_id": 2, "bbox": [10, 40, 200, 260], "score": 0.9, "segmentation": []},
            {"id": 2, "image_id": 7, "category_id": 3, "segmentation": [[0, 0, 20, 0, 20, 30, 0, 30]], "score": 0.5},
            {"id": 3, "image_id": 7, "category_id": 3, "bbox": [0, 0, 1, 1], "iscrowd": 1}]}"#,
        )],
    ];
    for (files, form) in of_forms.into_iter().zip(forms) {
        let (_folder, source) = source(&files);
        let source = source.unwrap();
        assert_eq!((source.stems(), source.taken_for().words.as_str()), (&["1".to_owned()][..], form));
        let found = source.load(0).unwrap();
        let found: Vec<_> = found.items.iter().map(|item| (item.category, item.score, item.bbox.edges())).collect();
        assert_eq!(found, expected, "{files:?}");
    }
    let (_folder, empty) = source(&[("1.json", "[]"), ("2.json", r#"{"boxes": [], "labels": [], "scores": []}"#)]);
    let empty = empty.unwrap();
    assert!((0..2).all(|index| empty.load(index).unwrap().items.is_empty()));
}

#[test]
fn yolo_s_shares_become_pixels_of_their_images() {
    let files = [
        ("labels/1.txt", "1 0.25 0.5 0.5 0.5 0.4\n0 0.5 0.5 1 1 0.8\n"),
        ("labels/2.txt", ""),
        ("labels/classes.txt", "dog\ncat\n"),
    ];
    let (_folder, source) = source(&files);
    let mut source = source.unwrap();
    assert_eq!((source.stems(), source.are_shares()), (&["1".to_owned(), "2".to_owned()][..], true));
    let seen = source.seen().unwrap();
    assert_eq!(seen.names_of_numbers.as_deref(), Some(&["dog".to_owned(), "cat".to_owned()][..]));
    // Without the images' sizes, such boxes are refused as all shares are.
    refused(source.check_pixels(&seen, "--box-scale"), "are no pixels");
    assert_eq!(source.load(0).unwrap().image_size_px, Some((1.0, 1.0)));
    source.set_sizes(vec![(100.0, 200.0), (1.0, 1.0)]);
    let found = source.load(0).unwrap();
    let boxes: Vec<_> = found.items.iter().map(|item| (item.score, item.bbox.edges())).collect();
    assert_eq!(boxes, [(0.8, [0.0, 0.0, 100.0, 200.0]), (0.4, [0.0, 50.0, 50.0, 150.0])]);
    assert!(source.load(1).unwrap().items.is_empty());
    for (line, words) in [
        ("0 0.5 0.5 1", "1.txt:1: 4 numbers; expected YOLO's lines `class cx cy width height`"),
        ("0 10 0.5 1 1", "1.txt:1: 10 is no share from 0 to 1"),
        ("dog 0.5 0.5 1 1", "1.txt:1: \"dog\" is no finite number"),
        ("0.5 0.5 0.5 1 1", "1.txt:1: the class 0.5"),
    ] {
        let (_folder, source) = self::source(&[("1.txt", line)]);
        refused(source.unwrap().load(0), words);
    }
}

#[test]
fn coco_s_results_take_names_and_images_from_the_instances() {
    let folder = tempfile::tempdir().unwrap();
    let write = |name: &str, content: &str| {
        std::fs::write(folder.path().join(name), content).unwrap();
        folder.path().join(name)
    };
    let gt = write(
        "gt.json",
        r#"{"images": [{"id": 1, "file_name": "a.jpg", "width": 80, "height": 60}, {"id": 2, "file_name": "b.jpg", "width": 80,
        "height": 60}], "categories": [{"id": 5, "name": "dog"}], "annotations": []}"#,
    );
    for (results, n_found) in
        [(r#"[{"image_id": 2, "category_id": 5, "bbox": [0, 0, 2, 3], "score": 0.5}]"#, 1), ("[]", 0)]
    {
        let paths = Sides::new(gt.clone(), write("r.json", results));
        let sides = DetectionSource::open_both(&paths, &LabelList::coco_gender(), NSD).unwrap();
        assert_eq!(sides.recon.stems(), ["a", "b"]);
        let counts = [0, 1].map(|index| sides.recon.load(index).unwrap().items.len());
        assert_eq!(counts, [0, n_found], "{results}");
        assert_eq!(sides.recon.seen().unwrap().names_of_numbers, sides.gt.seen().unwrap().names_of_numbers);
    }
    let alone = write("r.json", r#"[{"image_id": 2, "category_id": 5, "bbox": [0, 0, 2, 3], "score": 0.5}]"#);
    let alone = DetectionSource::open(&alone, &LabelList::coco_gender(), NSD).unwrap();
    assert_eq!(alone.seen().unwrap().numbers, BTreeMap::from([(5, 1)]));
    refused(alone.seen().unwrap().refuse_unnamed(), "numbers without names");
}
