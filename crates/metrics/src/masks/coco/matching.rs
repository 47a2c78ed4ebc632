//! Matches the detections of an image with its annotations, at every threshold and size.

use super::curves::{Cell, Curves};
use super::shapes::CocoShape;
use crate::MetricError;
use neurogauge_core::Mask;
use neurogauge_core::parallel;
use std::cmp::Ordering;

/// Numbers of detections that count per category and image: the best 1, 10 and 100.
pub const MAX_DETECTIONS: [usize; 3] = [1, 10, 100];

/// Smallest and largest area of objects (all, small, medium and large), px².
pub(super) const AREAS: [(f64, f64); 4] = [(0.0, 1e10), (0.0, 1024.0), (1024.0, 9216.0), (9216.0, 1e10)];

/// A mask or a box to be found.
#[derive(Debug, Clone, PartialEq)]
pub struct CocoMask<S = Mask> {
    pub category: usize,
    pub mask: S,
    /// Area in its file, px²; COCO's are areas of polygons, not of pixels.
    pub area_px2: f64,
    /// Is it one mask around many things? It need not be found, and any number of detections may be in it.
    pub is_crowd: bool,
    /// pycocotools treats a detection that matches the annotation with id 0 as unmatched; with this flag, so does this
    /// code.
    pub has_id_zero: bool,
}

/// A detected mask or box.
#[derive(Debug, Clone, PartialEq)]
pub struct CocoPrediction<S = Mask> {
    pub category: usize,
    pub mask: S,
    /// Its area, px²: the mask's area, unless the file has boxes.
    pub area_px2: f64,
    pub score: f64,
}

/// The true and the detected masks (or boxes) of an image, each in the order of its file.
#[derive(Debug, Clone, PartialEq)]
pub struct ImageMasks<S = Mask> {
    pub reference: Vec<CocoMask<S>>,
    pub predicted: Vec<CocoPrediction<S>>,
}

impl<S> Default for ImageMasks<S> {
    fn default() -> Self {
        ImageMasks {
            reference: Vec::new(),
            predicted: Vec::new(),
        }
    }
}

/// COCO's evaluation of masks, or of boxes.
///
/// In each image and category, the 100 detections with the highest scores are taken, best first. Each is matched with
/// the reference mask that it overlaps most, if the overlap is at least the threshold and the mask is not matched yet.
/// Masks outside the range of areas, and crowds, need not be found; detections that match one of those, or that match
/// nothing and are themselves outside the range, are left out of precision.
///
/// **Shapes.** Any number of images, in the order of their ids; categories are 0 to
/// `n_categories` - 1; at most 64 thresholds.
///
/// **Errors.** Masks of one image with different sizes; a category out of range; a score that is not finite; no
/// thresholds, too many, or some not between 0 and 1.
///
/// **Reference.** `COCOeval(..., "segm")` and `COCOeval(..., "bbox")`, pycocotools 2.0.11, the same bits.
///
/// ```
/// use neurogauge_core::Mask;
/// use neurogauge_metrics::masks::coco::*;
/// let mask = Mask::from_runs(10, 10, vec![0, 50, 50])?;
/// let image = ImageMasks {
///     reference: vec![CocoMask {
///         category: 0, mask: mask.clone(), area_px2: 50.0, is_crowd: false, has_id_zero: false,
///     }],
///     predicted: vec![CocoPrediction { category: 0, mask, area_px2: 50.0, score: 0.9 }],
/// };
/// let summary = evaluate(&[image], 1, &iou_thresholds())?.summary();
/// // Average precision; its denominators are larger than their counts by 2⁻⁵², as in pycocotools.
/// assert_eq!(summary.values[0], Ok(1.0 - f64::EPSILON));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn evaluate<S: CocoShape>(
    images: &[ImageMasks<S>],
    n_categories: usize,
    iou_thresholds: &[f64],
) -> Result<Curves, MetricError> {
    S::evaluated(images, n_categories, iou_thresholds)
}

pub(super) fn curves<S: CocoShape>(
    images: &[ImageMasks<S>],
    n_categories: usize,
    iou_thresholds: &[f64],
) -> Result<Curves, MetricError> {
    check(images, n_categories, iou_thresholds)?;
    let cells: Vec<Vec<(usize, Cell)>> =
        parallel::try_map_each(images, |image| image_cells(image, n_categories, iou_thresholds))?;
    let mut by_category: Vec<Vec<Cell>> = (0..n_categories).map(|_| Vec::new()).collect();
    for (category, cell) in cells.into_iter().flatten() {
        by_category[category].push(cell);
    }
    Ok(Curves::of(&by_category, iou_thresholds))
}

fn check<S>(images: &[ImageMasks<S>], n_categories: usize, iou_thresholds: &[f64]) -> Result<(), MetricError> {
    let refused = |option, found: String, expected| Err(MetricError::option(option, found, expected));
    if !(1..=64).contains(&iou_thresholds.len()) || !iou_thresholds.iter().all(|t| (0.0..=1.0).contains(t)) {
        let (found, expected) = (format!("{iou_thresholds:?}"), "from 1 to 64 numbers from 0 to 1");
        return refused("list of overlap thresholds", found, expected);
    }
    for image in images {
        let of_reference = image.reference.iter().map(|mask| mask.category);
        let of_predicted = image.predicted.iter().map(|mask| mask.category);
        if let Some(category) = of_reference.chain(of_predicted).find(|&c| c >= n_categories) {
            return refused("category of a mask", category.to_string(), "an index below the number of categories");
        }
        if let Some(mask) = image.predicted.iter().find(|mask| !mask.score.is_finite()) {
            return refused("score of a mask", mask.score.to_string(), "a finite number");
        }
    }
    Ok(())
}

/// The categories of an image in order, each with its matches.
fn image_cells<S: CocoShape>(
    image: &ImageMasks<S>,
    n_categories: usize,
    iou_thresholds: &[f64],
) -> Result<Vec<(usize, Cell)>, MetricError> {
    let mut reference: Vec<Vec<&CocoMask<S>>> = vec![Vec::new(); n_categories];
    let mut predicted: Vec<Vec<&CocoPrediction<S>>> = vec![Vec::new(); n_categories];
    for mask in &image.reference {
        reference[mask.category].push(mask);
    }
    for mask in &image.predicted {
        predicted[mask.category].push(mask);
    }
    let mut cells = Vec::new();
    for (category, (reference, mut predicted)) in reference.iter().zip(predicted).enumerate() {
        if reference.is_empty() && predicted.is_empty() {
            continue;
        }
        // A stable sort: among equal scores, the first in the file comes first.
        predicted.sort_by(|a, b| b.score.partial_cmp(&a.score).unwrap_or(Ordering::Equal));
        predicted.truncate(MAX_DETECTIONS[2]);
        cells.push((category, cell(reference, &predicted, iou_thresholds)?));
    }
    Ok(cells)
}

fn cell<S: CocoShape>(
    reference: &[&CocoMask<S>],
    predicted: &[&CocoPrediction<S>],
    iou_thresholds: &[f64],
) -> Result<Cell, MetricError> {
    let predicted_shapes: Vec<&S> = predicted.iter().map(|shape| &shape.mask).collect();
    let reference_shapes: Vec<&S> = reference.iter().map(|shape| &shape.mask).collect();
    let overlaps = S::overlaps(&predicted_shapes, &reference_shapes, |place| reference[place].is_crowd)?;
    let mut cell = Cell {
        scores: predicted.iter().map(|mask| mask.score).collect(),
        n_wanted: [0; AREAS.len()],
        found: Default::default(),
        ignored: Default::default(),
    };
    for (range, &(smallest, largest)) in AREAS.iter().enumerate() {
        let is_outside = |area: f64| area < smallest || area > largest;
        let is_ignored = |mask: &CocoMask<S>| mask.is_crowd || is_outside(mask.area_px2);
        // Masks to be found come first, each kind in its order.
        let mut order: Vec<usize> = (0..reference.len()).collect();
        order.sort_by_key(|&place| is_ignored(reference[place]));
        let n_wanted = order.iter().filter(|&&p| !is_ignored(reference[p])).count();
        cell.n_wanted[range] = n_wanted;
        let mut found = vec![0_u64; predicted.len()];
        let mut ignored = vec![0_u64; predicted.len()];
        for (level, &threshold) in iou_thresholds.iter().enumerate() {
            let bit = 1_u64 << level;
            let mut taken = vec![false; reference.len()];
            for (detection, prediction) in predicted.iter().enumerate() {
                let row = &overlaps[detection * reference.len()..][..reference.len()];
                let mut best = threshold.min(1.0 - 1e-10);
                let mut partner = None;
                for (rank, &place) in order.iter().enumerate() {
                    if taken[place] && !reference[place].is_crowd {
                        continue;
                    }
                    // A mask to be found is never given up for one that need not be found.
                    if partner.is_some_and(|(kept, _)| kept < n_wanted) && rank >= n_wanted {
                        break;
                    }
                    if row[place] >= best {
                        best = row[place];
                        partner = Some((rank, place));
                    }
                }
                let met = partner.map(|(rank, place)| {
                    taken[place] = true;
                    if rank >= n_wanted {
                        ignored[detection] |= bit;
                    }
                    !reference[place].has_id_zero
                });
                if met == Some(true) {
                    found[detection] |= bit;
                } else if is_outside(prediction.area_px2) {
                    ignored[detection] |= bit;
                }
            }
        }
        cell.found[range] = found;
        cell.ignored[range] = ignored;
    }
    Ok(cell)
}
