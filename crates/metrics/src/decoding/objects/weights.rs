//! The weight of a box in the size and location variants.

use super::Variant;
use neurogauge_core::BoxXyxy;

/// The weight, between 1 and 2, of a category whose highest-scoring box is `bbox`.
///
/// The paper fixes both ends ("twice as much") and linearity. The distance from the centre is measured per axis and the
/// larger one counts (Chebyshev), so that every point of the image's edge weighs 1, not only its corners.
pub fn box_weight(variant: Variant, bbox: &BoxXyxy, image_size_px: Option<(f64, f64)>) -> f64 {
    let Some((width, height)) = image_size_px else {
        return 1.0;
    };
    let bbox = bbox.upright();
    match variant {
        Variant::Existence | Variant::Number => 1.0,
        Variant::Size => {
            let inside_x = (bbox.x1.min(width) - bbox.x0.max(0.0)).max(0.0);
            let inside_y = (bbox.y1.min(height) - bbox.y0.max(0.0)).max(0.0);
            1.0 + inside_x * inside_y / (width * height)
        }
        Variant::Location => {
            let from_centre = |low: f64, high: f64, extent: f64| {
                let half = extent / 2.0;
                ((low + high) / 2.0 - half).abs() / half
            };
            let distance = from_centre(bbox.x0, bbox.x1, width).max(from_centre(bbox.y0, bbox.y1, height));
            (2.0 - distance).clamp(1.0, 2.0)
        }
    }
}
