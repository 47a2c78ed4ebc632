//! The readers accept the examples in the documentation's JSON Schemas.

use crate::prelude::*;
use neurogauge_formats::detections::DetectionSource;
use neurogauge_formats::masks::{read_grounded_sam, read_label_names};
use std::fs;

fn schemas() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/pages/reference/schemas")
}

/// Reads each example of a schema with the format's reader, from a file with the name `file`.
fn each(schema: &str, file: &str, read: impl Fn(&Path, &Value)) {
    let text = fs::read(schemas().join(format!("{schema}.schema.json"))).unwrap();
    let schema: Value = serde_json::from_slice(&text).unwrap();
    let examples = schema["examples"].as_array().unwrap();
    assert!(!examples.is_empty());
    for example in examples {
        let (_folder, path) = place(file);
        fs::write(&path, example.to_string()).unwrap();
        read(&path, example);
    }
}

fn n(value: &Value) -> usize {
    value.as_object().unwrap().len()
}

#[test]
fn every_example_of_a_schema_is_read() {
    let labels = LabelList::coco();
    each("captions", "captions.json", |path, example| {
        assert_eq!(captions::read(path).unwrap().len(), n(example));
    });
    each("detections", "0001.json", |path, example| {
        let found = read_mmdet(path, &labels).unwrap();
        assert_eq!(found.items.len(), example["scores"].as_array().unwrap().len());
    });
    each("boxes", "boxes.json", |path, example| {
        let found = read_boxes(path, &labels, (425.0, 425.0)).unwrap();
        assert_eq!((found.len(), found[0].1.items.len()), (n(example), 1));
    });
    // Files of other programs: one dog in one image.
    for (schema, of_one_image) in [
        ("coco_instances", false),
        ("coco_results", false),
        ("boxes_by_stem", false),
        ("pipeline", true),
        ("data_sample", true),
    ] {
        each(schema, "0001.json", |path, _| {
            let path = if of_one_image { path.parent().unwrap() } else { path };
            let found = DetectionSource::open(path, &labels, (425.0, 425.0)).unwrap().load(0).unwrap();
            let found: Vec<_> = found.items.iter().map(|item| (item.category, item.bbox.edges())).collect();
            assert_eq!(found, [(16, [10.0, 40.0, 210.0, 300.0])], "{schema}");
        });
    }
    each("coco_captions", "captions.json", |path, _| {
        assert_eq!(captions::read(path).unwrap(), [("1".to_owned(), Captions(vec!["a dog on a beach".to_owned()]))]);
    });
    each("caption_line", "captions.jsonl", |path, _| {
        let line = fs::read_to_string(path).unwrap();
        fs::write(path, format!("{line}\n{}\n", line.replace("beach", "boat"))).unwrap();
        assert_eq!(
            captions::read(path).unwrap()[0].1.0.last().unwrap(),
            if line.contains("brown") {
                "a brown dog"
            } else {
                "a dog on a boat"
            }
        );
    });
    each("vlm_categories", "vlm_categories.json", |path, example| {
        assert_eq!(category_names::read(path).unwrap().len(), n(example));
    });
    each("image_texts", "image_texts.json", |path, example| {
        assert_eq!(category_names::read_texts(path).unwrap().len(), n(example));
    });
    each("vqa_scores", "vqa_scores.json", |path, example| {
        assert_eq!(vqa_scores::read(path).unwrap().len(), n(example));
    });
    each("scene_graphs", "scene_graphs.json", |path, example| {
        assert_eq!(scene_graphs::read(path).unwrap().len(), n(example));
    });
    each("masks", "0001.json", |path, example| {
        let found = read_grounded_sam(path).unwrap();
        assert_eq!(found.items.len(), example["annotations"].as_array().unwrap().len());
    });
    each("label_map_names", "labels.json", |path, example| {
        assert_eq!(read_label_names(path).unwrap().len(), n(example));
    });
    each("categories", "categories.json", |path, example| {
        // The inner object is the contents of one image's file.
        for image in example.as_object().unwrap().values() {
            fs::write(path, image.to_string()).unwrap();
            let found = categorisation::read_categorisation(path).unwrap();
            assert_eq!((found.foreground.len(), found.background.len()), (1, 1));
        }
    });
    each("ids", "ids.json", |path, example| {
        let n_rows = example.as_array().unwrap().len();
        let matrix = path.with_file_name("effnet.npy");
        npy::write_f32(&matrix, &[n_rows as u64, 3], &vec![0.5; 3 * n_rows]).unwrap();
        assert_eq!(features::read(&matrix, path).unwrap().ids().len(), n_rows);
    });
    each("label_list", "labels.json", |path, example| {
        let list = label_list::read_label_list(path).unwrap();
        let names = example.get("names").unwrap_or(example);
        assert_eq!(list.index_of(names[1].as_str().unwrap()), Some(1));
        assert_eq!(list.groups().is_empty(), example.is_array());
    });
    each("outcome", "audit.json", |_, example| {
        let found = serde_json::from_value::<Estimate>(example.clone()).unwrap();
        assert_eq!(found.value.err().map(|reason| reason.to_string()).as_deref(), example["undefined"].as_str());
    });
}

#[test]
fn every_schema_is_tried() {
    assert_eq!(fs::read_dir(schemas()).unwrap().count(), 20, "a new schema needs a line above");
}
