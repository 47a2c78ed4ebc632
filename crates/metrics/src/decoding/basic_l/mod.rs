//! BASIC-L: masks at five granularities.

mod instances;
mod levels;
mod options;
mod overlaps;
mod roles;

pub use instances::{InstanceMatch, InstancePair, match_instances};
pub use levels::{Level, at_reference_size};
pub use options::{
    BasicLOptions, BinaryBackground, CategoriesFrom, EmptySide, InstanceMatching, InstanceNames, MaskResize,
};
pub use overlaps::{LevelOverlap, level_overlap};

pub use roles::names_at_no_level;

use crate::MetricError;
use crate::error::part;
use crate::masks::coco::{CocoMask, CocoPrediction, ImageMasks, evaluate};
use levels::{LevelMask, Sides, sides};
use neurogauge_core::{Mask, Masks, Outcome, Side, Undefined};
use std::collections::{BTreeMap, BTreeSet};

/// How well the masks of a reconstruction cover those of the stimulus, at one granularity (BASIC paper,
/// section 3.3).
///
/// With g and r the masks of a category on the two sides, IoU = |g ∩ r| / |g ∪ r|, 0 if one side has none. At the
/// salient, binary, semantic and part level: the mean over the categories that either side has. At the instance level,
/// objects are paired one to one within names, and IoU = Σ IoU(pair) / (pairs + missed + invented).
///
/// **Shapes.** Any number of masks on either side, all of one image size.
///
/// **Range.** 0 to 1, higher is better.
///
/// **Conventions.** `basic-l-levels`, `basic-l-categories`, `basic-l-matching`, `basic-l-empty`,
/// `mask-score`, `mask-size`.
///
/// **Undefined.** A side has no mask of the level. Masks without pixels count as absent.
///
/// **Errors.** masks of images of different sizes, a score outside 0 to 1, an option out of its range.
///
/// **Reference.** `reference/basic_l.py`: pycocotools 2.0.11 for overlaps and unions, SciPy 1.17.1 for the
/// assignment; within 1e-12.
///
/// ```
/// use neurogauge_core::{BoxXyxy, InstanceMask, Mask, Masks};
/// use neurogauge_metrics::decoding::basic_l::{BasicLOptions, Level, level_iou};
/// let with = |runs: &[u32]| Masks {
///     size_px: (3, 2),
///     items: vec![InstanceMask {
///         name: "dog".into(),
///         score: 1.0,
///         bbox: BoxXyxy::of([0.0, 0.0, 3.0, 2.0]),
///         mask: Mask::from_runs(2, 3, runs.to_vec()).unwrap(),
///     }],
///     categories: None,
/// };
/// let (gt, recon) = (with(&[0, 4, 2]), with(&[2, 4]));
/// let iou = level_iou(&gt, &recon, Level::Salient, &BasicLOptions::default())?;
/// assert_eq!(iou, Ok(1.0 / 3.0));
/// # Ok::<(), neurogauge_metrics::MetricError>(())
/// ```
pub fn level_iou(gt: &Masks, recon: &Masks, level: Level, options: &BasicLOptions) -> Result<Outcome, MetricError> {
    Ok(level_overlap(gt, recon, level, options)?.iou)
}

/// The masks of both images as compared at one granularity, each with the name of its category, at the size of the
/// stimulus: the masks behind [`level_iou`], for display.
///
/// **Shapes, conventions, errors.** As in [`level_iou`].
///
/// ```
/// use neurogauge_core::Masks;
/// use neurogauge_metrics::decoding::basic_l::{BasicLOptions, Level, level_masks};
/// let none = Masks { size_px: (3, 2), items: vec![], categories: None };
/// let found = level_masks(&none, &none, Level::Part, &BasicLOptions::default())?;
/// assert!(found.gt.is_empty() && found.recon.is_empty());
/// # Ok::<(), neurogauge_metrics::MetricError>(())
/// ```
pub fn level_masks(
    gt: &Masks,
    recon: &Masks,
    level: Level,
    options: &BasicLOptions,
) -> Result<neurogauge_core::Sides<Vec<(String, Mask)>>, MetricError> {
    let sides = sides(gt, recon, level, options)?;
    let named = |masks: &[LevelMask<'_>]| {
        masks.iter().map(|mask| (sides.category(mask), mask.mask.clone().into_owned())).collect()
    };
    Ok(neurogauge_core::Sides {
        gt: named(&sides.gt),
        recon: named(&sides.recon),
    })
}

/// COCO's average precision of the masks of a reconstruction, with those of the stimulus as ground truth, at one
/// granularity: the mean over the stimulus's categories, the thresholds of overlap and the 101 recalls (COCO's
/// own evaluation with this one image). A mask made of several has the highest of their scores.
///
/// **Shapes, conventions, errors.** As [`level_iou`]; also `basic-l-average-precision`.
///
/// **Range.** 0 to 1, higher is better. A category that only the reconstruction has costs nothing here, as in COCO.
///
/// **Undefined.** A side has no mask of the level.
///
/// **Reference.** `reference/basic_l.py`: `COCOeval` of pycocotools 2.0.11, bit for bit.
pub fn level_ap(gt: &Masks, recon: &Masks, level: Level, options: &BasicLOptions) -> Result<Outcome, MetricError> {
    let sides = sides(gt, recon, level, options)?;
    if let Some(outcome) = of_empty(&sides, options.empty) {
        return Ok(outcome);
    }
    let categories: BTreeSet<usize> = sides.gt.iter().chain(&sides.recon).map(|mask| mask.category).collect();
    let numbers: BTreeMap<usize, usize> = categories.iter().copied().zip(0..).collect();
    let image = ImageMasks {
        reference: sides
            .gt
            .into_iter()
            .map(|mask| CocoMask {
                category: numbers[&mask.category],
                area_px2: mask.mask.area_px2() as f64,
                mask: mask.mask.into_owned(),
                is_crowd: false,
                has_id_zero: false,
            })
            .collect(),
        predicted: sides
            .recon
            .into_iter()
            .map(|mask| CocoPrediction {
                category: numbers[&mask.category],
                area_px2: mask.mask.area_px2() as f64,
                mask: mask.mask.into_owned(),
                score: mask.score,
            })
            .collect(),
    };
    Ok(evaluate(&[image], numbers.len(), &options.iou_thresholds)?.average_precision())
}

/// The foreground of each side as one mask, as at the salient level; undefined if a side has none.
pub(crate) fn foregrounds(
    gt: &Masks,
    recon: &Masks,
    options: &BasicLOptions,
) -> Result<Result<(Mask, Mask), Undefined>, MetricError> {
    let sides = sides(gt, recon, Level::Salient, options)?;
    let empty = sides.empty_side().unwrap_or(Side::Gt);
    let mut first = [sides.gt, sides.recon].map(|masks| masks.into_iter().next());
    let both = first[0].take().zip(first[1].take());
    let both = both.map(|(gt, recon)| (gt.mask.into_owned(), recon.mask.into_owned()));
    Ok(both.ok_or(Undefined::NoCategories(empty)))
}

/// The outcome if a side has no masks (convention `basic-l-empty`).
fn of_empty(sides: &Sides<'_>, rule: EmptySide) -> Option<Outcome> {
    let side = sides.empty_side()?;
    let both = side == Side::Gt && sides.recon.is_empty();
    Some(match rule {
        EmptySide::Zero if !both => Ok(0.0),
        _ => Err(Undefined::NoCategories(side)),
    })
}

/// The weights of the salient, semantic, instance and part levels in [`basic_l`]; the binary level has none.
pub const WEIGHTS: [f64; 4] = [0.3, 0.25, 0.25, 0.2];

/// BASIC-L: 0.3 salient + 0.25 semantic + 0.25 instance + 0.2 part IoU.
///
/// **Shapes.** The four outcomes of one pair, in this order.
///
/// **Range.** 0 to 1, higher is better. The paper prints hundredths.
///
/// **Conventions.** `basic-l-weights`.
///
/// **Undefined.** One of the four has no value.
///
/// **Reference.** The weighted sums of the paper's Table 3.
///
/// ```
/// use neurogauge_metrics::decoding::basic_l::basic_l;
/// // BrainDiffuser on NSD; the paper prints 16.65.
/// let score = basic_l([&Ok(0.1796), &Ok(0.1866), &Ok(0.2009), &Ok(0.0786)]).unwrap();
/// assert!((score - 0.1665).abs() < 1e-4);
/// ```
pub fn basic_l(levels: [&Outcome; 4]) -> Outcome {
    const NAMES: [&str; 4] = ["salient_iou", "semantic_iou", "instance_iou", "part_iou"];
    let mut sum = 0.0;
    for ((outcome, weight), name) in levels.into_iter().zip(WEIGHTS).zip(NAMES) {
        sum += weight * part(name, outcome)?;
    }
    Ok(sum)
}

/// Columns whose means average to the BASIC-L of a system: the weighted sum of the means of its parts, as in the
/// paper's tables. It differs from the mean over pairs if a part is undefined for some pairs.
pub fn basic_l_parts(columns: [&[Outcome]; 4]) -> Vec<Vec<Outcome>> {
    let weighted = |(column, weight): (&[Outcome], f64)| {
        let scale = WEIGHTS.len() as f64 * weight;
        column.iter().map(|outcome| outcome.clone().map(|value| scale * value)).collect()
    };
    columns.into_iter().zip(WEIGHTS).map(weighted).collect()
}
