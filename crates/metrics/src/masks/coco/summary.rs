//! The twelve numbers that COCO's evaluation prints.

use super::curves::Curves;
use super::mean::numpy_mean;
use neurogauge_core::{Outcome, Undefined};

/// The names of the numbers in a [`CocoSummary`]: average precision over all thresholds, at 0.50, at 0.75, and for
/// small, medium and large objects; average recall with 1, 10 and 100 detections, and for small, medium and large
/// objects.
pub const SUMMARY_NAMES: [&str; 12] = [
    "AP",
    "AP50",
    "AP75",
    "AP_small",
    "AP_medium",
    "AP_large",
    "AR_1",
    "AR_10",
    "AR_100",
    "AR_small",
    "AR_medium",
    "AR_large",
];

/// The twelve numbers of COCO's evaluation, in the order of [`SUMMARY_NAMES`].
#[derive(Debug, Clone, PartialEq)]
pub struct CocoSummary {
    /// Undefined (-1 in pycocotools) if no mask of that size is to be found, or if the threshold was not requested.
    pub values: [Outcome; 12],
}

const ALL: usize = 0;
const HUNDRED: usize = 2;

impl Curves {
    /// Mean of the precisions at all thresholds, categories and recalls.
    pub fn average_precision(&self) -> Outcome {
        self.precision(None, ALL)
    }

    pub fn summary(&self) -> CocoSummary {
        CocoSummary {
            values: [
                self.precision(None, ALL),
                self.precision(Some(0.5), ALL),
                self.precision(Some(0.75), ALL),
                self.precision(None, 1),
                self.precision(None, 2),
                self.precision(None, 3),
                self.recall(ALL, 0),
                self.recall(ALL, 1),
                self.recall(ALL, HUNDRED),
                self.recall(1, HUNDRED),
                self.recall(2, HUNDRED),
                self.recall(3, HUNDRED),
            ],
        }
    }

    fn precision(&self, threshold: Option<f64>, range: usize) -> Outcome {
        let levels = (0..self.iou_thresholds.len())
            .filter(|&level| threshold.is_none_or(|wanted| self.iou_thresholds[level] == wanted));
        if levels.clone().next().is_none() {
            let reason = "this IoU threshold was not asked for";
            return Err(Undefined::Because(reason.into()));
        }
        let mut values = Vec::new();
        for level in levels {
            let entries: Vec<&Vec<f64>> = (0..self.n_categories)
                .filter_map(|category| self.entry(level, category, range, HUNDRED))
                .map(|(precision, _)| precision)
                .collect();
            let n_recalls = entries.first().map_or(0, |precision| precision.len());
            for recall in 0..n_recalls {
                values.extend(entries.iter().map(|precision| precision[recall]));
            }
        }
        mean(&values, range)
    }

    fn recall(&self, range: usize, limit: usize) -> Outcome {
        let mut values = Vec::new();
        for level in 0..self.iou_thresholds.len() {
            let entries = (0..self.n_categories).filter_map(|category| self.entry(level, category, range, limit));
            values.extend(entries.map(|(_, recall)| *recall));
        }
        mean(&values, range)
    }
}

/// A mean over categories; undefined if no category has an object of this size.
fn mean(values: &[f64], range: usize) -> Outcome {
    let reason = match range {
        ALL => "no object in the stimuli",
        _ => "no object of this size in the stimuli",
    };
    numpy_mean(values).ok_or(Undefined::Because(reason.into()))
}
