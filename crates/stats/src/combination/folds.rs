//! The folds of cross-validation.

use crate::StatsError;
use crate::error::check_lengths;
use crate::resample::draw_below;
use neurogauge_core::{Seed, Undefined};

/// A stream between those of resamples (lower) and permutations (higher).
const STREAM: u64 = 1 << 62;

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Folds {
    labels: Vec<usize>,
    n_folds: usize,
}

impl Folds {
    /// Deals shuffled items out to folds whose sizes differ by at most one.
    ///
    /// - Errors: fewer than two folds, more than 2³² items.
    ///
    /// ```
    /// use neurogauge_core::Seed;
    /// use neurogauge_stats::combination::Folds;
    /// let folds = Folds::seeded(10, 3, Seed(42)).unwrap();
    /// let sizes = [0, 1, 2].map(|fold| folds.held_out(fold).len());
    /// assert_eq!(sizes, [4, 3, 3]);
    /// ```
    pub fn seeded(n_items: usize, n_folds: usize, seed: Seed) -> Result<Self, StatsError> {
        let Ok(n) = u32::try_from(n_items) else {
            return Err(StatsError::too_many_items(n_items));
        };
        let mut order: Vec<usize> = (0..n_items).collect();
        let mut rng = seed.stream(STREAM);
        for last in (1..n).rev() {
            let mut other = [0];
            draw_below(last + 1, &mut rng, &mut other);
            order.swap(last as usize, other[0] as usize);
        }
        let mut labels = vec![0; n_items];
        for (place, item) in order.into_iter().enumerate() {
            labels[item] = place % n_folds.max(1);
        }
        Self::new(labels, n_folds)
    }

    /// Keeps all items of a stimulus in one fold; each stimulus lists the positions of its items.
    pub(crate) fn of_stimuli(stimuli: &[Vec<u32>], n_folds: usize, seed: Seed) -> Result<Self, StatsError> {
        let Folds { labels, n_folds } = Self::seeded(stimuli.len(), n_folds, seed)?;
        let mut of_items = vec![0; stimuli.iter().map(Vec::len).sum()];
        for (places, label) in stimuli.iter().zip(labels) {
            for &place in places {
                of_items[place as usize] = label;
            }
        }
        Self::new(of_items, n_folds)
    }

    /// Given folds: for each item the number of its fold, from 0.
    ///
    /// - Errors: fewer than two folds or a label that is not a fold's number.
    pub fn new(labels: Vec<usize>, n_folds: usize) -> Result<Self, StatsError> {
        let refused = |found: usize, expected| Err(StatsError::option("folds", found, expected));
        if n_folds < 2 {
            return refused(n_folds, "at least 2");
        }
        match labels.iter().find(|&&label| label >= n_folds) {
            Some(&label) => refused(label, "labels below the number of folds"),
            None => Ok(Folds { labels, n_folds }),
        }
    }

    pub fn n_folds(&self) -> usize {
        self.n_folds
    }

    /// Positions of a fold's items, ascending.
    pub fn held_out(&self, fold: usize) -> Vec<usize> {
        self.places(|label| label == fold)
    }

    /// Positions of all other folds' items, ascending.
    pub fn training(&self, fold: usize) -> Vec<usize> {
        self.places(|label| label != fold)
    }

    fn places(&self, wanted: impl Fn(usize) -> bool) -> Vec<usize> {
        let labels = self.labels.iter().enumerate();
        labels.filter(|(_, label)| wanted(**label)).map(|(place, _)| place).collect()
    }

    /// Does each fold have enough items to measure an order?
    pub fn check(&self, n_items: usize) -> Result<Result<(), Undefined>, StatsError> {
        check_lengths(self.labels.len(), n_items)?;
        let mut sizes = vec![0; self.n_folds];
        self.labels.iter().for_each(|&label| sizes[label] += 1);
        Ok(match sizes.iter().min() {
            Some(&smallest) if smallest >= 2 => Ok(()),
            _ => Err(Undefined::TooFewItemsPerFold),
        })
    }
}
