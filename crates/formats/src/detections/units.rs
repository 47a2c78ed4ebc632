//! The unit of boxes: pixels, or shares of the image.

use super::found_objects::SHARES;
use super::seen::Seen;
use crate::{FormatError, Problem};
use neurogauge_core::option_words::option;
use neurogauge_core::{BoxXyxy, Detections};
use serde::{Deserialize, Serialize};
use std::path::Path;

/// A share may be outside the image by so much, since decoders round.
pub(super) const EDGE_TOLERANCE: f64 = 0.01;

/// The largest absolute coordinate of boxes that cannot be pixels. Detectors exceed the image's edge a little.
const LARGEST_SHARE: f64 = 1.5;

/// The unit of boxes in a folder of detections.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum BoxUnits {
    /// Pixels.
    Pixels,
    /// Shares of the image's width and height.
    Shares,
}

/// A box in shares, converted to px; `Err` is a coordinate that is not a share.
pub(super) fn shares_in_px(bbox: [f64; 4], (width, height): (f64, f64)) -> Result<[f64; 4], f64> {
    let inside = -EDGE_TOLERANCE..=1.0 + EDGE_TOLERANCE;
    if let Some(edge) = bbox.iter().find(|edge| !inside.contains(edge)) {
        return Err(*edge);
    }
    Ok([bbox[0] * width, bbox[1] * height, bbox[2] * width, bbox[3] * height])
}

/// Converts boxes in shares to px, using the image's size in the file, or else `size_px`.
pub(super) fn scaled(path: &Path, mut found: Detections, size_px: (f64, f64)) -> Result<Detections, FormatError> {
    let size_px = found.image_size_px.filter(|size| *size != SHARES).unwrap_or(size_px);
    for (index, item) in found.items.iter_mut().enumerate() {
        let bbox = shares_in_px(item.bbox.edges(), size_px);
        item.bbox = BoxXyxy::of(bbox.map_err(|edge| {
            Problem::invalid(
                format!("bboxes[{index}]"),
                format!(
                    "coordinate {edge}; expected shares of the image, 0 to 1; {} reads pixels",
                    option("box-units", "pixels")
                ),
            )
            .at(path)
        })?);
    }
    found.image_size_px = Some(size_px);
    Ok(found)
}

/// The unit of these boxes by their range; `None` without a box.
pub(super) fn likely(seen: &Seen) -> Option<BoxUnits> {
    let (low, high) = seen.range()?;
    Some(match low < -LARGEST_SHARE || high > LARGEST_SHARE {
        true => BoxUnits::Pixels,
        false => BoxUnits::Shares,
    })
}

/// Refuses boxes that cannot be pixels; they may be shares `of` something.
pub(super) fn check_pixels(path: &Path, seen: &Seen, of: &str) -> Result<(), FormatError> {
    let (Some(BoxUnits::Shares), Some((low, high))) = (likely(seen), seen.range()) else {
        return Ok(());
    };
    let reason = format!(
        "all coordinates of {} boxes are from {low} to {high}, which are no pixels; {} reads them as shares of {of}, {} as they are",
        seen.n_boxes,
        option("box-units", "shares"),
        option("box-units", "pixels"),
    );
    Err(Problem::invalid("bboxes", reason).at(path))
}
