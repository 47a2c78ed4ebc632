//! COCO's boxes: instances or results of all images in one file.

use super::found_objects::{FoundObjects, Label};
use crate::masks::coco_file::{self, CocoEntry, CocoImage, EntryFault};
use crate::{FormatError, Problem};
use neurogauge_core::LabelList;
use std::collections::{BTreeMap, HashSet};
use std::path::Path;

/// Ids that COCO's list of 80 categories leaves out of 1 to 90.
const NOT_USED: [i64; 10] = [12, 26, 29, 30, 45, 66, 68, 69, 71, 83];

/// The objects of each image in COCO's file.
pub(super) struct CocoBoxes {
    /// The images of instances in the order of their ids, or those that results name.
    pub(super) images: Vec<(String, FoundObjects<'static>)>,
    /// The numbers and names of categories; `None` if the file lacks a name.
    pub(super) names: Option<Vec<(i64, String)>>,
    /// The id of each image; empty for results, which lack the images without objects.
    pub(super) ids: Vec<i64>,
}

/// Reads COCO's instances or results: their boxes, or those around masks. Crowds are left out, since they are no single
/// objects. An object without a score, in instances, gets 1; the most confident objects of an image come first.
pub(super) fn read(path: &Path, bytes: &[u8]) -> Result<CocoBoxes, FormatError> {
    let is_instances = bytes.trim_ascii_start().starts_with(b"{")
        && std::str::from_utf8(bytes).is_ok_and(|text| text.contains("\"images\""));
    let (entries, images, names) = match is_instances {
        true => {
            let file = coco_file::parse_instances(path, bytes)?;
            let are_named = !file.categories.is_empty() && file.categories.iter().all(|it| !it.name.is_empty());
            let names = file.categories.into_iter().map(|category| (category.id, category.name)).collect();
            (file.annotations, file.images, are_named.then_some(names))
        }
        false => (coco_file::parse_results(path, bytes)?, Vec::new(), None),
    };
    let sizes = coco_file::sizes(&images);
    let mut by_image: BTreeMap<i64, FoundObjects<'static>> = BTreeMap::new();
    for (index, entry) in entries.iter().enumerate().filter(|(_, entry)| entry.iscrowd == 0) {
        let at = |what: &str| format!("{}[{index}].{what}", if is_instances { "annotations" } else { "" });
        let faulty = |(what, reason): EntryFault| Problem::invalid(at(what), reason).at(path);
        if is_instances && !sizes.contains_key(&entry.image_id) {
            let reason = format!("{} is the id of no image of the file", entry.image_id);
            return Err(Problem::invalid(at("image_id"), reason).at(path));
        }
        let [left, top, width, height] = bbox(entry, sizes.get(&entry.image_id).copied()).map_err(faulty)?;
        let score = entry.score.or(is_instances.then_some(1.0));
        let score = score.ok_or_else(|| faulty(("score", "is missing; expected a confidence".to_owned())))?;
        let found = by_image.entry(entry.image_id).or_default();
        found.push(Label::Index(entry.category_id), score, [left, top, left + width, top + height]);
    }
    let ids: Vec<i64> = images.iter().map(|image| image.id).collect();
    let mut found = |id: i64| by_image.remove(&id).unwrap_or_default().into_order_of_scores();
    let mut of_image = |image: &CocoImage| {
        let objects = FoundObjects {
            image_size_px: Some((f64::from(image.width), f64::from(image.height))),
            ..found(image.id)
        };
        (image.stem(), objects)
    };
    let images: Vec<(String, FoundObjects<'static>)> = match is_instances {
        true => images.iter().map(&mut of_image).collect(),
        false => by_image.into_iter().map(|(id, found)| (id.to_string(), found.into_order_of_scores())).collect(),
    };
    let mut seen = HashSet::new();
    if let Some((stem, _)) = images.iter().find(|(stem, _)| !seen.insert(stem)) {
        return Err(
            Problem::invalid("images", format!("the stem {stem:?} occurs twice; file names must differ")).at(path)
        );
    }
    Ok(CocoBoxes { images, names, ids })
}

fn bbox(entry: &CocoEntry<'_>, size: Option<(u32, u32)>) -> Result<[f64; 4], EntryFault> {
    match (entry.bbox()?, size) {
        (Some(bbox), _) => Ok(bbox),
        (None, Some(size)) => entry.box_or_bounds(entry.mask(size)?.as_ref()),
        (None, None) => Err(("bbox", "is missing; expected [left, top, width, height]".to_owned())),
    }
}

/// The ids of COCO's 80 categories with their names.
pub(super) fn official_ids(list: &LabelList) -> Vec<(i64, String)> {
    (1..=90).filter(|id| !NOT_USED.contains(id)).zip(list.names().iter().cloned()).collect()
}
