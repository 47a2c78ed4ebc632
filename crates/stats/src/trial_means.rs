//! Means of several trials of an image.

use crate::similarity::RowSource;
use crate::{StatsError, draw_to_front};
use neurogauge_core::{Outcome, RowValues, Seed};
use std::borrow::Cow;
use std::ops::Range;

/// Random subsets of the trials of each image.
const N_SUBSETS: u64 = 20;
/// Subsets are drawn from streams far from those of candidates; those of another size are this far from each other.
const FIRST_STREAM: u64 = 1 << 40;

/// Trials of each image, by their positions.
pub type TrialSubset = Vec<Vec<usize>>;

/// Subsets of `n_trials` of the trials of each image: 20 random ones, or one if no image has more. Trials of an image are
/// in order, so that the sums of the same trials are the same.
///
/// - Shapes: `trials` has the trials of each image, at least `n_trials`.
///
/// ```
/// use neurogauge_core::Seed;
/// use neurogauge_stats::trial_subsets;
/// let trials = [vec![0, 1], vec![2, 3]];
/// assert_eq!(trial_subsets(&trials, 2, Seed(1)), [trials.to_vec()]);
/// assert_eq!(trial_subsets(&trials, 1, Seed(1)).len(), 20);
/// ```
pub fn trial_subsets(trials: &[Vec<usize>], n_trials: usize, seed: Seed) -> Vec<TrialSubset> {
    let is_all = trials.iter().all(|own| own.len() == n_trials);
    let subset = |draw: u64| {
        let mut rng = seed.stream(FIRST_STREAM * n_trials as u64 + draw);
        let of_image = trials.iter().map(|own| {
            let mut drawn = draw_to_front(&mut own.clone(), n_trials, &mut rng).to_vec();
            drawn.sort_unstable();
            drawn
        });
        of_image.collect()
    };
    (0..if is_all { 1 } else { N_SUBSETS }).map(subset).collect()
}

/// The means over subsets of several columns of outcomes, such as values and pseudo-values. Pseudo-values of a mean are
/// means of pseudo-values. An outcome without a value in any subset has none.
///
/// # Errors
/// The first error of `columns_of`.
pub fn mean_over_subsets<const N: usize, E>(
    subsets: &[TrialSubset],
    mut columns_of: impl FnMut(&TrialSubset) -> Result<[Vec<Outcome>; N], E>,
) -> Result<[Vec<Outcome>; N], E> {
    let mut sums: [Vec<Outcome>; N] = std::array::from_fn(|_| Vec::new());
    for (place, subset) in subsets.iter().enumerate() {
        let found = columns_of(subset)?;
        if place == 0 {
            sums = found;
            continue;
        }
        for (sum, own) in sums.iter_mut().flatten().zip(found.into_iter().flatten()) {
            *sum = match (sum.clone(), own) {
                (Ok(sum), Ok(own)) => Ok(sum + own),
                (Err(reason), _) | (_, Err(reason)) => Err(reason),
            };
        }
    }
    let n = subsets.len() as f64;
    sums.iter_mut().flatten().flatten().for_each(|sum| *sum /= n);
    Ok(sums)
}

/// Rows that are means of rows of another matrix, in double precision.
pub struct MeanRows<'a> {
    of: &'a dyn RowSource,
    rows: &'a [Vec<usize>],
}

impl<'a> MeanRows<'a> {
    /// Row i is the mean of the rows `rows[i]`, one or more.
    pub fn new(of: &'a dyn RowSource, rows: &'a [Vec<usize>]) -> Self {
        MeanRows { of, rows }
    }

    /// All values.
    ///
    /// # Errors
    /// Those of the source.
    pub fn held(&self) -> Result<Vec<Vec<f64>>, StatsError> {
        (0..self.rows.len()).map(|row| self.mean(row, 0..self.n_features())).collect()
    }

    fn mean(&self, row: usize, features: Range<usize>) -> Result<Vec<f64>, StatsError> {
        let mut mean = vec![0.0; features.len()];
        let n = self.rows[row].len() as f64;
        for &row in &self.rows[row] {
            let mut sums = mean.iter_mut();
            self.of.values(row, features.clone())?.for_each(|value| {
                if let Some(sum) = sums.next() {
                    *sum += value / n;
                }
            });
        }
        Ok(mean)
    }
}

impl RowSource for MeanRows<'_> {
    fn n_rows(&self) -> usize {
        self.rows.len()
    }

    fn n_features(&self) -> usize {
        self.of.n_features()
    }

    fn values(&self, row: usize, features: Range<usize>) -> Result<RowValues<'_>, StatsError> {
        Ok(RowValues::Double(Cow::Owned(self.mean(row, features)?)))
    }
}
