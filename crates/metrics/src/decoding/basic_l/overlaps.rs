//! The overlap at one level, and the masks behind it.

use super::levels::{Level, LevelMask, Sides, sides};
use super::options::BasicLOptions;
use super::{instances, of_empty};
use crate::MetricError;
use crate::masks::intersection_over_union;
use neurogauge_core::{DetailEntry, LevelDetails, Masks, Outcome};
use std::collections::BTreeMap;

/// The overlap of the masks at a level.
#[derive(Debug, Clone, PartialEq)]
pub struct LevelOverlap {
    /// The value of [`level_iou`](super::level_iou).
    pub iou: Outcome,
    /// Matched: the masks of a name on both sides, or a pair of objects, with the IoU as `similarity`. Missed and
    /// invented: masks of only one side. Names are in the compared form (lower case, spaces); objects have their
    /// position in the file, counted from 0 (`dog #2`).
    pub details: LevelDetails,
}

/// [`level_iou`](super::level_iou) and the masks behind it: the sum of the overlaps of matched masks, divided by the
/// number of all that are matched, missed or invented.
///
/// **Shapes, conventions, errors, undefined values, reference.** Those of [`level_iou`](super::level_iou). If a side
/// has no mask, those of the other side are missed or invented, regardless of the value.
///
/// ```
/// use neurogauge_core::{BoxXyxy, InstanceMask, Mask, Masks};
/// use neurogauge_metrics::decoding::basic_l::{BasicLOptions, Level, level_overlap};
/// let with = |name: &str, runs: &[u32]| Masks {
///     size_px: (3, 2),
///     items: vec![InstanceMask {
///         name: name.into(),
///         score: 1.0,
///         bbox: BoxXyxy { x0: 0.0, y0: 0.0, x1: 3.0, y1: 2.0 },
///         mask: Mask::from_runs(2, 3, runs.to_vec()).unwrap(),
///     }],
///     categories: None,
/// };
/// let (gt, recon) = (with("dog", &[0, 4, 2]), with("dog", &[2, 4]));
/// let found = level_overlap(&gt, &recon, Level::Instance, &BasicLOptions::default())?.details;
/// assert_eq!(found.matched[0].reference.as_deref(), Some("dog #0"));
/// assert_eq!(found.matched[0].similarity, Some(1.0 / 3.0));
/// # Ok::<(), neurogauge_metrics::MetricError>(())
/// ```
pub fn level_overlap(
    gt: &Masks,
    recon: &Masks,
    level: Level,
    options: &BasicLOptions,
) -> Result<LevelOverlap, MetricError> {
    let sides = sides(gt, recon, level, options)?;
    let pairs = match level {
        Level::Instance => instances::paired(&sides, options.matching)?,
        _ => of_names(&sides)?,
    };
    let n = sides.gt.len() + sides.recon.len() - pairs.len();
    let sum = pairs.iter().fold(0.0, |sum, (_, _, iou)| sum + iou);
    let name = |mask: &LevelMask<'_>| sides.name(mask, level);
    let (gt_names, recon_names): (Vec<String>, Vec<String>) =
        (sides.gt.iter().map(name).collect(), sides.recon.iter().map(name).collect());
    let left = |names: &'_ [String], taken: &dyn Fn(usize) -> bool| -> Vec<String> {
        (0..names.len()).filter(|&place| !taken(place)).map(|place| names[place].clone()).collect()
    };
    let missed = left(&gt_names, &|place| pairs.iter().any(|pair| pair.0 == place));
    let invented = left(&recon_names, &|place| pairs.iter().any(|pair| pair.1 == place));
    let matched = pairs.iter().map(|&(gt, recon, iou)| DetailEntry {
        similarity: Some(iou),
        ..DetailEntry::of(Some(&gt_names[gt]), Some(&recon_names[recon]))
    });
    Ok(LevelOverlap {
        iou: of_empty(&sides, options.empty).unwrap_or(Ok(sum / n as f64)),
        details: LevelDetails {
            matched: matched.collect(),
            missed: missed.iter().map(|name| DetailEntry::of(Some(name), None)).collect(),
            invented: invented.iter().map(|name| DetailEntry::of(None, Some(name))).collect(),
        },
    })
}

/// Positions on both sides, and overlap, of the masks whose names both sides have, by ascending name. Each name has one
/// mask per side.
fn of_names(sides: &Sides<'_>) -> Result<Vec<(usize, usize, f64)>, MetricError> {
    let by_category = |masks: &'_ [LevelMask<'_>]| -> BTreeMap<usize, usize> {
        masks.iter().enumerate().map(|(place, mask)| (mask.category, place)).collect()
    };
    let of_recon = by_category(&sides.recon);
    let mut pairs = Vec::new();
    for (category, gt) in by_category(&sides.gt) {
        if let Some(&recon) = of_recon.get(&category) {
            let iou = intersection_over_union(&sides.gt[gt].mask, &sides.recon[recon].mask)?;
            pairs.push((gt, recon, iou));
        }
    }
    Ok(pairs)
}
