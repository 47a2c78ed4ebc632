//! Writes observations folders.

use super::*;

/// Scores the observations in the folder, replacing an earlier run.
pub(crate) const SCORE: &str = "score --observations . --out run --overwrite";

/// Writes the detections of one image: category, score and box.
pub(crate) fn write_detections(side: &Path, stem: &str, objects: &[(&str, f64, [f64; 4])]) {
    let labels: Vec<&str> = objects.iter().map(|object| object.0).collect();
    let scores: Vec<f64> = objects.iter().map(|object| object.1).collect();
    let bboxes: Vec<[f64; 4]> = objects.iter().map(|object| object.2).collect();
    let text = json!({ "labels": labels, "scores": scores, "bboxes": bboxes }).to_string();
    write(&side.join(format!("detections/{stem}.json")), &text);
}

/// Writes one caption per stem.
pub(crate) fn write_captions(side: &Path, captions: &[(&str, &str)]) {
    let object = Value::Object(captions.iter().map(|(stem, text)| ((*stem).to_owned(), json!(text))).collect());
    write(&side.join("captions.json"), &object.to_string());
}

/// Writes a feature matrix with these rows.
pub(crate) fn write_features(side: &Path, model: &str, rows: &[(&str, [f32; 3])]) {
    let ids = rows.iter().map(|(stem, _)| (*stem).to_owned()).collect();
    let features = Features::new(ids, 3, rows.iter().flat_map(|(_, row)| *row).collect()).unwrap();
    features::write(&side.join("features"), model, &features).unwrap();
}

const BOX: [f64; 4] = [0.0, 0.0, 100.0, 100.0];

/// Stems of [`small_dataset`].
pub(crate) const STEMS: [&str; 3] = ["1", "2", "10"];

/// Three pairs of every kind of observation, whose objects and features can be scored by hand.
///
/// | pair | stimulus | reconstruction | features |
/// |---|---|---|---|
/// | 1 | person 0.95, dog 0.52 | person 0.95 | correlation 1/2 |
/// | 2 | dog 0.8 | cat 0.8 | correlation -1 |
/// | 10 | car 0.8 | car 0.8 | correlation 1 |
pub(crate) fn small_dataset(root: &Path) {
    let (gt, recon) = (root.join("gt"), root.join("recon"));
    write_detections(&gt, "1", &[("person", 0.95, BOX), ("dog", 0.52, BOX)]);
    write_detections(&recon, "1", &[("person", 0.95, BOX)]);
    write_detections(&gt, "2", &[("dog", 0.8, BOX)]);
    write_detections(&recon, "2", &[("cat", 0.8, BOX)]);
    for side in [&gt, &recon] {
        write_detections(side, "10", &[("car", 0.8, BOX)]);
    }
    write_captions(&gt, &[("1", "a person walks a dog"), ("2", "a dog on a couch"), ("10", "a red car")]);
    write_captions(&recon, &[("10", "a red car"), ("2", "a cat on a couch"), ("1", "somebody in a park")]);
    // Rows are in other orders than the stems, and ids name them.
    let up = [1.0, 2.0, 3.0];
    let rows = [("10", up), ("1", up), ("2", up)];
    write_features(&gt, "efficientnet_b1", &rows);
    write_features(&gt, "swav_resnet50", &rows);
    let rows = [("2", [3.0, 2.0, 1.0]), ("10", up), ("1", [1.0, 3.0, 2.0])];
    write_features(&recon, "efficientnet_b1", &rows);
    write_features(&recon, "swav_resnet50", &rows);
}

/// The messages for a sound folder of observations that was damaged in these ways, one at a time.
#[track_caller]
pub(crate) fn refusals_of(damages: &[&dyn Fn(&Folder)]) -> String {
    let mut said = String::new();
    for damage in damages {
        let dir = folder_of(small_dataset);
        damage(&dir);
        let ran = dir.run("score --observations . --out run --set text_encoder=placeholder --labels coco_gender -q");
        assert!(!dir.join("run/scores.parquet").exists());
        said += &format!("{ran}\n");
    }
    said
}

/// Grounded SAM 2's JSON of an image of 10 x 2 px: a mask is the columns from `from` to before `to`.
pub(crate) fn masks(things: &[(&str, u32, u32)]) -> String {
    let annotations: Vec<Value> = things
        .iter()
        .map(|(name, from, to)| {
            json!({
                "class_name": name,
                "bbox": [from, 0, to, 2],
                "segmentation": {"size": [2, 10], "counts": [2 * from, 2 * (to - from), 2 * (10 - to)]},
                "score": [0.9]
            })
        })
        .collect();
    let object = json!({
        "image_path": "x.png", "annotations": annotations, "box_format": "xyxy", "img_width": 10, "img_height": 2
    });
    object.to_string()
}
