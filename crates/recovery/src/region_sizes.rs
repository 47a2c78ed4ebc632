//! The sizes of regions, compared with the paper's.

use neurogauge::align::AlignConfig;
use neurogauge::stats::quantile;
use serde::Serialize;

/// The smallest and the largest region of the paper's target units (Appendix B).
const PAPERS_RANGE: (usize, usize) = (307, 1117);
const PAPERS_MEDIAN: f64 = 604.5;

/// The origin and sizes of regions of the Natural Scenes Dataset.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub(crate) struct RegionSizes {
    /// The file of labels, relative to the dataset's folder.
    labels: String,
    /// Number of target units, and those outside the paper's range.
    n: usize,
    n_outside: usize,
    /// Vertices or voxels of the smallest region.
    smallest: usize,
    largest: usize,
    median: f64,
}

impl RegionSizes {
    /// The sizes for an alignment of that dataset; `None` for another dataset, or without sizes.
    pub(crate) fn of(config: &AlignConfig, sizes: &[usize]) -> Option<RegionSizes> {
        let (low, high) = PAPERS_RANGE;
        let numbers: Vec<f64> = sizes.iter().map(|&size| size as f64).collect();
        Some(RegionSizes {
            labels: config.nsd.as_ref()?.label_pattern(),
            n: sizes.len(),
            n_outside: sizes.iter().filter(|size| !(low..=high).contains(size)).count(),
            smallest: *sizes.iter().min()?,
            largest: *sizes.iter().max()?,
            median: quantile(&numbers, 0.5).ok()?,
        })
    }

    /// Origin and sizes, in words.
    pub(crate) fn words(&self) -> String {
        let (labels, ends) = (&self.labels, [self.smallest, self.largest].map(|n| n.to_string()).join(" to "));
        format!("labels of {labels}, {ends} vertices or voxels, median {}", self.median)
    }

    /// A caution about comparisons with the paper's values; `None` if sizes are within its range.
    pub(crate) fn warning(&self) -> Option<String> {
        let (low, high) = PAPERS_RANGE;
        (self.n_outside > 0).then(|| {
            format!(
                "regions of {} of {} target units are outside the paper's range of {low} to {high} (median \
                 {PAPERS_MEDIAN}; here {}), so they may be of another atlas than the paper's; `roi_labels` of [nsd], or \
                 --atlas of a preset, takes another",
                self.n_outside, self.n, self.median
            )
        })
    }
}
