//! The best tie threshold without holding the pairs.

use crate::pair_order::{DifferenceRange, PairOrder};
use crate::tie_calibration::Threshold;
use rayon::prelude::*;

/// The threshold of the highest gain; `ranks` are the human ones in the order of positions.
///
/// One pass without sorting finds the gain at the end of each range of differences. Only ranges in
/// which the gain could peak higher still are sorted.
pub(crate) fn best(order: &PairOrder, ranks: &[u32]) -> Threshold {
    let ranges = order.ranges();
    let changes: Vec<Change> = ranges
        .par_iter()
        .map(|range| Change::over(order, range, ranks))
        .collect();
    let mut at_start = Vec::with_capacity(ranges.len());
    let (mut gain, mut reached) = (0, 0);
    for change in &changes {
        at_start.push(gain);
        gain += change.gained - change.lost;
        reached = reached.max(gain);
    }
    let peaks: Vec<Option<Threshold>> = (0..ranges.len())
        .into_par_iter()
        .map(|r| {
            // No higher than if all that is gained within the range came first.
            let highest = at_start[r] + changes[r].gained;
            (highest >= reached)
                .then(|| peak_within(order, &ranges[r], &changes[r], at_start[r], ranks))?
        })
        .collect();
    peaks
        .into_iter()
        .flatten()
        .fold(Threshold::ZERO, Threshold::first_highest)
}

/// Numbers of pairs that become right and that stop being right when a range is tied.
struct Change {
    gained: i64,
    lost: i64,
}

impl Change {
    fn over(order: &PairOrder, range: &DifferenceRange, ranks: &[u32]) -> Self {
        let mut change = Change { gained: 0, lost: 0 };
        order.for_each_stretch(range, |lower, partners| {
            let rank = ranks[lower];
            let (mut gained, mut lost) = (0_u32, 0_u32);
            for &partner in &ranks[partners] {
                gained += u32::from(partner == rank);
                lost += u32::from(partner > rank);
            }
            change.gained += i64::from(gained);
            change.lost += i64::from(lost);
        });
        change
    }
}

/// The best threshold within a range that starts with `gain`; `None` if it has no pairs.
fn peak_within(
    order: &PairOrder,
    range: &DifferenceRange,
    change: &Change,
    mut gain: i64,
    ranks: &[u32],
) -> Option<Threshold> {
    if let Some(epsilon) = range.only_difference() {
        return Some(Threshold {
            gain: gain + change.gained - change.lost,
            epsilon,
        });
    }
    order
        .sorted_pairs(range)
        .chunk_by(|a, b| a.difference == b.difference)
        .map(|tied| {
            for pair in tied {
                let (lower, upper) = (ranks[pair.lower as usize], ranks[pair.upper as usize]);
                gain += i64::from(upper == lower) - i64::from(upper > lower);
            }
            Threshold {
                gain,
                epsilon: tied[0].difference,
            }
        })
        .reduce(Threshold::first_highest)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::held_pairs::HeldPairs;
    use crate::ranks::dense_ranks;
    use neurogauge_core::synthetic::Synthetic;

    /// Scores in ascending order on a grid of `levels` steps (0: as they are), and human ranks that
    /// go with them.
    fn scores_and_ranks(n: u64, levels: f64) -> (Vec<f64>, Vec<u32>) {
        let (quality, noise) = (Synthetic::new("quality", 1), Synthetic::new("noise", 1));
        let mut items: Vec<(f64, f64)> = (0..n)
            .map(|i| {
                let (q, e) = (f64::from(quality.uniform(i)), f64::from(noise.uniform(i)));
                let score = if levels == 0.0 {
                    q
                } else {
                    (q * levels).floor() / levels
                };
                (score, ((q + 3.0 * e) * 0.75).floor())
            })
            .collect();
        items.sort_by(|a, b| a.0.total_cmp(&b.0));
        let human: Vec<f64> = items.iter().map(|item| item.1).collect();
        (
            items.iter().map(|item| item.0).collect(),
            dense_ranks(&human).0,
        )
    }

    #[test]
    fn held_and_streamed_pairs_agree() {
        // Without ties, with differences that many pairs share, and with hardly any that differ.
        let mut found = 0;
        for levels in [0.0, 1000.0, 30.0, 3.0] {
            let (scores, ranks) = scores_and_ranks(1500, levels);
            let order = PairOrder::new(scores);
            let held = HeldPairs::new(&order).best(&order, &ranks);
            let streamed = best(&order, &ranks);
            assert_eq!(
                (held.gain, held.epsilon),
                (streamed.gain, streamed.epsilon),
                "{levels} levels"
            );
            found += usize::from(held.gain > 0);
        }
        assert_eq!(found, 3, "there must be something to find");
    }

    #[test]
    fn threads_change_nothing() {
        let (scores, ranks) = scores_and_ranks(1500, 0.0);
        let order = PairOrder::new(scores);
        let found = [1, 3].map(|n_threads| {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(n_threads);
            let threshold = pool.build().unwrap().install(|| best(&order, &ranks));
            (threshold.gain, threshold.epsilon.to_bits())
        });
        assert_eq!(found[0], found[1]);
    }

    #[test]
    fn differences_beyond_the_largest_number_are_infinite_thresholds() {
        let order = PairOrder::new(vec![-1.7e308, 0.0, 1.7e308]);
        let threshold = best(&order, &[0, 0, 0]);
        assert_eq!((threshold.gain, threshold.epsilon), (3, f64::INFINITY));
    }
}
