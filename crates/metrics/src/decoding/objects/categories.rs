//! The categories that were matched, missed and invented, and their thresholds.

use super::ObjectScores;
use super::matched::MatchedCategory;
use neurogauge_core::{DetailEntry, LevelDetails, Side};

/// The thresholds up to which a category is present on each side: the highest score of its boxes that count, `None` for
/// a side that has it at no compared threshold.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct CategoryReach {
    /// The category, by its index in the label list.
    pub category: usize,
    /// Threshold in the stimulus.
    pub gt: Option<f64>,
    /// Threshold in the reconstruction.
    pub recon: Option<f64>,
}

/// The categories that a side has at some threshold.
pub(super) fn reaches(matched: &[MatchedCategory<'_>], lowest_threshold: f64) -> Vec<CategoryReach> {
    let reach = |of: &MatchedCategory<'_>| {
        let (gt, recon) = of.seen_from(Side::Gt);
        let up_to = |best: f64| Some(best).filter(|&best| best >= lowest_threshold);
        CategoryReach {
            category: of.category,
            gt: up_to(gt.best),
            recon: up_to(recon.best),
        }
    };
    matched.iter().map(reach).filter(|reach| reach.gt.is_some() || reach.recon.is_some()).collect()
}

impl ObjectScores {
    /// The categories that were matched, missed and invented, by name, each with the highest threshold at which it was.
    ///
    /// A category that both sides have up to different thresholds is in two lists: it is matched below the lower
    /// threshold, and missed or invented from there to the higher one. So at a threshold t, the stimulus has the
    /// categories among `matched` and `missed` with a threshold of at least t, and the reconstruction those among
    /// `matched` and `invented`.
    ///
    /// ```
    /// use neurogauge_core::{BoxXyxy, Detection, Detections};
    /// use neurogauge_metrics::decoding::objects::{ObjectOptions, object_scores};
    /// let bbox = BoxXyxy { x0: 0.0, y0: 0.0, x1: 20.0, y1: 20.0 };
    /// let one = |score: f64| Detections {
    ///     items: vec![Detection { category: 16, score, bbox }],
    ///     image_size_px: None,
    /// };
    /// let scores = object_scores(&one(0.75), &one(0.5), &ObjectOptions::default())?;
    /// let found = scores.details(&|_| "dog".to_owned());
    /// assert_eq!(found.matched[0].threshold, Some(0.5));
    /// assert_eq!(found.missed[0].threshold, Some(0.75));
    /// assert!(found.invented.is_empty());
    /// # Ok::<(), neurogauge_metrics::MetricError>(())
    /// ```
    pub fn details(&self, name: &dyn Fn(usize) -> String) -> LevelDetails {
        let mut details = LevelDetails::default();
        for reach in &self.categories {
            let name = name(reach.category);
            let at = |threshold: f64, gt: bool, recon: bool| DetailEntry {
                threshold: Some(threshold),
                ..DetailEntry::of(gt.then_some(&name), recon.then_some(&name))
            };
            if let (Some(gt), Some(recon)) = (reach.gt, reach.recon) {
                details.matched.push(at(gt.min(recon), true, true));
            }
            if let Some(gt) = reach.gt
                && reach.recon.is_none_or(|recon| recon < gt)
            {
                details.missed.push(at(gt, true, false));
            }
            if let Some(recon) = reach.recon
                && reach.gt.is_none_or(|gt| gt < recon)
            {
                details.invented.push(at(recon, false, true));
            }
        }
        details
    }
}
