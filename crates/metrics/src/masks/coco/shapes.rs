//! The two kinds of shapes that COCO's evaluation compares.

use super::Curves;
use super::matching::{ImageMasks, curves};
use crate::MetricError;
use crate::masks::overlaps;
use neurogauge_core::Mask;

/// A shape with an overlap.
pub trait CocoShape: Sync + Sized {
    /// The overlap of each prediction with each reference, 0 to 1, prediction by prediction: intersection over union,
    /// or over the prediction alone if the reference is a crowd.
    fn overlaps(
        predicted: &[&Self],
        reference: &[&Self],
        is_crowd: impl Fn(usize) -> bool,
    ) -> Result<Vec<f64>, MetricError>;

    /// [`evaluate`](super::evaluate) for shapes of this kind. As a method of a kind, and not a function of all, it is
    /// compiled with this crate and as fast.
    fn evaluated(
        images: &[ImageMasks<Self>],
        n_categories: usize,
        iou_thresholds: &[f64],
    ) -> Result<Curves, MetricError>;
}

impl CocoShape for Mask {
    fn overlaps(
        predicted: &[&Self],
        reference: &[&Self],
        is_crowd: impl Fn(usize) -> bool,
    ) -> Result<Vec<f64>, MetricError> {
        overlaps(predicted, reference, is_crowd)
    }

    fn evaluated(
        images: &[ImageMasks<Self>],
        n_categories: usize,
        iou_thresholds: &[f64],
    ) -> Result<Curves, MetricError> {
        curves(images, n_categories, iou_thresholds)
    }
}

/// A box as COCO writes it: left, top, width and height, px.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct CocoBox(pub [f64; 4]);

impl CocoShape for CocoBox {
    fn overlaps(
        predicted: &[&Self],
        reference: &[&Self],
        is_crowd: impl Fn(usize) -> bool,
    ) -> Result<Vec<f64>, MetricError> {
        let mut values = Vec::with_capacity(predicted.len() * reference.len());
        for found in predicted {
            values.extend((0..).zip(reference).map(|(place, wanted)| box_overlap(found.0, wanted.0, is_crowd(place))));
        }
        Ok(values)
    }

    fn evaluated(
        images: &[ImageMasks<Self>],
        n_categories: usize,
        iou_thresholds: &[f64],
    ) -> Result<Curves, MetricError> {
        curves(images, n_categories, iou_thresholds)
    }
}

/// The operations and their order are those of pycocotools' `bbIou`.
fn box_overlap(d: [f64; 4], g: [f64; 4], is_crowd: bool) -> f64 {
    let shared = |axis: usize| (d[axis + 2] + d[axis]).min(g[axis + 2] + g[axis]) - d[axis].max(g[axis]);
    let (width, height) = (shared(0), shared(1));
    if width <= 0.0 || height <= 0.0 {
        return 0.0;
    }
    let (both, of_d, of_g) = (width * height, d[2] * d[3], g[2] * g[3]);
    both / if is_crowd { of_d } else { of_d + of_g - both }
}
