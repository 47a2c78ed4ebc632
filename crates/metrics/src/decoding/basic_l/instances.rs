//! Pairs the objects of two images and finds reconstructed, missing and invented ones.

use super::levels::{Level, LevelMask, Sides, sides};
use super::options::{BasicLOptions, InstanceMatching};
use crate::MetricError;
use crate::masks::overlaps;
use neurogauge_core::{Mask, Masks};
use neurogauge_stats::assign_max;
use std::collections::BTreeSet;

/// An object of the reference and the object of the reconstruction that is matched with it.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct InstancePair {
    /// Position among the masks of the reference.
    pub gt: usize,
    /// Position among the masks of the reconstruction.
    pub recon: usize,
    /// Their overlap, above 0.
    pub iou: f64,
}

/// The matched and unmatched objects of both images; each list is in the order of the files.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct InstanceMatch {
    /// Objects that the reconstruction has too.
    pub matched: Vec<InstancePair>,
    /// Objects of the reference that the reconstruction lacks.
    pub missed: Vec<usize>,
    /// Objects of the reconstruction that the reference lacks.
    pub invented: Vec<usize>,
}

/// Pairs the objects of two images, one to one and only within names (conventions `basic-l-levels`,
/// `basic-l-categories`, `basic-l-matching`).
///
/// **Errors.** Errors of [`level_iou`](super::level_iou).
pub fn match_instances(gt: &Masks, recon: &Masks, options: &BasicLOptions) -> Result<InstanceMatch, MetricError> {
    let sides = sides(gt, recon, Level::Instance, options)?;
    let pairs = paired(&sides, options.matching)?;
    let left = |masks: &[LevelMask<'_>], taken: &dyn Fn(usize) -> bool| -> Vec<usize> {
        masks.iter().enumerate().filter(|(place, _)| !taken(*place)).map(|(_, mask)| mask.item).collect()
    };
    Ok(InstanceMatch {
        matched: pairs
            .iter()
            .map(|&(gt, recon, iou)| InstancePair {
                gt: sides.gt[gt].item,
                recon: sides.recon[recon].item,
                iou,
            })
            .collect(),
        missed: left(&sides.gt, &|place| pairs.iter().any(|pair| pair.0 == place)),
        invented: left(&sides.recon, &|place| pairs.iter().any(|pair| pair.1 == place)),
    })
}

/// Positions on both sides, and overlap, of matched objects, in the order of the reference.
pub(super) fn paired(sides: &Sides<'_>, rule: InstanceMatching) -> Result<Vec<(usize, usize, f64)>, MetricError> {
    let categories: BTreeSet<usize> = sides.gt.iter().chain(&sides.recon).map(|mask| mask.category).collect();
    let mut result = Vec::new();
    for category in categories {
        let of_category = |masks: &'_ [LevelMask<'_>]| -> Vec<usize> {
            (0..masks.len()).filter(|&place| masks[place].category == category).collect()
        };
        let (gt, recon) = (of_category(&sides.gt), of_category(&sides.recon));
        let gt_masks: Vec<&Mask> = gt.iter().map(|&place| &*sides.gt[place].mask).collect();
        let recon_masks: Vec<&Mask> = recon.iter().map(|&p| &*sides.recon[p].mask).collect();
        let ious = overlaps(&gt_masks, &recon_masks, |_| false)?;
        let pairs = match rule {
            InstanceMatching::Optimal => assign_max(&ious, gt.len(), recon.len()),
            InstanceMatching::Greedy => largest_first(&ious, recon.len()),
        };
        let overlapping = pairs.into_iter().filter_map(|(row, column)| {
            let iou = ious[row * recon.len() + column];
            (iou > 0.0).then_some((gt[row], recon[column], iou))
        });
        result.extend(overlapping);
    }
    result.sort_by_key(|pair| pair.0);
    Ok(result)
}

/// Pairs of rows and columns, the largest value first; among equal values, the upper left first.
fn largest_first(values: &[f64], n_columns: usize) -> Vec<(usize, usize)> {
    let mut order: Vec<usize> = (0..values.len()).collect();
    order.sort_by(|&a, &b| values[b].total_cmp(&values[a]));
    let (mut rows, mut columns) = (BTreeSet::new(), BTreeSet::new());
    let mut pairs = Vec::new();
    for place in order {
        let (row, column) = (place / n_columns, place % n_columns);
        if !rows.contains(&row) && !columns.contains(&column) {
            rows.insert(row);
            columns.insert(column);
            pairs.push((row, column));
        }
    }
    pairs.sort_unstable();
    pairs
}
