//! COCO's JSON: instances (the truth) and results (detections), as they are in files.

use super::segmentation::Segmentation;
use crate::json::{self, Id};
use crate::{FormatError, Problem};
use neurogauge_core::Mask;
use serde::de::{Error as _, IgnoredAny};
use serde::{Deserialize, Deserializer};
use std::collections::{HashMap, HashSet};
use std::path::Path;

/// The forms of the two files, for messages.
pub(crate) const INSTANCES: &str = "COCO's instances, {\"images\": [{\"id\": 1, \"width\": 640, \"height\": 480}], \
                                    \"categories\": [{\"id\": 18, \"name\": \"dog\"}], \"annotations\": [..]}";
pub(crate) const RESULTS: &str = "COCO's results, [{\"image_id\": 1, \"category_id\": 18, \"bbox\": [left, top, width, \
                                  height], \"score\": 0.9}], with \"segmentation\" for masks";

/// An image of COCO's instances.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
pub struct CocoImage {
    #[serde(deserialize_with = "whole")]
    pub id: i64,
    #[serde(default)]
    pub file_name: String,
    /// Width, px.
    pub width: u32,
    /// Height, px.
    pub height: u32,
}

impl CocoImage {
    /// The stem of its file, or its id if it has no file.
    pub(crate) fn stem(&self) -> String {
        let stem = Path::new(&self.file_name).file_stem();
        stem.map_or_else(|| self.id.to_string(), |stem| stem.to_string_lossy().into_owned())
    }
}

/// A category of COCO's instances.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
pub struct CocoCategory {
    #[serde(deserialize_with = "whole")]
    pub id: i64,
    #[serde(default)]
    pub name: String,
}

/// A file of instances. Images and categories are in ascending order of their ids, annotations in that of the file.
#[derive(Deserialize)]
#[serde(expecting = "COCO's object with images, annotations and categories")]
pub(crate) struct InstancesFile<'a> {
    pub(crate) images: Vec<CocoImage>,
    #[serde(borrow)]
    pub(crate) annotations: Vec<CocoEntry<'a>>,
    pub(crate) categories: Vec<CocoCategory>,
}

/// An annotation or a result.
#[derive(Deserialize)]
#[serde(expecting = "an object with image_id, category_id, and segmentation or bbox")]
pub(crate) struct CocoEntry<'a> {
    #[serde(default, deserialize_with = "some_whole")]
    pub(crate) id: Option<i64>,
    #[serde(deserialize_with = "whole")]
    pub(crate) image_id: i64,
    #[serde(deserialize_with = "whole")]
    pub(crate) category_id: i64,
    #[serde(borrow, default)]
    segmentation: Option<Segmentation<'a>>,
    bbox: Option<Vec<f64>>,
    pub(crate) area: Option<f64>,
    #[serde(default)]
    pub(crate) iscrowd: u8,
    pub(crate) score: Option<f64>,
}

/// A whole number, which others write as a text or a float, too.
fn whole<'de, D: Deserializer<'de>>(deserializer: D) -> Result<i64, D::Error> {
    let Id(id) = Id::deserialize(deserializer)?;
    id.parse().map_err(|_| D::Error::custom(format!("the id {id:?}; expected a whole number")))
}

fn some_whole<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<i64>, D::Error> {
    whole(deserializer).map(Some)
}

/// A fault of an entry: what is at fault, and why.
pub(crate) type EntryFault = (&'static str, String);

impl CocoEntry<'_> {
    /// Its mask in an image of this size, if it has one.
    pub(crate) fn mask(&self, (height, width): (u32, u32)) -> Result<Option<Mask>, EntryFault> {
        let of_shape = self.segmentation.as_ref().filter(|shape| self.bbox.is_none() || !shape.is_empty());
        of_shape
            .map(|shape| shape.mask(height, width))
            .transpose()
            .map_err(|reason| ("segmentation", reason))
    }

    /// Its box: left, top, width, height, if it has one.
    pub(crate) fn bbox(&self) -> Result<Option<[f64; 4]>, EntryFault> {
        let Some(found) = self.bbox.as_deref().filter(|found| !found.is_empty()) else {
            return Ok(None);
        };
        match *found {
            [x, y, width, height] if [x, y, width, height, width * height].iter().all(|edge| edge.is_finite()) => {
                Ok(Some([x, y, width, height]))
            }
            _ => Err(("bbox", format!("{found:?}; expected four finite numbers, [left, top, width, height]"))),
        }
    }

    /// Its box, or the box around its mask.
    pub(crate) fn box_or_bounds(&self, mask: Option<&Mask>) -> Result<[f64; 4], EntryFault> {
        let bounds = || mask.map(|mask| mask.bounds_px().unwrap_or_default().map(f64::from));
        let lacking = || ("segmentation", "neither a mask nor a box; expected segmentation or bbox".to_owned());
        self.bbox()?.or_else(bounds).ok_or_else(lacking)
    }
}

/// Is the text COCO's instances or results, and not another JSON?
pub(crate) fn is_coco(text: &str) -> bool {
    text.contains("\"image_id\"") && (text.trim_start().starts_with('[') || text.contains("\"annotations\""))
        || text.contains("\"annotations\"") && text.contains("\"images\"")
}

pub(crate) fn parse_instances<'a>(path: &Path, bytes: &'a [u8]) -> Result<InstancesFile<'a>, FormatError> {
    let is_list = bytes.trim_ascii_start().starts_with(b"[");
    if is_list && serde_json::from_slice::<IgnoredAny>(bytes).is_ok() {
        return Err(Problem::content("a list, as COCO's results are", INSTANCES).at(path));
    }
    let mut file: InstancesFile<'_> = json::parse(path, bytes, INSTANCES)?;
    file.images.sort_by_key(|image| image.id);
    file.categories.sort_by_key(|category| category.id);
    unique(path, "images", file.images.iter().map(|image| image.id))?;
    unique(path, "categories", file.categories.iter().map(|category| category.id))?;
    unique(path, "annotations", file.annotations.iter().filter_map(|entry| entry.id))?;
    Ok(file)
}

/// Parses a file of results: a list, or an object with the list under `annotations`.
pub(crate) fn parse_results<'a>(path: &Path, bytes: &'a [u8]) -> Result<Vec<CocoEntry<'a>>, FormatError> {
    #[derive(Deserialize)]
    #[serde(expecting = "a list of results, or an object with one under annotations")]
    struct Within<'a> {
        #[serde(borrow)]
        annotations: Vec<CocoEntry<'a>>,
    }
    match bytes.trim_ascii_start().first() {
        Some(b'{') => Ok(json::parse::<Within<'_>>(path, bytes, RESULTS)?.annotations),
        _ => json::parse(path, bytes, RESULTS),
    }
}

/// Height and width of each image by its id, px.
pub(crate) fn sizes(images: &[CocoImage]) -> HashMap<i64, (u32, u32)> {
    images.iter().map(|image| (image.id, (image.height, image.width))).collect()
}

fn unique(path: &Path, list: &str, ids: impl Iterator<Item = i64>) -> Result<(), FormatError> {
    let mut seen = HashSet::new();
    for id in ids {
        if !seen.insert(id) {
            return Err(Problem::invalid(list, format!("the id {id} occurs twice; ids must differ")).at(path));
        }
    }
    Ok(())
}
