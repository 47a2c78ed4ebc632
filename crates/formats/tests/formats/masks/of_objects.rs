//! Masks in Grounded SAM's JSON: round trips, and faulty ones.

use crate::prelude::*;

fn random_masks() -> Masks {
    let draw = Synthetic::new("files", 0);
    let item = |place: u64| InstanceMask {
        name: format!("thing {place}"),
        score: f64::from(draw.uniform(place)),
        bbox: BoxXyxy::of([1.25, 0.0, 7.0, 5.5]),
        mask: Mask::from_pixels(6, 9, |x, y| draw.byte(1000 * place + u64::from(9 * y + x)) < 90).unwrap(),
    };
    Masks::of((9, 6), (0..7).map(item).collect(), None)
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
    let boxes: Vec<[f64; 4]> = masks.items.iter().map(|i| i.bbox.edges()).collect();
    assert_eq!(boxes, [[1.0, 1.0, 3.0, 3.0]; 2]);
    assert_eq!(masks.items[1].mask.area_px2(), 25);
    let (_folder, path) = file("a.json", text.replace("dog", "").as_bytes());
    assert_eq!(read_grounded_sam(&path).unwrap().items[0].name, "");
}

#[test]
fn masks_of_some_stems_need_not_exist() {
    let folder = tempfile::tempdir().unwrap();
    write_grounded_sam(&folder.path().join("7.json"), &random_masks(), "").unwrap();
    let stems = ["7", "8"].map(str::to_owned);
    let source = MaskSource::of_stems(folder.path(), &stems, stems.to_vec());
    assert_eq!([0, 1].map(|index| source.has(index)), [true, false]);
    assert_eq!(source.load(0).unwrap(), random_masks());
    assert!(source.load(1).is_err());
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
        (annotation("dog", r#"{"size": [4, 5], "counts": [0, 19]}"#, score), "19 pixels"),
        (annotation("dog", r#"{"size": [5, 4], "counts": [0, 20]}"#, score), "4 x 5 px"),
        (annotation("dog", r#"{"size": [4, 5], "counts": "4 "}"#, score), "character 1"),
        (annotation("dog", r#"{"size": [4, 5], "counts": "o"}"#, score), "within a number"),
        (annotation("dog", r#"{"size": [4, 5], "counts": "O"}"#, score), "no count of pixels"),
        (
            annotation("dog", r#"{"size": [4, 5], "counts": [-1, 21]}"#, score),
            "the number -1; expected a whole number from 0 on",
        ),
        (annotation("dog", r#"{"size": [4, 5]}"#, score), "no key `counts`"),
        (annotation("dog", "[]", score), "no polygon"),
        (annotation("dog", "[[1, 1, 2, 2]]", score), "three corners"),
        (annotation("dog", "[[1, 1, 2, 2, 1e9, 3]]", score), "corner at 1000000000"),
        (annotation("dog", "3", score), "polygons"),
        (annotation("dog", runs, r#""score": 1.5"#), "annotations[0].score"),
        (annotation("dog", runs, r#""score": "high""#), "a score"),
        (annotation(" ", runs, score), "annotations[0].class_name"),
        (annotation("dog", runs, r#""score": 1, "bbox": [3, 1, 2, 2]"#), "annotations[0].bbox"),
        (r#"{"annotations": [], "img_width": 5}"#.to_owned(), "img_height"),
    ];
    for (text, part) in cases {
        let (_folder, path) = file("a.json", text.as_bytes());
        let error = read_grounded_sam(&path).unwrap_err().to_string();
        assert!(error.contains(part) && error.contains("a.json"), "{part:?} in {error}");
    }
}
