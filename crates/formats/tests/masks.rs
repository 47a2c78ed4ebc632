//! Files of masks and of categories: round trips, and hostile ones.

#![allow(
    clippy::unwrap_used,
    clippy::panic,
    reason = "a test fails by panicking"
)]

use neurogauge_core::synthetic::Synthetic;
use neurogauge_core::{BoxXyxy, InstanceMask, Mask, Masks};
use neurogauge_formats::categorisation::{CategorisationSource, read_categorisation};
use neurogauge_formats::masks::*;
use proptest::prelude::*;
use std::path::{Path, PathBuf};

/// A file of this content in a folder of its own.
fn file(name: &str, content: &[u8]) -> (tempfile::TempDir, PathBuf) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join(name);
    std::fs::write(&path, content).unwrap();
    (folder, path)
}

fn random_masks() -> Masks {
    let draw = Synthetic::new("files", 0);
    let item = |place: u64| InstanceMask {
        name: format!("thing {place}"),
        score: f64::from(draw.uniform(place)),
        bbox: BoxXyxy {
            x0: 1.25,
            y0: 0.0,
            x1: 7.0,
            y1: 5.5,
        },
        mask: Mask::from_pixels(6, 9, |x, y| {
            draw.byte(1000 * place + u64::from(9 * y + x)) < 90
        })
        .unwrap(),
    };
    Masks {
        size_px: (9, 6),
        items: (0..7).map(item).collect(),
        categories: None,
    }
}

#[test]
fn masks_survive_being_written_and_read() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("7.json");
    let masks = random_masks();
    write_grounded_sam(&path, &masks, "7.jpg").unwrap();
    assert_eq!(read_grounded_sam(&path).unwrap(), masks);
    let source = MaskSource::open(folder.path()).unwrap();
    assert_eq!(source.stems(), ["7"]);
    assert_eq!(source.load(0).unwrap(), masks);
    assert_eq!(source.content_hash(0).unwrap().len(), 64);
}

#[test]
fn variants_of_grounded_sam_s_json_are_read() {
    let text = r#"{"annotations": [
        {"class_name": "dog", "segmentation": [[1, 1, 3, 1, 3, 3, 1, 3]], "score": 0.5},
        {"class_name": "cat", "bbox": [1, 1, 2, 2], "segmentation": {"counts": [0, 25], "size": [5, 5]}, "score": [1]}
        ], "box_format": "xywh", "img_width": 5, "img_height": 5, "other": null}"#;
    let (_folder, path) = file("a.json", text.as_bytes());
    let masks = read_grounded_sam(&path).unwrap();
    let boxes: Vec<[f64; 4]> = masks
        .items
        .iter()
        .map(|i| [i.bbox.x0, i.bbox.y0, i.bbox.x1, i.bbox.y1])
        .collect();
    assert_eq!(boxes, [[1.0, 1.0, 3.0, 3.0]; 2]);
    assert_eq!(masks.items[1].mask.area_px2(), 25);
}

#[test]
fn faulty_masks_are_refused_with_their_place() {
    let annotation = |name: &str, segmentation: &str, rest: &str| {
        format!(
            r#"{{"annotations": [{{"class_name": "{name}", "segmentation": {segmentation}, {rest}}}],
            "img_width": 5, "img_height": 4}}"#
        )
    };
    let runs = r#"{"size": [4, 5], "counts": [0, 20]}"#;
    let score = r#""score": 0.5"#;
    let cases = [
        (
            annotation("dog", r#"{"size": [4, 5], "counts": [0, 19]}"#, score),
            "19 pixels",
        ),
        (
            annotation("dog", r#"{"size": [5, 4], "counts": [0, 20]}"#, score),
            "4 x 5 px",
        ),
        (
            annotation("dog", r#"{"size": [4, 5], "counts": "4 "}"#, score),
            "character 1",
        ),
        (
            annotation("dog", r#"{"size": [4, 5], "counts": "o"}"#, score),
            "within a number",
        ),
        (
            annotation("dog", r#"{"size": [4, 5], "counts": "O"}"#, score),
            "no count of pixels",
        ),
        (
            annotation("dog", r#"{"size": [4, 5], "counts": [-1, 21]}"#, score),
            "invalid value",
        ),
        (
            annotation("dog", r#"{"size": [4, 5]}"#, score),
            "missing field `counts`",
        ),
        (annotation("dog", "[]", score), "no polygon"),
        (annotation("dog", "[[1, 1, 2, 2]]", score), "three corners"),
        (
            annotation("dog", "[[1, 1, 2, 2, 1e9, 3]]", score),
            "corner at 1000000000",
        ),
        (annotation("dog", "3", score), "polygons"),
        (
            annotation("dog", runs, r#""score": 1.5"#),
            "annotations[0].score",
        ),
        (annotation("dog", runs, r#""score": "high""#), "a score"),
        (annotation(" ", runs, score), "annotations[0].class_name"),
        (
            annotation("dog", runs, r#""score": 1, "bbox": [3, 1, 2, 2]"#),
            "annotations[0].bbox",
        ),
        (
            r#"{"annotations": [], "img_width": 5}"#.to_owned(),
            "img_height",
        ),
    ];
    for (text, part) in cases {
        let (_folder, path) = file("a.json", text.as_bytes());
        let error = read_grounded_sam(&path).unwrap_err().to_string();
        assert!(
            error.contains(part) && error.contains("a.json"),
            "{part:?} in {error}"
        );
    }
}

/// Writes a PNG of these raw bytes.
fn write_png(path: &Path, color: png::ColorType, depth: png::BitDepth, rows: &[u8]) {
    let file = std::fs::File::create(path).unwrap();
    let mut encoder = png::Encoder::new(file, 4, 2);
    encoder.set_color(color);
    encoder.set_depth(depth);
    if color == png::ColorType::Indexed {
        encoder.set_palette(vec![9; 12]);
    }
    encoder
        .write_header()
        .unwrap()
        .write_image_data(rows)
        .unwrap();
}

#[test]
fn label_maps_are_read_by_number_whatever_their_colours() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(
        folder.path().join("labels.json"),
        r#"{"1": "dog", "2": "sky", "3": "sky"}"#,
    )
    .unwrap();
    let path = |stem: &str| folder.path().join(format!("{stem}.png"));
    // 0 1 1 2 over 3 3 0 0.
    write_png(
        &path("1"),
        png::ColorType::Grayscale,
        png::BitDepth::Eight,
        &[0, 1, 1, 2, 3, 3, 0, 0],
    );
    let packed = [0b0001_0110, 0b1111_0000];
    write_png(
        &path("2"),
        png::ColorType::Indexed,
        png::BitDepth::Two,
        &packed,
    );
    let wide = [0, 0, 0, 1, 0, 1, 0, 2, 0, 3, 0, 3, 0, 0, 0, 0];
    write_png(
        &path("10"),
        png::ColorType::Grayscale,
        png::BitDepth::Sixteen,
        &wide,
    );
    let source = MaskSource::open(folder.path()).unwrap();
    assert_eq!(source.stems(), ["1", "2", "10"]);
    for index in 0..3 {
        let masks = source.load(index).unwrap();
        assert_eq!(masks.size_px, (4, 2));
        let found: Vec<(&str, &[u32])> = masks
            .items
            .iter()
            .map(|item| (item.name.as_str(), item.mask.runs()))
            .collect();
        assert_eq!(
            found,
            [
                ("dog", &[2, 1, 1, 1, 3][..]),
                ("sky", &[6, 1, 1]),
                ("sky", &[1, 1, 1, 1, 4])
            ]
        );
    }
    write_png(
        &path("2"),
        png::ColorType::Grayscale,
        png::BitDepth::Eight,
        &[0, 1, 1, 2, 3, 3, 0, 7],
    );
    let error = source.load(1).unwrap_err().to_string();
    assert!(
        error.contains("column 3, row 1") && error.contains("number 7"),
        "{error}"
    );
    write_png(
        &path("2"),
        png::ColorType::Rgb,
        png::BitDepth::Eight,
        &[0; 24],
    );
    assert!(
        source
            .load(1)
            .unwrap_err()
            .to_string()
            .contains("a label map is grey")
    );
    std::fs::write(path("2"), b"\x89PNG\r\n\x1a\n").unwrap();
    assert!(source.load(1).is_err());
    std::fs::write(folder.path().join("3.json"), "{}").unwrap();
    assert!(
        MaskSource::open(folder.path())
            .unwrap_err()
            .to_string()
            .contains("one kind")
    );
}

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
    let instances = read_coco_instances(&path).unwrap();
    let areas: Vec<f64> = instances.annotations.iter().map(|a| a.area_px2).collect();
    assert_eq!(areas, [4.5, 20.0], "an unknown category is passed over");
    let source = MaskSource::open(&path).unwrap();
    assert_eq!(source.stems(), ["a", "b"]);
    assert!(source.load(0).unwrap().items.is_empty());
    let masks = source.load(1).unwrap();
    assert_eq!(masks.items.len(), 1, "a crowd is no single thing");
    assert_eq!(
        (masks.items[0].name.as_str(), masks.items[0].mask.area_px2()),
        ("dog", 4)
    );
    assert_ne!(
        source.content_hash(0).unwrap(),
        source.content_hash(1).unwrap()
    );
}

#[test]
fn faulty_coco_files_are_refused() {
    let cases = [
        (
            INSTANCES.replace("\"id\": 2, \"image_id\"", "\"id\": 1, \"image_id\""),
            "the id 1 stands twice",
        ),
        (
            INSTANCES.replace(
                "\"image_id\": 9, \"category_id\": 2",
                "\"image_id\": 8, \"category_id\": 2",
            ),
            "annotations[1].image_id",
        ),
        (
            INSTANCES.replace("\"iscrowd\": 1", "\"iscrowd\": 1, \"score\": 3"),
            "annotations[1].score",
        ),
        (
            INSTANCES.replace("\"categories\"", "\"kinds\""),
            "categories",
        ),
    ];
    for (text, part) in cases {
        let (_folder, path) = file("i.json", text.as_bytes());
        let error = read_coco_instances(&path).unwrap_err().to_string();
        assert!(error.contains(part), "{part:?} in {error}");
    }
    let (_folder, path) = file("i.json", INSTANCES.as_bytes());
    let instances = read_coco_instances(&path).unwrap();
    let result = r#"[{"image_id": 9, "category_id": 7, "segmentation": {"size": [4, 5], "counts": [0, 20]},
        "bbox": [0, 0, 3, 2], "score": 2.5}]"#;
    let (_folder, path) = file("r.json", result.as_bytes());
    // As in pycocotools, a box decides the area, and any finite score will do.
    let results = read_coco_results(&path, &instances).unwrap();
    assert_eq!((results[0].area_px2, results[0].score), (6.0, 2.5));
    let (_folder, path) = file("r.json", result.replace("9,", "5,").as_bytes());
    assert!(
        read_coco_results(&path, &instances)
            .unwrap_err()
            .to_string()
            .contains("[0].image_id")
    );
}

const ANSWER: &str = r#"{"foreground_objects": [{"object": "dog", "semantic_category": "animal", "parts": ["head"]}],
"background_elements": [{"element": "sky"}]}"#;

#[test]
fn categorisations_are_read_with_what_language_models_add() {
    let wrapped = format!(
        "Sure!\n```json\n{}\n```\nAnything else?",
        ANSWER.replace("}]", "},\n]")
    );
    for text in [ANSWER.to_owned(), wrapped, format!("\u{feff}{ANSWER}")] {
        let (_folder, path) = file("1.json", text.as_bytes());
        let found = read_categorisation(&path).unwrap();
        assert_eq!(found.foreground[0].parts, ["head"]);
        assert_eq!(found.background[0].name, "sky");
    }
    let all = format!("{{\"1\": {ANSWER}, \"2\": {ANSWER}}}");
    let (_folder, path) = file("categories.json", all.as_bytes());
    let source = CategorisationSource::open(&path).unwrap();
    assert!(source.find("2").is_some() && source.find("3").is_none());
    let (_folder, path) = file("categories.json", all.replace("\"2\"", "\"1\"").as_bytes());
    assert!(
        CategorisationSource::open(&path)
            .unwrap_err()
            .to_string()
            .contains("stands twice")
    );
}

#[test]
fn what_is_no_categorisation_is_refused_at_its_place() {
    let cases = [
        (ANSWER.replace("\"object\"", "\"name\""), ":1:"),
        (ANSWER.replace("[\"head\"]", "\"head\""), ":1:"),
        (
            ANSWER.replace("\"background_elements\"", "\"background\""),
            ":2:",
        ),
        (
            ANSWER.replace("\"sky\"", "\" \""),
            "background_elements[0].element",
        ),
        (ANSWER.replace("\"head\"", "\"\""), "parts[0]"),
        (ANSWER.replace("}],\n", "},,],\n"), ":1:"),
        (format!("Here it is: {ANSWER}"), ":1:1"),
        (format!("```{ANSWER}``` and ```{ANSWER}```"), "code fences"),
        (format!("```json\n{ANSWER}"), "code fences"),
        (ANSWER.replace("\"dog\"", "'dog'"), ":1:"),
    ];
    for (text, part) in cases {
        let (_folder, path) = file("1.json", text.as_bytes());
        let error = read_categorisation(&path).unwrap_err().to_string();
        assert!(error.contains(part), "{part:?} in {error}");
    }
}

proptest! {
    #[test]
    fn any_text_is_a_mask_or_an_error(text in "[0-o]{0,12}|.{0,8}") {
        if let Ok(mask) = from_coco_rle(&text, 5, 7) {
            prop_assert_eq!(from_coco_rle(&to_coco_rle(&mask), 5, 7).unwrap(), mask);
        }
    }

    #[test]
    fn any_polygon_is_a_mask_or_an_error(
        corners in prop::collection::vec(prop_oneof![-50.0..50.0_f64, prop::num::f64::ANY], 0..20),
    ) {
        let is_near = corners.iter().all(|corner| corner.abs() <= 1e5);
        let is_one = corners.len() >= 6 && corners.len() % 2 == 0 && is_near;
        prop_assert_eq!(from_polygon(&corners, 13, 11).is_ok(), is_one);
    }

    #[test]
    fn any_answer_is_read_or_refused(answer in "[`{}\\[\\],\"a \n]{0,40}") {
        let (_folder, path) = file("1.json", answer.as_bytes());
        let _ = read_categorisation(&path);
    }
}
