//! Precision at every recall.

use super::matching::{AREAS, MAX_DETECTIONS};
use super::recall_thresholds;
use std::cmp::Ordering;

/// One category in one image: its detections, best first. Bit t of a word belongs to threshold t.
pub(super) struct Cell {
    pub(super) scores: Vec<f64>,
    /// The number of masks to be found, for each range of areas.
    pub(super) n_wanted: [usize; AREAS.len()],
    pub(super) found: [Vec<u64>; AREAS.len()],
    pub(super) ignored: [Vec<u64>; AREAS.len()],
}

/// Precision and recall for every category, threshold, range of areas and number of detections.
#[derive(Debug, Clone, PartialEq)]
pub struct Curves {
    pub(super) iou_thresholds: Vec<f64>,
    pub(super) n_categories: usize,
    /// For each (threshold, category, range of areas, number of detections): precision at the 101 recalls, and the
    /// largest recall. `None` for a category without masks to be found.
    entries: Vec<Option<(Vec<f64>, f64)>>,
}

impl Curves {
    pub(super) fn of(by_category: &[Vec<Cell>], iou_thresholds: &[f64]) -> Self {
        let recalls = recall_thresholds();
        let mut curves = Curves {
            iou_thresholds: iou_thresholds.to_vec(),
            n_categories: by_category.len(),
            entries: Vec::new(),
        };
        let n_entries = iou_thresholds.len() * by_category.len() * AREAS.len();
        curves.entries.resize(n_entries * MAX_DETECTIONS.len(), None);
        for (category, cells) in by_category.iter().enumerate() {
            for (limit, &most) in MAX_DETECTIONS.iter().enumerate() {
                // Best first over all images; among equal scores, the earlier image first.
                let mut order: Vec<(f64, usize, usize)> = Vec::new();
                for (image, cell) in cells.iter().enumerate() {
                    let scores = cell.scores.iter().take(most).enumerate();
                    order.extend(scores.map(|(place, &score)| (score, image, place)));
                }
                order.sort_by(|a, b| b.0.partial_cmp(&a.0).unwrap_or(Ordering::Equal));
                for range in 0..AREAS.len() {
                    let n_wanted: usize = cells.iter().map(|cell| cell.n_wanted[range]).sum();
                    if n_wanted == 0 {
                        continue;
                    }
                    let marks: Vec<(u64, u64)> = order
                        .iter()
                        .map(|&(_, image, place)| {
                            let cell = &cells[image];
                            (cell.found[range][place], cell.ignored[range][place])
                        })
                        .collect();
                    for level in 0..iou_thresholds.len() {
                        let place = curves.place(level, category, range, limit);
                        curves.entries[place] = Some(curve(&marks, level, n_wanted, &recalls));
                    }
                }
            }
        }
        curves
    }

    fn place(&self, level: usize, category: usize, range: usize, limit: usize) -> usize {
        ((level * self.n_categories + category) * AREAS.len() + range) * MAX_DETECTIONS.len() + limit
    }

    /// Precision at the 101 recalls, and the largest recall.
    pub(super) fn entry(&self, level: usize, category: usize, range: usize, limit: usize) -> Option<&(Vec<f64>, f64)> {
        self.entries[self.place(level, category, range, limit)].as_ref()
    }
}

/// Precision at each recall, made monotone from the right, and the largest recall.
fn curve(marks: &[(u64, u64)], level: usize, n_wanted: usize, recalls: &[f64]) -> (Vec<f64>, f64) {
    let bit = 1_u64 << level;
    let (mut right, mut wrong) = (0.0, 0.0);
    let mut recall = Vec::with_capacity(marks.len());
    let mut precision = Vec::with_capacity(marks.len());
    for &(found, ignored) in marks {
        if ignored & bit == 0 {
            if found & bit == 0 {
                wrong += 1.0;
            } else {
                right += 1.0;
            }
        }
        recall.push(right / n_wanted as f64);
        precision.push(right / (wrong + right + f64::EPSILON));
    }
    for place in (1..precision.len()).rev() {
        if precision[place] > precision[place - 1] {
            precision[place - 1] = precision[place];
        }
    }
    let at = |wanted: &f64| {
        let place = recall.partition_point(|reached| reached < wanted);
        precision.get(place).copied().unwrap_or(0.0)
    };
    (recalls.iter().map(at).collect(), recall.last().copied().unwrap_or(0.0))
}
