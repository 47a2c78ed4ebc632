//! COCO's files of instances.

use crate::prelude::*;
use neurogauge_core::pair::PairsOf;

const INSTANCES: &str = r#"{"images": [{"id": 9, "file_name": "dir/b.jpg", "width": 5, "height": 4},
    {"id": 3, "file_name": "a.jpg", "width": 2, "height": 2}],
    "categories": [{"id": 7, "name": "dog"}, {"id": 2, "name": "cat"}],
    "annotations": [
    {"id": 1, "image_id": 9, "category_id": 7, "segmentation": [[0, 0, 2, 0, 2, 2, 0, 2]], "area": 4.5, "iscrowd": 0},
    {"id": 2, "image_id": 9, "category_id": 2, "segmentation": {"size": [4, 5], "counts": [0, 20]}, "iscrowd": 1},
    {"id": 3, "image_id": 9, "category_id": 99, "segmentation": [[0, 0, 2, 0, 2, 2]]}]}"#;

#[test]
fn coco_s_instances_become_masks_of_images() {
    let (_folder, path) = file("masks.json", INSTANCES.as_bytes());
    let areas: Vec<f64> = read_coco_instances(&path).unwrap().annotations.iter().map(|a| a.area_px2).collect();
    assert_eq!(areas, [4.5, 20.0], "an unknown category is passed over");
    let source = MaskSource::open(&path).unwrap();
    assert_eq!(source.stems(), ["a", "b"]);
    assert!(source.load(0).unwrap().items.is_empty());
    let masks = source.load(1).unwrap();
    assert_eq!(masks.items.len(), 1, "a crowd is no single thing");
    assert_eq!((masks.items[0].name.as_str(), masks.items[0].mask.area_px2()), ("dog", 4));
    assert_ne!(source.content_hash(0).unwrap(), source.content_hash(1).unwrap());
}

#[test]
fn faulty_coco_files_are_refused() {
    let cases = [
        (INSTANCES.replace("\"id\": 2, \"image_id\"", "\"id\": 1, \"image_id\""), "the id 1 occurs twice"),
        (
            INSTANCES.replace("\"image_id\": 9, \"category_id\": 2", "\"image_id\": 8, \"category_id\": 2"),
            "annotations[1].image_id",
        ),
        (INSTANCES.replace("\"iscrowd\": 1", "\"iscrowd\": 1, \"score\": 3"), "annotations[1].score"),
        (INSTANCES.replace("\"categories\"", "\"kinds\""), "categories"),
    ];
    for (text, part) in cases {
        let (_folder, path) = file("i.json", text.as_bytes());
        refused(read_coco_instances(&path), part);
    }
    let (_folder, path) = file("i.json", INSTANCES.as_bytes());
    let instances = read_coco_instances(&path).unwrap();
    let result = r#"[{"image_id": 9, "category_id": 7, "segmentation": {"size": [4, 5], "counts": [0, 20]},
        "bbox": [0, 0, 3, 2], "score": 2.5}]"#;
    let (_folder, path) = file("r.json", result.as_bytes());
    // As in pycocotools, a box determines the area, and any finite score is allowed.
    let (results, _) = read_coco_results(&path, &instances, PairsOf::All).unwrap();
    assert_eq!((results[0].area_px2, results[0].score), (6.0, Some(2.5)));
    let (_folder, path) = file("r.json", result.replace("9,", "5,").as_bytes());
    refused(read_coco_results(&path, &instances, PairsOf::All), "[0].image_id");
    let (shared, left_out) = read_coco_results(&path, &instances, PairsOf::Shared).unwrap();
    assert_eq!((shared.len(), left_out.len()), (0, 1));
}
