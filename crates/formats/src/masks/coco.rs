//! COCO's JSON of instances (the truth) and of results (detections).

use super::coco_file::{self, CocoCategory, CocoImage, EntryFault};
use crate::{FormatError, Problem, json};
use neurogauge_core::option_words::option;
use neurogauge_core::pair::PairsOf;
use neurogauge_core::{InstanceMask, Mask, Masks};
use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
use std::path::Path;

/// An object of COCO's instances, or one of its results, which are no crowds and have a score.
#[derive(Debug, Clone, PartialEq)]
pub struct CocoAnnotation {
    pub id: i64,
    pub image_id: i64,
    pub category_id: i64,
    /// `None` if the file has only its box.
    pub mask: Option<Mask>,
    /// Left, top, width and height, px: the box in the file, otherwise the one around the mask.
    pub bbox: [f64; 4],
    /// The area in the file, otherwise the mask's or the box's, px². Of results, the mask's; if the first of the file has a
    /// box, the box's, as in pycocotools.
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

fn invalid(path: &Path, place: String, reason: String) -> FormatError {
    Problem::invalid(place, reason).at(path)
}

/// Reads COCO's file of instances: `images` (id, width, height, file_name), `categories` (id, name) and
/// `annotations` (id, image_id, category_id, segmentation, bbox, area, iscrowd, score).
///
/// A segmentation is a list of polygons, or run lengths as text or as a list; an annotation may have a box alone. Ids
/// are whole numbers, also as texts. `area`, `iscrowd`, `score` and names may be missing. Annotations of categories
/// that the file does not list are ignored, as in pycocotools.
///
/// # Errors
/// JSON faults with line and column; an id that occurs twice; an annotation of an image that the file
/// does not list, or with neither mask nor box; a faulty segmentation; an area that is not finite; a score outside
/// 0..1.
pub fn read_coco_instances(path: &Path) -> Result<CocoInstances, FormatError> {
    let bytes = json::read_bytes(path, coco_file::INSTANCES)?;
    let file = coco_file::parse_instances(path, &bytes)?;
    let sizes = coco_file::sizes(&file.images);
    let known: HashSet<i64> = file.categories.iter().map(|category| category.id).collect();
    let mut annotations = Vec::with_capacity(file.annotations.len());
    for (index, entry) in file.annotations.iter().enumerate() {
        let at = |what: &str| format!("annotations[{index}].{what}");
        let faulty = |(what, reason): EntryFault| invalid(path, at(what), reason);
        let Some(&size) = sizes.get(&entry.image_id) else {
            let reason = format!("{} is the id of no image of the file", entry.image_id);
            return Err(invalid(path, at("image_id"), reason));
        };
        if !known.contains(&entry.category_id) {
            continue;
        }
        let mask = entry.mask(size).map_err(faulty)?;
        let bbox = entry.box_or_bounds(mask.as_ref()).map_err(faulty)?;
        let area_px2 =
            entry.area.unwrap_or_else(|| mask.as_ref().map_or(bbox[2] * bbox[3], |mask| mask.area_px2() as f64));
        if !area_px2.is_finite() {
            return Err(Problem::non_finite(at("area"), area_px2).at(path));
        }
        if let Some(score) = entry.score.filter(|score| !(0.0..=1.0).contains(score)) {
            let reason = format!("{score}; expected a score between 0 and 1");
            return Err(invalid(path, at("score"), reason));
        }
        let Some(id) = entry.id else {
            return Err(invalid(
                path,
                at("id"),
                "is missing; expected a number of its own for each annotation".to_owned(),
            ));
        };
        annotations.push(CocoAnnotation {
            id,
            image_id: entry.image_id,
            category_id: entry.category_id,
            mask,
            bbox,
            area_px2,
            is_crowd: entry.iscrowd != 0,
            score: entry.score,
        });
    }
    Ok(CocoInstances {
        images: file.images,
        categories: file.categories,
        annotations,
    })
}

/// Reads COCO's file of results for the images of a file of instances: a list of `{"image_id", "category_id",
/// "segmentation", "bbox", "score"}`, or an object with such a list under `annotations`. A segmentation or a box is
/// enough. The list may be empty. With [`PairsOf::Shared`], results of images that the instances lack are left out, whose
/// ids are returned.
///
/// # Errors
/// JSON faults with line and column; an image that the instances lack; a faulty segmentation; a score that is missing
/// or not finite; a box that is not four numbers, or that is missing though the first detection has one.
pub fn read_coco_results(
    path: &Path,
    instances: &CocoInstances,
    pairs: PairsOf,
) -> Result<(Vec<CocoAnnotation>, BTreeSet<i64>), FormatError> {
    let bytes = json::read_bytes(path, coco_file::RESULTS)?;
    let entries = coco_file::parse_results(path, &bytes)?;
    let sizes = coco_file::sizes(&instances.images);
    let mut has_boxes = false;
    let (mut results, mut left_out) = (Vec::with_capacity(entries.len()), BTreeSet::new());
    for (index, entry) in entries.iter().enumerate() {
        let at = |what: &str| format!("[{index}].{what}");
        let faulty = |(what, reason): EntryFault| invalid(path, at(what), reason);
        let Some(&size) = sizes.get(&entry.image_id) else {
            if pairs == PairsOf::Shared {
                left_out.insert(entry.image_id);
                continue;
            }
            let remedy = option("pairs", "shared");
            let reason =
                format!("{} is the id of no image of the instances; {remedy} leaves such results out", entry.image_id);
            return Err(invalid(path, at("image_id"), reason));
        };
        let mask = entry.mask(size).map_err(faulty)?;
        let given = entry.bbox().map_err(faulty)?;
        has_boxes |= index == 0 && given.is_some();
        if has_boxes && given.is_none() {
            let reason = "no box; expected [left, top, width, height], as the first detection has".to_owned();
            return Err(invalid(path, at("bbox"), reason));
        }
        let bbox = entry.box_or_bounds(mask.as_ref()).map_err(faulty)?;
        let area_px2 = match &mask {
            Some(mask) if !has_boxes => mask.area_px2() as f64,
            _ => bbox[2] * bbox[3],
        };
        let Some(score) = entry.score else {
            return Err(invalid(path, at("score"), "is missing; expected the confidence of the detection".to_owned()));
        };
        if !score.is_finite() {
            return Err(Problem::non_finite(at("score"), score).at(path));
        }
        results.push(CocoAnnotation {
            id: index as i64,
            image_id: entry.image_id,
            category_id: entry.category_id,
            mask,
            bbox,
            area_px2,
            is_crowd: false,
            score: Some(score),
        });
    }
    Ok((results, left_out))
}

impl CocoInstances {
    /// The masks of each image by the stem of its file (or its id if it has no file), in the order of ids. Crowds are
    /// left out, since they are not single objects. A mask without a score gets 1.
    ///
    /// # Errors
    /// A category has no name, by which masks are compared; an annotation has only a box; `path` is the file.
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
            let Some(mask) = annotation.mask else {
                let place = format!("an object of the image {}", annotation.image_id);
                return Err(invalid(path, place, "a box without a mask; expected a segmentation".to_owned()));
            };
            let item = InstanceMask {
                name: name.unwrap_or_default().to_owned(),
                score: annotation.score.unwrap_or(1.0),
                bbox: mask.bounding_box(),
                mask,
            };
            by_image.entry(annotation.image_id).or_default().push(item);
        }
        let masks = self.images.iter().map(|image| {
            let masks = by_image.remove(&image.id).unwrap_or_default();
            (image.stem(), Masks::of((image.width, image.height), masks, None))
        });
        Ok(masks.collect())
    }
}
