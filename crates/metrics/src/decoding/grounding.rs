//! Brain grounding: where is the thing that was asked for?

use neurogauge_core::{BoxXyxy, Outcome, Side, Undefined};

/// The boxes of one category in one image: where the thing is, and where it was decoded.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct GroundedBox {
    /// Where it is.
    pub reference: BoxXyxy,
    /// Where it was decoded; nothing if no box was decoded.
    pub decoded: Option<BoxXyxy>,
}

/// Intersection over union of a decoded box with the reference, in any unit of length.
///
/// - Range: 0 to 1, higher is better.
/// - Conventions: `grounding-missing` (no decoded box, or one that is turned inside out: 0).
/// - Undefined: a coordinate that is not finite; a reference box without area (`Empty`).
/// - Reference: hand-made cases, and BrainHub's published figures.
///
/// ```
/// use neurogauge_core::BoxXyxy;
/// use neurogauge_metrics::decoding::grounding::{GroundedBox, grounding_iou};
/// let reference = BoxXyxy { x0: 0.0, y0: 0.0, x1: 0.5, y1: 0.5 };
/// let decoded = Some(BoxXyxy { x0: 0.25, y0: 0.0, x1: 0.75, y1: 0.5 });
/// let iou = grounding_iou(&GroundedBox { reference, decoded }).unwrap();
/// assert!((iou - 1.0 / 3.0).abs() < 1e-15);
/// assert_eq!(grounding_iou(&GroundedBox { reference, decoded: None }), Ok(0.0));
/// ```
pub fn grounding_iou(boxes: &GroundedBox) -> Outcome {
    let reference = boxes.reference;
    let is_finite = |b: BoxXyxy| [b.x0, b.y0, b.x1, b.y1].iter().all(|v| v.is_finite());
    if !is_finite(reference) {
        return Err(Undefined::NonFinite(Side::Gt));
    }
    if reference.x1 <= reference.x0 || reference.y1 <= reference.y0 {
        return Err(Undefined::Empty(Side::Gt));
    }
    let Some(decoded) = boxes.decoded else {
        return Ok(0.0);
    };
    if !is_finite(decoded) {
        return Err(Undefined::NonFinite(Side::Recon));
    }
    let width = reference.x1.min(decoded.x1) - reference.x0.max(decoded.x0);
    let height = reference.y1.min(decoded.y1) - reference.y0.max(decoded.y0);
    if width <= 0.0 || height <= 0.0 {
        return Ok(0.0);
    }
    let shared = width * height;
    Ok(shared / (reference.area_px2() + decoded.area_px2() - shared))
}

/// Accuracy at a threshold: does the decoded box overlap the reference by more than `threshold`?
///
/// - Range: 1 if so and 0 if not; the mean over boxes is BrainHub's acc@0.5.
/// - Conventions: `grounding-threshold` (more than the threshold, not as much).
/// - Undefined: as [`grounding_iou`].
pub fn grounding_hit(boxes: &GroundedBox, threshold: f64) -> Outcome {
    grounding_iou(boxes).map(|iou| f64::from(iou > threshold))
}
