//! Checks detections before they are compared.

use super::Variant;
use crate::MetricError;
use crate::error::check_confidence;
use neurogauge_core::option_words::option;
use neurogauge_core::{Detections, Side};

/// The side, stimulus first, with a score or a box that is not finite.
pub(crate) fn non_finite_side(gt: &Detections, recon: &Detections) -> Option<Side> {
    let is_finite = |detections: &Detections| {
        let mut numbers = detections.items.iter().flat_map(|item| item.bbox.edges().into_iter().chain([item.score]));
        numbers.all(f64::is_finite)
    };
    match (is_finite(gt), is_finite(recon)) {
        (false, _) => Some(Side::Gt),
        (true, false) => Some(Side::Recon),
        (true, true) => None,
    }
}

/// Refuses scores outside 0 to 1, the range of thresholds: they are logits or percentages rather than confidences.
pub(crate) fn check_scores(gt: &Detections, recon: &Detections) -> Result<(), MetricError> {
    for (side, detections) in [(Side::Gt, gt), (Side::Recon, recon)] {
        for (index, item) in detections.items.iter().enumerate() {
            check_confidence("box", index, side, item.score)?;
        }
    }
    Ok(())
}

/// Fails if a weight needs the size of an image, on either side, that is unknown.
pub(super) fn check_image_sizes(gt: &Detections, recon: &Detections, variant: Variant) -> Result<(), MetricError> {
    let is_extent = |px: f64| px.is_finite() && px > 0.0;
    for (side, detections) in [(Side::Gt, gt), (Side::Recon, recon)] {
        let known = detections.image_size_px.is_some_and(|(width, height)| is_extent(width) && is_extent(height));
        if !known {
            return Err(MetricError::Usage(format!(
                "the {} variant of Object F1 weighs boxes by the image they are in, and the size of the {side} image is \
                 not known; give the images, or {}",
                variant.id(),
                option("image-size", "WxH")
            )));
        }
    }
    Ok(())
}
