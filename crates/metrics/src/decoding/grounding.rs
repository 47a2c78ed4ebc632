//! Brain grounding: the location of a requested thing.

use neurogauge_core::{BoxXyxy, Detections, Outcome, Side, Undefined};

/// The boxes of one category in one image: the true one and the decoded one.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct GroundedBox {
    /// The true box of the thing.
    pub reference: BoxXyxy,
    /// The decoded box; `None` if none was decoded.
    pub decoded: Option<BoxXyxy>,
}

/// Intersection over union of a decoded box with the reference, in any unit of length.
///
/// Of a pair of images it is the mean over the categories of the stimulus; the value of a system is the mean over all
/// boxes of all images.
///
/// - Shapes: a box on each side.
/// - Range: 0 to 1, higher is better.
/// - Conventions: `grounding-first-box`, `grounding-missing` (no decoded box, or one whose corners are swapped: 0),
///   `grounding-interval`.
/// - Undefined: a coordinate that is not finite; a reference box without area (`Empty`).
/// - Reference: hand-made cases, and BrainHub's published figures.
///
/// ```
/// use neurogauge_core::BoxXyxy;
/// use neurogauge_metrics::decoding::grounding::{GroundedBox, grounding_iou};
/// let reference = BoxXyxy::of([0.0, 0.0, 0.5, 0.5]);
/// let decoded = Some(BoxXyxy::of([0.25, 0.0, 0.75, 0.5]));
/// let iou = grounding_iou(&GroundedBox { reference, decoded }).unwrap();
/// assert!((iou - 1.0 / 3.0).abs() < 1e-15);
/// assert_eq!(grounding_iou(&GroundedBox { reference, decoded: None }), Ok(0.0));
/// ```
pub fn grounding_iou(boxes: &GroundedBox) -> Outcome {
    let reference = boxes.reference;
    let is_finite = |b: BoxXyxy| b.edges().into_iter().all(f64::is_finite);
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
/// - Shapes: a box on each side.
/// - Range: 1 if so and 0 if not, higher is better; the mean over boxes is BrainHub's acc@0.5.
/// - Conventions: `grounding-threshold` (strictly more than the threshold), and those of [`grounding_iou`].
/// - Undefined: as [`grounding_iou`].
/// - Reference: as [`grounding_iou`].
pub fn grounding_hit(boxes: &GroundedBox, threshold: f64) -> Outcome {
    grounding_iou(boxes).map(|iou| f64::from(iou > threshold))
}

/// The boxes that are compared in a pair of images: for each category of the reference, its first box and the first
/// decoded one.
///
/// - Shapes: any number of boxes on each side.
/// - Conventions: `grounding-first-box`.
pub fn grounded_boxes(reference: &Detections, decoded: &Detections) -> Vec<(usize, GroundedBox)> {
    let mut boxes: Vec<(usize, GroundedBox)> = Vec::new();
    for item in &reference.items {
        if boxes.iter().any(|(category, _)| *category == item.category) {
            continue;
        }
        let mut decoded = decoded.items.iter();
        let found = decoded.find(|other| other.category == item.category);
        let pair = GroundedBox {
            reference: item.bbox,
            decoded: found.map(|other| other.bbox),
        };
        boxes.push((item.category, pair));
    }
    boxes
}

/// The first-order contribution of each image to the mean over all boxes: values whose mean is the ratio R = Σy / Σx
/// and whose spread is that of R, Rᵢ = R + (yᵢ − R xᵢ) / x̄.
///
/// If images have weights wᵢ (those of the samples of an item add up to 1), R = Σwy / Σwx and x̄ = Σwx / Σw.
///
/// - Shapes: for each image, the sum y over its boxes and their number x, and its weight.
/// - Conventions: `grounding-interval`.
/// - Reference: the ratio, and the variance of ratio estimators (Cochran 1977, equation 2.39), by hand.
///
/// ```
/// use neurogauge_metrics::decoding::grounding::box_shares;
/// // Three of four boxes: both of one image, one of two of the other.
/// assert_eq!(box_shares(&[((2.0, 2.0), 1.0), ((1.0, 2.0), 1.0)]), [1.0, 0.5]);
/// ```
pub fn box_shares(images: &[((f64, f64), f64)]) -> Vec<f64> {
    let (mut y, mut x, mut n) = (0.0, 0.0, 0.0);
    for (own, weight) in images {
        y += weight * own.0;
        x += weight * own.1;
        n += weight;
    }
    let (ratio, mean) = (y / x, x / n);
    images.iter().map(|(own, _): &((f64, f64), f64)| ratio + (own.0 - ratio * own.1) / mean).collect()
}
