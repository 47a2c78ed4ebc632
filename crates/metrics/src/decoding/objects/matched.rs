//! The categories of both sides, joined.

use super::slots::Slots;
use super::weights::box_weight;
use super::{ObjectOptions, Variant};
use neurogauge_core::{Detections, Side};

/// All boxes of one side that count, grouped by category slot.
struct Reading {
    /// The position at which each slot's boxes begin in `scores`, and finally their number.
    starts: Vec<usize>,
    /// Scores, descending within a slot.
    scores: Vec<f64>,
    /// The weight of each slot's category.
    weights: Vec<f64>,
}

/// One category on one side.
#[derive(Debug, Clone, Copy)]
pub(super) struct Presence<'a> {
    /// Scores of its boxes, descending; empty if the side lacks the category.
    pub(super) scores: &'a [f64],
    /// The highest score; below every threshold if the side lacks the category.
    pub(super) best: f64,
    pub(super) weight: f64,
}

/// One category on both sides.
#[derive(Debug, Clone, Copy)]
pub(super) struct MatchedCategory<'a> {
    pub(super) category: usize,
    gt: Presence<'a>,
    recon: Presence<'a>,
}

impl<'a> MatchedCategory<'a> {
    /// The presence on `side`, then on the other one.
    pub(super) fn seen_from(&self, side: Side) -> (Presence<'a>, Presence<'a>) {
        match side {
            Side::Gt => (self.gt, self.recon),
            Side::Recon => (self.recon, self.gt),
        }
    }
}

/// Reads both sides and passes their categories, ascending, to `score`.
pub(super) fn with_matched<T>(
    gt: &Detections,
    recon: &Detections,
    options: &ObjectOptions,
    score: impl FnOnce(&[MatchedCategory<'_>]) -> T,
) -> T {
    let slots = Slots::new(gt.items.iter().chain(&recon.items).map(|item| item.category));
    let gt = Reading::new(gt, &slots, options);
    let recon = Reading::new(recon, &slots, options);
    let matched: Vec<_> = (0..slots.n_slots())
        .map(|slot| MatchedCategory {
            category: slots.category(slot),
            gt: gt.presence(slot),
            recon: recon.presence(slot),
        })
        .collect();
    score(&matched)
}

impl Reading {
    fn new(detections: &Detections, slots: &Slots, options: &ObjectOptions) -> Self {
        let boxes = boxes_that_count(detections, slots, options);
        let mut starts = vec![0; slots.n_slots() + 1];
        for &(slot, ..) in &boxes {
            starts[slot + 1] += 1;
        }
        for slot in 0..slots.n_slots() {
            starts[slot + 1] += starts[slot];
        }

        let mut next = starts.clone();
        let mut scores = vec![0.0; boxes.len()];
        let mut heaviest = vec![(f64::NEG_INFINITY, 0.0); slots.n_slots()];
        for (slot, score, weight) in boxes {
            scores[next[slot]] = score;
            next[slot] += 1;
            // Among equal scores the heavier box decides, so that a category's weight does not depend on the order of
            // the file.
            let (best_score, best_weight) = heaviest[slot];
            if score > best_score || (score == best_score && weight > best_weight) {
                heaviest[slot] = (score, weight);
            }
        }
        for slot in 0..slots.n_slots() {
            let group = &mut scores[starts[slot]..starts[slot + 1]];
            if !group.is_sorted_by(|a, b| a >= b) {
                group.sort_unstable_by(|a, b| b.total_cmp(a));
            }
        }
        Reading {
            starts,
            scores,
            weights: heaviest.into_iter().map(|(_, weight)| weight).collect(),
        }
    }

    fn presence(&self, slot: usize) -> Presence<'_> {
        let scores = &self.scores[self.starts[slot]..self.starts[slot + 1]];
        Presence {
            scores,
            best: scores.first().copied().unwrap_or(f64::NEG_INFINITY),
            weight: self.weights[slot],
        }
    }
}

/// Slot, score and weight of the boxes that are large enough, in file order.
fn boxes_that_count(detections: &Detections, slots: &Slots, options: &ObjectOptions) -> Vec<(usize, f64, f64)> {
    let min_area_px2 = options.smallest_area_px2();
    let stops = options.stops_at_first_below();
    let mut lowest_so_far = f64::INFINITY;
    let mut boxes = Vec::with_capacity(detections.items.len());
    for item in &detections.items {
        // A reader that stops at the first score below the threshold reaches a box only if the threshold is at most
        // every score up to it. So the running minimum is the effective score.
        lowest_so_far = lowest_so_far.min(item.score);
        let score = if stops { lowest_so_far } else { item.score };
        if item.bbox.area_px2() >= min_area_px2 {
            let weight = box_weight(options.variant, &item.bbox, detections.image_size_px);
            boxes.push((slots.of(item.category), score, weight));
        }
    }
    boxes
}

/// The share of a category's weight that the other side recovers, given the numbers of its boxes.
pub(super) fn recovered(variant: Variant, n_own: usize, n_other: usize) -> f64 {
    match variant {
        _ if n_own == 0 || n_other == 0 => 0.0,
        Variant::Existence | Variant::Size | Variant::Location => 1.0,
        Variant::Number => n_own.min(n_other) as f64 / n_own.max(n_other) as f64,
    }
}
