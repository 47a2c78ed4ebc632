//! One JSON file per image, as mmdetection's `DetInferencer` writes to `preds/<stem>.json`.

use super::found_objects::{FORM, FoundObjects};
use super::names::LabelNames;
use super::{data_sample, transformers};
use crate::{AtPath, FormatError, Problem, atomic_file, json};
use neurogauge_core::{BoxXyxy, Detection, Detections, LabelList};
use serde::Serialize;
use std::path::Path;

/// Reads the detections of one image, in the order of the file.
///
/// The file is `{"labels": [int], "scores": [float], "bboxes": [[x0, y0, x1, y1]]}` with boxes in pixels; labels may
/// also be category names, or numbers whose names are in the file: `label_names` has a name for each object, `classes`,
/// `metainfo`, `dataset_meta` or COCO's `categories` a name for each number. Names are looked up in `labels`; numbers
/// without names are positions in it. Other keys (such as `masks`) are ignored. `image_size_px`, `[width, height]`, is
/// read if present: mmdetection does not write it, [`write_mmdet`] does.
///
/// The results of other programs for one image are read, too: mmdetection's `DetDataSample` (`pred_instances`), the
/// dictionaries of torchvision and transformers (`boxes`), and the lists of transformers' pipelines.
///
/// # Errors
/// JSON faults with line and column; arrays of unequal length; a label outside the list; a score outside 0..1. An
/// inverted box is accepted, as in SEED's code ([`DetectionSource::inverted`](super::DetectionSource::inverted) names
/// it).
pub fn read_mmdet(path: &Path, labels: &LabelList) -> Result<Detections, FormatError> {
    let file = json::read_bytes(path, FORM)?;
    let file = parse(path, &file)?;
    let names = LabelNames::of(&file, None);
    from_file(path, &file, &|index| names.category(path, index, labels))
}

/// The forms of one file for each image, besides the one that is written here.
const SAMPLES: &str = "mmdetection's data samples";
const LISTS: &str = "transformers' lists";
const DICTIONARIES: &str = "torchvision's dictionaries";

/// The program whose form this is, by its keys; empty for mmdetection's own.
pub(super) fn form(bytes: &[u8]) -> &'static str {
    let text = std::str::from_utf8(bytes).unwrap_or_default();
    match text.trim_start().starts_with('[') {
        true => LISTS,
        false if text.contains("\"pred_instances\"") => SAMPLES,
        false if text.contains("\"boxes\"") => DICTIONARIES,
        false => "",
    }
}

/// The content of a file, whose three lists have equal lengths.
pub(super) fn parse<'a>(path: &Path, bytes: &'a [u8]) -> Result<FoundObjects<'a>, FormatError> {
    let form = form(bytes);
    let file = match form {
        LISTS => transformers::parse(path, bytes)?,
        SAMPLES => data_sample::parse(path, bytes)?,
        _ => json::parse(path, bytes, FORM)?,
    };
    check_lengths(path, &file)?;
    match form {
        LISTS | DICTIONARIES => Ok(file.into_order_of_scores()),
        _ => Ok(file),
    }
}

/// Refuses lists of unequal lengths.
pub(super) fn check_lengths(path: &Path, file: &FoundObjects<'_>) -> Result<(), FormatError> {
    let lengths = (file.labels.len(), file.scores.len(), file.bboxes.len());
    if lengths.0 != lengths.1 || lengths.0 != lengths.2 {
        let reason = format!("{}, {} and {} entries; expected one of each per object", lengths.0, lengths.1, lengths.2);
        return Err(Problem::invalid("labels, scores, bboxes", reason).at(path));
    }
    let n_names = file.label_names.as_ref().map_or(lengths.0, Vec::len);
    if n_names != lengths.0 {
        return Err(Problem::invalid("label_names", format!("{n_names} names of {} labels", lengths.0)).at(path));
    }
    Ok(())
}

/// The detections in a file, with categories given by their positions in the list.
pub(super) fn from_file(
    path: &Path,
    file: &FoundObjects<'_>,
    category: &dyn Fn(usize) -> Result<usize, FormatError>,
) -> Result<Detections, FormatError> {
    let mut items = Vec::with_capacity(file.labels.len());
    for (index, (&score, bbox)) in file.scores.iter().zip(&file.bboxes).enumerate() {
        let detection = Detection {
            category: category(index)?,
            score,
            bbox: BoxXyxy::of(bbox.0),
        };
        check(path, index, &detection)?;
        items.push(detection);
    }
    if let Some((width, height)) = file.image_size_px {
        check_image_size(path, width, height)?;
    }
    Ok(Detections::of(items, file.image_size_px))
}

/// Writes detections in mmdetection's form; [`read_mmdet`] returns exactly the same.
///
/// If known, `image_size_px` is written as an additional key, which code written for mmdetection ignores.
///
/// # Errors
/// The detections would be refused by [`read_mmdet`]. Nothing is written then.
pub fn write_mmdet(path: &Path, detections: &Detections) -> Result<(), FormatError> {
    atomic_file::write(path, &to_bytes(path, detections)?)
}

/// The bytes that [`write_mmdet`] writes.
pub(super) fn to_bytes(path: &Path, detections: &Detections) -> Result<Vec<u8>, FormatError> {
    #[derive(Serialize)]
    struct Out {
        labels: Vec<usize>,
        scores: Vec<f64>,
        bboxes: Vec<[f64; 4]>,
        #[serde(skip_serializing_if = "Option::is_none")]
        image_size_px: Option<(f64, f64)>,
    }
    for (index, detection) in detections.items.iter().enumerate() {
        check(path, index, detection)?;
    }
    if let Some((width, height)) = detections.image_size_px {
        check_image_size(path, width, height)?;
    }
    let items = &detections.items;
    let out = Out {
        labels: items.iter().map(|item| item.category).collect(),
        scores: items.iter().map(|item| item.score).collect(),
        bboxes: items.iter().map(|item| item.bbox.edges()).collect(),
        image_size_px: detections.image_size_px,
    };
    serde_json::to_vec(&out).map_err(Problem::new).at(path)
}

fn check(path: &Path, index: usize, detection: &Detection) -> Result<(), FormatError> {
    if !(0.0..=1.0).contains(&detection.score) {
        let found = format!("scores[{index}] is {}", detection.score);
        return Err(Problem::unexpected(found, "a score between 0 and 1").at(path));
    }
    check_finite(path, &detection.bbox, index)
}

fn check_finite(path: &Path, bbox: &BoxXyxy, index: usize) -> Result<(), FormatError> {
    let numbers = bbox.edges();
    if numbers.iter().all(|edge| edge.is_finite()) {
        return Ok(());
    }
    Err(Problem::negative_box(format!("bboxes[{index}]"), numbers).at(path))
}

fn check_image_size(path: &Path, width: f64, height: f64) -> Result<(), FormatError> {
    if width.is_finite() && height.is_finite() && width > 0.0 && height > 0.0 {
        return Ok(());
    }
    Err(
        Problem::invalid("image_size_px", format!("[{width}, {height}]; expected a width and a height above 0"))
            .at(path),
    )
}
