//! The weight of a box in the size and location variants.

use super::Variant;
use neurogauge_core::BoxXyxy;

/// The weight, between 1 and 2, of a category whose highest-scoring box is `bbox`.
///
/// The paper fixes both ends ("twice as much") and linearity. The distance from the centre is measured per axis and the
/// larger one counts (Chebyshev), so that every point of the image's edge weighs 1, not only its corners.
pub(super) fn box_weight(variant: Variant, bbox: &BoxXyxy, image_size_px: Option<(f64, f64)>) -> f64 {
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

#[cfg(test)]
mod tests {
    use super::*;

    fn weight(variant: Variant, x0: f64, y0: f64, x1: f64, y1: f64) -> f64 {
        box_weight(variant, &BoxXyxy { x0, y0, x1, y1 }, Some((200.0, 100.0)))
    }

    #[test]
    fn size_runs_from_one_to_two_and_ignores_what_is_outside_the_image() {
        assert_eq!(weight(Variant::Size, 0.0, 0.0, 200.0, 100.0), 2.0);
        assert_eq!(weight(Variant::Size, 0.0, 0.0, 100.0, 100.0), 1.5);
        assert_eq!(weight(Variant::Size, 10.0, 10.0, 10.0, 90.0), 1.0);
        assert_eq!(weight(Variant::Size, -300.0, -300.0, 900.0, 900.0), 2.0);
        assert_eq!(weight(Variant::Size, 250.0, 10.0, 300.0, 90.0), 1.0);
        // Both of its axes are inverted.
        assert_eq!(weight(Variant::Size, 100.0, 100.0, 0.0, 0.0), 1.5);
    }

    #[test]
    fn location_is_two_at_the_centre_and_one_on_every_edge() {
        assert_eq!(weight(Variant::Location, 90.0, 40.0, 110.0, 60.0), 2.0);
        assert_eq!(weight(Variant::Location, 140.0, 40.0, 160.0, 60.0), 1.5);
        assert_eq!(weight(Variant::Location, 200.0, 50.0, 200.0, 50.0), 1.0);
        assert_eq!(weight(Variant::Location, 100.0, 0.0, 100.0, 0.0), 1.0);
        assert_eq!(weight(Variant::Location, 300.0, 0.0, 400.0, 0.0), 1.0);
    }
}
