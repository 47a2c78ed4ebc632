//! Masks: COCO's run lengths and polygons, in COCO's own files and in Grounded SAM 2's, and label maps.

mod coco;
pub(crate) mod coco_file;
mod coco_rle;
mod grounded_sam;
mod label_map;
mod polygons;
mod segmentation;
mod source;

pub use coco::{CocoAnnotation, CocoInstances, read_coco_instances, read_coco_results};
pub use coco_file::{CocoCategory, CocoImage};
pub use grounded_sam::{read_grounded_sam, write_grounded_sam};
pub use label_map::{LABELS_FILE, read_label_map, read_label_names};
pub use source::MaskSource;

use crate::{FormatError, Problem};
use neurogauge_core::Mask;
use std::path::Path;

/// The runs of a mask as COCO's text.
///
/// **Reference.** `pycocotools.mask.encode` 2.0.11, the same characters.
pub fn to_coco_rle(mask: &Mask) -> String {
    coco_rle::encode(mask.runs())
}

/// The mask for COCO's text in an image of this size.
///
/// # Errors
/// The text is invalid or does not fill the image; the path of the error is "counts".
pub fn from_coco_rle(text: &str, height_px: u32, width_px: u32) -> Result<Mask, FormatError> {
    let malformed = |reason: String| Problem::new(reason).at(Path::new("counts").to_owned());
    let runs = coco_rle::decode(text).map_err(|fault| malformed(fault.to_string()))?;
    Mask::from_runs(height_px, width_px, runs).map_err(|error| malformed(error.to_string()))
}

/// The pixels of a polygon with at least three corners (x and y alternating, px).
///
/// **Reference.** `pycocotools.mask.frPyObjects` 2.0.11, the same runs (empty ones joined).
///
/// # Errors
/// There are fewer than three corners; a corner is not finite or more than 100,000 px away; the image has no pixels.
/// The path of the error is "polygon".
pub fn from_polygon(corners: &[f64], height_px: u32, width_px: u32) -> Result<Mask, FormatError> {
    let mask = polygons::polygon_mask(corners, height_px, width_px);
    mask.map_err(|reason| Problem::new(reason).at(Path::new("polygon").to_owned()))
}
