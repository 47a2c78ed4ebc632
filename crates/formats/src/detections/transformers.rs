//! Lists as transformers makes them of one image: the objects of a pipeline, or a batch of one image.

use super::found_objects::{FORM, FoundObjects, Label};
use crate::{FormatError, Problem, json};
use serde::Deserialize;
use std::path::Path;

/// An object of the pipeline "object-detection".
#[derive(Deserialize)]
#[serde(expecting = "an object with score, label and box")]
struct PipelineObject {
    score: f64,
    label: String,
    #[serde(rename = "box")]
    corners: Corners,
}

#[derive(Deserialize)]
#[serde(expecting = "a box {\"xmin\": .., \"ymin\": .., \"xmax\": .., \"ymax\": ..}")]
struct Corners {
    xmin: f64,
    ymin: f64,
    xmax: f64,
    ymax: f64,
}

/// The objects in a list: `[{"score", "label", "box"}]`, or one dictionary as torchvision returns it. An empty list has
/// no object.
pub(super) fn parse<'a>(path: &Path, bytes: &'a [u8]) -> Result<FoundObjects<'a>, FormatError> {
    if std::str::from_utf8(bytes).is_ok_and(|text| text.contains("\"labels\"")) {
        let batch: Vec<FoundObjects<'_>> = json::parse(path, bytes, FORM)?;
        let n_images = batch.len();
        return match <[FoundObjects<'_>; 1]>::try_from(batch) {
            Ok([image]) => Ok(image),
            Err(_) => {
                Err(Problem::content(format!("the objects of {n_images} images"), "a file for each image").at(path))
            }
        };
    }
    let objects: Vec<PipelineObject> = json::parse(path, bytes, FORM)?;
    let mut found = FoundObjects::default();
    for PipelineObject { score, label, corners } in objects {
        found.push(Label::Name(label.into()), score, [corners.xmin, corners.ymin, corners.xmax, corners.ymax]);
    }
    Ok(found)
}
