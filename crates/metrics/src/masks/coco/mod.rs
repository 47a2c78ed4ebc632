//! COCO's evaluation of masks and boxes: average precision and recall.
//!
//! The steps, their order and their arithmetic are those of `COCOeval(..., "segm")` in pycocotools
//! 2.0.11, so that every number has the same bits: detections are matched greedily, best score first
//! ([`matching`]); precision is made monotone and read at 101 recalls ([`curves`]); the existing values are averaged in
//! NumPy's order of summation ([`summary`]).

mod curves;
mod matching;
mod mean;
mod shapes;
mod summary;

pub use curves::Curves;
pub use matching::{CocoMask, CocoPrediction, ImageMasks, MAX_DETECTIONS, evaluate};
pub use shapes::{CocoBox, CocoShape};
pub use summary::{CocoSummary, SUMMARY_NAMES};

/// Overlap thresholds for a detection to count as found: 0.50, 0.55, ..., 0.95, as computed by
/// `numpy.linspace(0.5, 0.95, 10)`.
pub fn iou_thresholds() -> Vec<f64> {
    linspace(0.5, 0.95, 10)
}

/// Recalls at which precision is read: 0, 0.01, ..., 1.
pub(crate) fn recall_thresholds() -> Vec<f64> {
    linspace(0.0, 1.0, 101)
}

/// NumPy's evenly spaced numbers.
fn linspace(from: f64, to: f64, n: usize) -> Vec<f64> {
    let step = (to - from) / (n - 1) as f64;
    let mut values: Vec<f64> = (0..n).map(|i| i as f64 * step + from).collect();
    if let Some(last) = values.last_mut() {
        *last = to;
    }
    values
}
