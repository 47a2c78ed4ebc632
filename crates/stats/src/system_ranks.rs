//! Ranks of systems, and those that tests leave possible.

use crate::Comparison;
use neurogauge_core::Direction;

/// Means that differ by less than this share of the largest value are equal: the same values in another order have sums
/// that differ in their last bits.
pub(crate) const TIE: f64 = 1e-12;

/// Rank of each value, 1 for the best; neighbours that differ by at most `tie` share the mean of their ranks. NaN is
/// neither better nor worse than anything and comes before the first.
pub(crate) fn ranks(values: &[f64], tie: f64, direction: Direction) -> Vec<f64> {
    let mut ranks = vec![0.5; values.len()];
    let mut order: Vec<usize> = (0..values.len()).filter(|&i| !values[i].is_nan()).collect();
    order.sort_unstable_by(|&a, &b| {
        let ascending = values[a].total_cmp(&values[b]);
        match direction {
            Direction::Higher => ascending.reverse(),
            Direction::Lower => ascending,
        }
    });
    let mut before = 0;
    for equal in order.chunk_by(|&a, &b| (values[a] - values[b]).abs() <= tie) {
        for &place in equal {
            ranks[place] = before as f64 + (equal.len() as f64 + 1.0) / 2.0;
        }
        before += equal.len();
    }
    ranks
}

impl Comparison {
    /// Rank intervals by these p values of its differences, at `alpha`: a difference that is significant puts one
    /// system before the other, and one without a p value says nothing.
    ///
    /// For p values that were corrected over more than this comparison's differences, such as those of all metrics of a
    /// table.
    ///
    /// ```
    /// use neurogauge_core::Direction;
    /// use neurogauge_stats::{PairedTest, compare_systems};
    /// let (weak, strong) = ([0.1, 0.5, 0.3, 0.2, 0.4, 0.6].map(Ok), [0.2, 0.6, 0.4, 0.3, 0.5, 0.8].map(Ok));
    /// let systems = [vec![&weak[..]], vec![&strong[..]]];
    /// let test = (PairedTest::SignFlip, 1);
    /// let mut found = compare_systems(&systems, Direction::Higher, test, &Default::default()).unwrap();
    /// assert_eq!((found.differences[0].p_value, found.systems[1].rank_interval), (Some(0.03125), Some((1.0, 1.0))));
    /// // As one of two tests it shows nothing.
    /// found.rank_by(&[Some(0.0625)], 0.05);
    /// assert_eq!(found.systems[1].rank_interval, Some((1.0, 2.0)));
    /// ```
    pub fn rank_by(&mut self, corrected: &[Option<f64>], alpha: f64) {
        let n_systems = self.systems.len();
        let mut possible = vec![(1.0, n_systems as f64); n_systems];
        let shown = self.differences.iter().zip(corrected).filter(|(_, p)| p.is_some_and(|p| p <= alpha));
        for (difference, _) in shown {
            let is_higher = difference.value.as_ref().is_ok_and(|&value| value > 0.0);
            let (better, worse) = match is_higher == (self.direction == Direction::Higher) {
                true => (difference.minuend, difference.subtrahend),
                false => (difference.subtrahend, difference.minuend),
            };
            possible[better].1 -= 1.0;
            possible[worse].0 += 1.0;
        }
        for (standing, possible) in self.systems.iter_mut().zip(possible) {
            standing.rank_interval = standing.rank_interval.map(|_| possible);
        }
    }
}
