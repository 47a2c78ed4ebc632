//! Grounded SAM 2's JSON: the masks of one image.

use super::segmentation::{Segmentation, WrittenRuns};
use crate::{FormatError, Problem, atomic_file, json};
use neurogauge_core::{BoxXyxy, InstanceMask, Masks};
use serde::{Deserialize, Serialize};
use std::path::Path;

/// The form of a file, for messages.
const FORM: &str = "masks in Grounded SAM 2's JSON, {\"annotations\": [{\"class_name\": .., \"segmentation\": .., \
                    \"score\": ..}], \"img_width\": .., \"img_height\": ..}";

#[derive(Deserialize)]
#[serde(expecting = "Grounded SAM 2's object with annotations, img_width and img_height")]
struct File<'a> {
    #[serde(borrow)]
    annotations: Vec<Annotation<'a>>,
    #[serde(default)]
    box_format: BoxFormat,
    img_width: u32,
    img_height: u32,
}

#[derive(Deserialize)]
struct Annotation<'a> {
    class_name: String,
    bbox: Option<[f64; 4]>,
    #[serde(borrow)]
    segmentation: Segmentation<'a>,
    score: Score,
}

/// A number, or a list with one number, which Grounded SAM 2 writes if each box has one mask.
#[derive(Deserialize)]
#[serde(untagged, expecting = "a score: a number, or a list of one number")]
enum Score {
    Number(f64),
    Listed([f64; 1]),
}

#[derive(Deserialize, Default, Clone, Copy)]
#[serde(rename_all = "lowercase")]
enum BoxFormat {
    #[default]
    Xyxy,
    Xywh,
}

/// Reads `{"image_path", "annotations": [{"class_name", "bbox", "segmentation": {"size", "counts"},
/// "score"}], "box_format", "img_width", "img_height"}`.
///
/// `counts` may be COCO's text or a list, a segmentation may also be polygons, `score` may be a list with one number,
/// and `bbox` (default: the bounding box of the mask) and `box_format` (default: `xyxy`) may be missing. `class_name`
/// is empty if no word of the prompt labels the box. Other keys are ignored.
///
/// # Errors
/// JSON faults with line and column; a mask whose size differs from the image's, whose runs do not fill it, or with
/// polygons of fewer than three corners; an invalid box; a score outside 0..1.
pub fn read_grounded_sam(path: &Path) -> Result<Masks, FormatError> {
    let bytes = json::read_bytes(path, FORM)?;
    let file: File<'_> = json::parse(path, &bytes, FORM)?;
    let (width, height) = (file.img_width, file.img_height);
    let mut items = Vec::with_capacity(file.annotations.len());
    for (index, annotation) in file.annotations.into_iter().enumerate() {
        let at = |what: &str| format!("annotations[{index}].{what}");
        let mask = annotation
            .segmentation
            .mask(height, width)
            .map_err(|reason| Problem::invalid(at("segmentation"), reason).at(path))?;
        let (Score::Number(score) | Score::Listed([score])) = annotation.score;
        if !(0.0..=1.0).contains(&score) {
            return Err(Problem::invalid(at("score"), format!("{score}; expected a score between 0 and 1")).at(path));
        }
        let name = &annotation.class_name;
        if name.trim().is_empty() && !name.is_empty() {
            let reason = "only spaces; expected the name of what the mask shows, or nothing of a box without a label";
            return Err(Problem::invalid(at("class_name"), reason).at(path));
        }
        let bbox = match (annotation.bbox, file.box_format) {
            (None, _) => mask.bounding_box(),
            (Some(bbox), BoxFormat::Xyxy) => checked(bbox, path, at("bbox"))?,
            (Some([x, y, w, h]), BoxFormat::Xywh) => checked([x, y, x + w, y + h], path, at("bbox"))?,
        };
        items.push(InstanceMask {
            name: annotation.class_name,
            score,
            bbox,
            mask,
        });
    }
    Ok(Masks::of((width, height), items, None))
}

fn checked(bbox: [f64; 4], path: &Path, place: String) -> Result<BoxXyxy, FormatError> {
    let [x0, y0, x1, y1] = bbox;
    if bbox.iter().all(|edge| edge.is_finite()) && x0 <= x1 && y0 <= y1 {
        return Ok(BoxXyxy { x0, y0, x1, y1 });
    }
    Err(Problem::negative_box(place, bbox).at(path))
}

#[derive(Serialize)]
struct Written<'a> {
    image_path: &'a str,
    annotations: Vec<WrittenAnnotation<'a>>,
    box_format: &'static str,
    img_width: u32,
    img_height: u32,
}

#[derive(Serialize)]
struct WrittenAnnotation<'a> {
    class_name: &'a str,
    bbox: [f64; 4],
    segmentation: WrittenRuns,
    score: f64,
}

/// Writes the masks of an image in the same form, with COCO's text; the file contains `image_path`.
pub fn write_grounded_sam(path: &Path, masks: &Masks, image_path: &str) -> Result<(), FormatError> {
    atomic_file::write(path, &to_bytes(path, masks, image_path)?)
}

/// The bytes of that file.
pub(super) fn to_bytes(path: &Path, masks: &Masks, image_path: &str) -> Result<Vec<u8>, FormatError> {
    let annotations = masks.items.iter().map(|item| WrittenAnnotation {
        class_name: &item.name,
        bbox: item.bbox.edges(),
        segmentation: WrittenRuns::of(&item.mask),
        score: item.score,
    });
    let written = Written {
        image_path,
        annotations: annotations.collect(),
        box_format: "xyxy",
        img_width: masks.size_px.0,
        img_height: masks.size_px.1,
    };
    json::to_bytes(path, &written)
}
