//! COCO's JSON of instances (the truth) and of results (detections).

use super::segmentation::Segmentation;
use crate::{FormatError, Problem, json};
use neurogauge_core::{InstanceMask, Mask, Masks};
use serde::Deserialize;
use std::collections::{BTreeMap, HashMap, HashSet};
use std::path::Path;

/// An image of a [`CocoInstances`].
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
pub struct CocoImage {
    pub id: i64,
    #[serde(default)]
    pub file_name: String,
    /// Width, px.
    pub width: u32,
    /// Height, px.
    pub height: u32,
}

/// A category of a [`CocoInstances`].
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
pub struct CocoCategory {
    pub id: i64,
    #[serde(default)]
    pub name: String,
}

/// A mask of a [`CocoInstances`].
#[derive(Debug, Clone, PartialEq)]
pub struct CocoAnnotation {
    pub id: i64,
    pub image_id: i64,
    pub category_id: i64,
    pub mask: Mask,
    /// The area in the file, otherwise the mask's, px².
    pub area_px2: f64,
    /// Is it one mask around many objects?
    pub is_crowd: bool,
    /// Confidence, if the file has one.
    pub score: Option<f64>,
}

#[derive(Debug, Clone, PartialEq)]
pub struct CocoInstances {
    /// In ascending order of their ids.
    pub images: Vec<CocoImage>,
    /// In ascending order of their ids.
    pub categories: Vec<CocoCategory>,
    /// In the order of the file.
    pub annotations: Vec<CocoAnnotation>,
}

#[derive(Debug, Clone, PartialEq)]
pub struct CocoResult {
    pub image_id: i64,
    pub category_id: i64,
    pub mask: Mask,
    /// Area of the mask, px²; if the first detection of the file has a box, the area of the box, as in pycocotools.
    pub area_px2: f64,
    /// Confidence.
    pub score: f64,
}

#[derive(Deserialize)]
#[serde(expecting = "COCO's object with images, annotations and categories")]
struct InstancesFile<'a> {
    images: Vec<CocoImage>,
    #[serde(borrow)]
    annotations: Vec<AnnotationEntry<'a>>,
    categories: Vec<CocoCategory>,
}

#[derive(Deserialize)]
struct AnnotationEntry<'a> {
    id: i64,
    image_id: i64,
    category_id: i64,
    #[serde(borrow)]
    segmentation: Segmentation<'a>,
    #[serde(default)]
    area: Option<f64>,
    #[serde(default)]
    iscrowd: u8,
    #[serde(default)]
    score: Option<f64>,
}

#[derive(Deserialize)]
struct ResultEntry<'a> {
    image_id: i64,
    category_id: i64,
    #[serde(borrow)]
    segmentation: Segmentation<'a>,
    #[serde(default)]
    bbox: Vec<f64>,
    score: f64,
}

fn invalid(path: &Path, place: String, reason: String) -> FormatError {
    Problem::invalid(place, reason).at(path)
}

/// Reads COCO's file of instances: `images` (id, width, height, file_name), `categories` (id, name) and
/// `annotations` (id, image_id, category_id, segmentation, area, iscrowd, score).
///
/// A segmentation is a list of polygons, or run lengths as text or as a list. `area`, `iscrowd`, `score` and names may
/// be missing. Annotations of categories that the file does not list are ignored, as in pycocotools.
///
/// # Errors
/// JSON faults with line and column; an id that occurs twice; an annotation of an image that the file
/// does not list; a faulty segmentation; an area that is not finite; a score outside 0..1.
pub fn read_coco_instances(path: &Path) -> Result<CocoInstances, FormatError> {
    let bytes = json::read_bytes(path, "COCO's JSON of instances")?;
    let file: InstancesFile<'_> = json::parse(path, &bytes)?;
    let mut images = file.images;
    images.sort_by_key(|image| image.id);
    let mut categories = file.categories;
    categories.sort_by_key(|category| category.id);
    unique(path, "images", images.iter().map(|image| image.id))?;
    unique(path, "categories", categories.iter().map(|category| category.id))?;
    unique(path, "annotations", file.annotations.iter().map(|entry| entry.id))?;
    let sizes = sizes(&images);
    let known: HashSet<i64> = categories.iter().map(|category| category.id).collect();
    let mut annotations = Vec::with_capacity(file.annotations.len());
    for (index, entry) in file.annotations.iter().enumerate() {
        let at = |what: &str| format!("annotations[{index}].{what}");
        let Some(&(height, width)) = sizes.get(&entry.image_id) else {
            let reason = format!("{} is the id of no image of the file", entry.image_id);
            return Err(invalid(path, at("image_id"), reason));
        };
        if !known.contains(&entry.category_id) {
            continue;
        }
        let mask = entry.segmentation.mask(height, width);
        let mask = mask.map_err(|reason| invalid(path, at("segmentation"), reason))?;
        let area_px2 = entry.area.unwrap_or(mask.area_px2() as f64);
        if !area_px2.is_finite() {
            return Err(Problem::non_finite(at("area"), area_px2).at(path));
        }
        if let Some(score) = entry.score.filter(|score| !(0.0..=1.0).contains(score)) {
            let reason = format!("{score}; expected a score between 0 and 1");
            return Err(invalid(path, at("score"), reason));
        }
        annotations.push(CocoAnnotation {
            id: entry.id,
            image_id: entry.image_id,
            category_id: entry.category_id,
            mask,
            area_px2,
            is_crowd: entry.iscrowd != 0,
            score: entry.score,
        });
    }
    Ok(CocoInstances {
        images,
        categories,
        annotations,
    })
}

/// Reads COCO's file of results, a list of `{"image_id", "category_id", "segmentation", "score"}`, for
/// the images of a file of instances.
///
/// # Errors
/// JSON faults with line and column; an image that the instances lack; a faulty segmentation; a score that is not
/// finite; a box that is not four numbers if the first detection has a box.
pub fn read_coco_results(path: &Path, instances: &CocoInstances) -> Result<Vec<CocoResult>, FormatError> {
    let bytes = json::read_bytes(path, "COCO's JSON of results")?;
    let entries: Vec<ResultEntry<'_>> = json::parse(path, &bytes)?;
    let sizes = sizes(&instances.images);
    let has_boxes = entries.first().is_some_and(|entry| !entry.bbox.is_empty());
    let mut results = Vec::with_capacity(entries.len());
    for (index, entry) in entries.iter().enumerate() {
        let at = |what: &str| format!("[{index}].{what}");
        let Some(&(height, width)) = sizes.get(&entry.image_id) else {
            let reason = format!("{} is the id of no image of the instances", entry.image_id);
            return Err(invalid(path, at("image_id"), reason));
        };
        let mask = entry.segmentation.mask(height, width);
        let mask = mask.map_err(|reason| invalid(path, at("segmentation"), reason))?;
        let area_px2 = match (has_boxes, &entry.bbox[..]) {
            (false, _) => mask.area_px2() as f64,
            (true, [_, _, width, height]) if (width * height).is_finite() => width * height,
            (true, found) => {
                let reason = format!("{found:?}; expected [left, top, width, height], as the first detection has");
                return Err(invalid(path, at("bbox"), reason));
            }
        };
        if !entry.score.is_finite() {
            return Err(Problem::non_finite(at("score"), entry.score).at(path));
        }
        results.push(CocoResult {
            image_id: entry.image_id,
            category_id: entry.category_id,
            mask,
            area_px2,
            score: entry.score,
        });
    }
    Ok(results)
}

fn sizes(images: &[CocoImage]) -> HashMap<i64, (u32, u32)> {
    images.iter().map(|image| (image.id, (image.height, image.width))).collect()
}

fn unique(path: &Path, list: &str, ids: impl Iterator<Item = i64>) -> Result<(), FormatError> {
    let mut seen = HashSet::new();
    for id in ids {
        if !seen.insert(id) {
            let reason = format!("the id {id} occurs twice; ids must differ");
            return Err(invalid(path, list.to_owned(), reason));
        }
    }
    Ok(())
}

impl CocoInstances {
    /// The masks of each image by the stem of its file (or its id if it has no file), in the order of ids. Crowds are
    /// left out, since they are not single objects. A mask without a score gets 1.
    ///
    /// # Errors
    /// A category has no name, by which masks are compared; `path` is the file.
    pub fn into_masks(self, path: &Path) -> Result<Vec<(String, Masks)>, FormatError> {
        if let Some(category) = self.categories.iter().find(|category| category.name.is_empty()) {
            let reason = format!("the category {} has no name, and masks are compared by name", category.id);
            return Err(invalid(path, "categories".to_owned(), reason));
        }
        let names: HashMap<i64, &str> =
            self.categories.iter().map(|category| (category.id, category.name.as_str())).collect();
        let mut by_image: BTreeMap<i64, Vec<InstanceMask>> = BTreeMap::new();
        for annotation in self.annotations.into_iter().filter(|a| !a.is_crowd) {
            let name = names.get(&annotation.category_id).copied();
            let item = InstanceMask {
                name: name.unwrap_or_default().to_owned(),
                score: annotation.score.unwrap_or(1.0),
                bbox: annotation.mask.bounding_box(),
                mask: annotation.mask,
            };
            by_image.entry(annotation.image_id).or_default().push(item);
        }
        let masks = self.images.iter().map(|image| {
            let stem = Path::new(&image.file_name).file_stem();
            let stem = stem.map(|stem| stem.to_string_lossy().into_owned());
            let masks = Masks::of((image.width, image.height), by_image.remove(&image.id).unwrap_or_default(), None);
            (stem.unwrap_or_else(|| image.id.to_string()), masks)
        });
        Ok(masks.collect())
    }
}
