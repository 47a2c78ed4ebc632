//! Training stimuli that are drawn.

use crate::feature_set::{FeatureSet, Picked};
use neurogauge::core::Seed;
use neurogauge::stats::{RowSource, draw_to_front};
use rand::Rng;

/// The most training stimuli that k-means and spans use.
const MOST_ROWS: usize = 20_000;
/// The largest smaller side of the matrix whose axes are found.
pub(crate) const LARGEST_SIDE: usize = 4096;

/// What is drawn, each with its own random numbers: those at the end, because k-means++ has the first ones.
#[derive(Clone, Copy)]
pub(crate) enum Draw {
    Neighbours,
    KMeans,
    Span,
    SpanOfAsMany,
    Folds,
}

impl Draw {
    pub(crate) fn rng(self, seed: Seed) -> impl Rng {
        seed.stream(u64::MAX - self as u64)
    }

    /// So many rows of a set, or all of them, in random order.
    pub(crate) fn rows(self, set: &FeatureSet, n: usize, seed: Seed) -> Picked<'_> {
        let mut rows: Vec<usize> = (0..set.n_rows()).collect();
        let rows = draw_to_front(&mut rows, n, &mut self.rng(seed)).to_vec();
        Picked { of: set, rows }
    }
}

/// How many rows can be used to find axes, if `n_others` rows of other sets are used, too.
pub(crate) fn most_rows(n_features: usize, n_others: usize) -> usize {
    match n_features > LARGEST_SIDE {
        true => LARGEST_SIDE.saturating_sub(n_others),
        false => MOST_ROWS,
    }
}
