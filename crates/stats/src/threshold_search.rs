//! The search for the best tie threshold.

use crate::in_memory_pairs::InMemoryPairs;
use crate::pair_order::{DifferenceRange, PairOrder};
use crate::rank_tally::RankTally;
use neurogauge_core::parallel;
use neurogauge_core::stopping::stop_if_asked;

/// A range with at most this many pairs is searched pair by pair instead of halved.
const FEW_PAIRS: u64 = 1 << 13;

/// Human ranks (below `n_ranks`) in the order of positions, and how often the item at each position counts: once if
/// there are no weights.
pub(crate) struct RankSample<'a> {
    pub(crate) order: &'a PairOrder,
    /// The sorted pairs, if they fit into memory; otherwise each range that matters is sorted.
    pub(crate) held: Option<&'a InMemoryPairs>,
    pub(crate) ranks: &'a [u32],
    pub(crate) n_ranks: usize,
    pub(crate) weights: Option<&'a [u32]>,
}

/// A threshold, and how many more pairs are right at it than at zero.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Threshold {
    pub(crate) gain: i64,
    pub(crate) epsilon: f64,
}

impl Threshold {
    /// Only equal scores tie.
    pub(crate) const ZERO: Threshold = Threshold { gain: 0, epsilon: 0.0 };

    /// The threshold with the higher gain; ties go to the smaller difference.
    pub(crate) fn better(self, other: Threshold) -> Threshold {
        let is_better = other.gain > self.gain || (other.gain == self.gain && other.epsilon < self.epsilon);
        if is_better { other } else { self }
    }
}

/// The numbers of pairs that become right, and that stop being right, when all pairs up to some difference are tied.
#[derive(Debug, Clone, Copy, Default)]
struct Change {
    gained: i64,
    lost: i64,
}

/// A range of differences with the changes up to its ends.
struct Range {
    pairs: DifferenceRange,
    start: Change,
    end: Change,
}

impl RankSample<'_> {
    /// The threshold of the highest gain.
    ///
    /// One sweep over the items counts what changes up to a difference. Ranges of differences are halved by such
    /// sweeps; a range whose gain cannot reach the best one found so far is dropped, and a remaining small range is
    /// searched pair by pair.
    pub(crate) fn best(&self) -> Threshold {
        let all = self.beyond(0.0);
        let whole = self.order.whole().map(|pairs| Range {
            pairs,
            start: Change::default(),
            end: all,
        });
        let mut waiting: Vec<Range> = whole.into_iter().collect();
        let mut best = Threshold::ZERO;
        let mut reached = 0;
        while !waiting.is_empty() {
            stop_if_asked();
            let at_ends = waiting.iter().map(|range| range.end.gain());
            reached = at_ends.fold(reached, i64::max);
            waiting.retain(|range| range.highest() >= reached);
            let (small, large): (Vec<Range>, Vec<Range>) = waiting.into_iter().partition(|range| self.is_small(range));
            let peaks = parallel::map_each(&small, |range| self.peak_within(range));
            best = peaks.into_iter().flatten().fold(best, Threshold::better);
            reached = reached.max(best.gain);
            let halves = parallel::map_each(&large, |range| self.halves(range, all));
            waiting = halves.into_iter().flatten().collect();
        }
        best
    }

    fn halves(&self, range: &Range, all: Change) -> impl Iterator<Item = Range> {
        let [low, high] = self.order.halves(&range.pairs);
        let rest = self.beyond(low.up_to());
        let middle = Change {
            gained: all.gained - rest.gained,
            lost: all.lost - rest.lost,
        };
        let low = Range {
            pairs: low,
            start: range.start,
            end: middle,
        };
        let high = Range {
            pairs: high,
            start: middle,
            end: range.end,
        };
        [low, high].into_iter().filter(|half| !half.pairs.is_empty())
    }

    fn is_small(&self, range: &Range) -> bool {
        // A sweep costs as much per item as visiting a few sorted pairs, or as forming and sorting one pair.
        let n_items = self.ranks.len() as u64;
        let few = match self.held {
            Some(_) => FEW_PAIRS.max(8 * n_items),
            None => FEW_PAIRS.max(n_items),
        };
        range.pairs.n_pairs() <= few || range.pairs.only_difference().is_some()
    }

    fn weight(&self, position: usize) -> u64 {
        self.weights.map_or(1, |weights| u64::from(weights[position]))
    }

    /// The change from tying only the pairs with a larger difference.
    fn beyond(&self, difference: f64) -> Change {
        let scores = self.order.scores();
        let mut seen = RankTally::new(self.n_ranks);
        let mut change = Change::default();
        // Items before `apart` are below the current one by more than the difference.
        let mut apart = 0;
        for (position, &score) in scores.iter().enumerate() {
            while score - scores[apart] > difference {
                seen.add(self.ranks[apart] as usize, self.weight(apart));
                apart += 1;
            }
            let weight = self.weight(position);
            if weight > 0 {
                let (below, equal) = seen.below_and_equal(self.ranks[position] as usize);
                change.gained += (weight * equal) as i64;
                change.lost += (weight * below) as i64;
            }
        }
        change
    }

    /// The best threshold within a range; `None` if it has no pairs.
    fn peak_within(&self, range: &Range) -> Option<Threshold> {
        if let Some(epsilon) = range.pairs.only_difference() {
            return Some(Threshold {
                gain: range.end.gain(),
                epsilon,
            });
        }
        let mut gain = range.start.gain();
        if let Some(held) = self.held {
            let mut best: Option<Threshold> = None;
            let start = self.order.n_below(&range.pairs) as usize;
            for (lower, upper, is_last) in held.pairs(start, range.pairs.n_pairs() as usize) {
                gain += self.step(lower, upper);
                if is_last && best.is_none_or(|best| gain > best.gain) {
                    let epsilon = self.order.scores()[upper] - self.order.scores()[lower];
                    best = Some(Threshold { gain, epsilon });
                }
            }
            return best;
        }
        self.order
            .sorted_pairs(&range.pairs)
            .chunk_by(|a, b| a.difference == b.difference)
            .map(|tied| {
                for pair in tied {
                    gain += self.step(pair.lower as usize, pair.upper as usize);
                }
                Threshold {
                    gain,
                    epsilon: tied[0].difference,
                }
            })
            .reduce(Threshold::better)
    }

    /// The effect of tying a pair on the number of right pairs: one more if people tie it, one less if they order it as
    /// the metric does, times its weight.
    fn step(&self, lower: usize, upper: usize) -> i64 {
        let (below, above) = (self.ranks[lower], self.ranks[upper]);
        let step = i64::from(above == below) - i64::from(above > below);
        self.weights.map_or(step, |weights| step * i64::from(weights[lower]) * i64::from(weights[upper]))
    }
}

impl Change {
    fn gain(self) -> i64 {
        self.gained - self.lost
    }
}

impl Range {
    /// An upper bound of the gain within the range, as if all its gains came before its losses.
    fn highest(&self) -> i64 {
        self.start.gain() + self.end.gained - self.start.gained
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ranks::dense_ranks;
    use neurogauge_core::synthetic::Synthetic;

    /// Scores in ascending order on a grid of `levels` steps (0: without a grid), and matching human ranks.
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
        (items.iter().map(|item| item.0).collect(), dense_ranks(&human).0)
    }

    fn sample<'a>(order: &'a PairOrder, ranks: &'a [u32], weights: Option<&'a [u32]>) -> RankSample<'a> {
        let n_ranks = 1 + *ranks.iter().max().unwrap() as usize;
        RankSample {
            order,
            ranks,
            n_ranks,
            weights,
            held: None,
        }
    }

    /// A simple search: pair by pair, in ascending order.
    fn plainly(sample: &RankSample) -> Threshold {
        let whole = sample.order.whole().unwrap();
        let range = Range {
            pairs: whole,
            start: Change::default(),
            end: Change::default(),
        };
        Threshold::ZERO.better(sample.peak_within(&range).unwrap())
    }

    #[test]
    fn held_and_streamed_pairs_agree() {
        // The cases have no ties, differences that many pairs share, or hardly any distinct differences.
        let mut found = 0;
        for levels in [0.0, 1000.0, 30.0, 3.0] {
            let (scores, ranks) = scores_and_ranks(1500, levels);
            let order = PairOrder::cut(scores);
            let whole = PairOrder::whole_only(order.scores().to_vec());
            let pairs = InMemoryPairs::new(&order);
            // Each item counts once; then some are left out and some repeated.
            let some: Vec<u32> = (0..1500).map(|i| i * 7 % 5 % 3).collect();
            for weights in [None, Some(some.as_slice())] {
                let streamed = sample(&order, &ranks, weights);
                let held = RankSample {
                    held: Some(&pairs),
                    ..sample(&order, &ranks, weights)
                };
                let best = plainly(&streamed);
                let whole = RankSample {
                    order: &whole,
                    ..sample(&order, &ranks, weights)
                };
                for other in [streamed.best(), whole.best(), held.best(), plainly(&held)] {
                    let found = (other.gain, other.epsilon);
                    assert_eq!(found, (best.gain, best.epsilon), "{levels} levels");
                }
                found += usize::from(best.gain > 0);
            }
        }
        assert_eq!(found, 6, "there must be something to find");
    }

    #[test]
    fn threads_change_nothing() {
        // Miri did not finish 1500 items in 40 minutes.
        let n = if cfg!(miri) { 100 } else { 1500 };
        let (scores, ranks) = scores_and_ranks(n, 0.0);
        let order = PairOrder::cut(scores);
        let found = [1, 3].map(|n_threads| {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(n_threads);
            let threshold = pool.build().unwrap().install(|| sample(&order, &ranks, None).best());
            (threshold.gain, threshold.epsilon.to_bits())
        });
        assert_eq!(found[0], found[1]);
    }

    #[test]
    fn differences_beyond_the_largest_number_are_infinite_thresholds() {
        let order = PairOrder::cut(vec![-1.7e308, 0.0, 1.7e308]);
        let threshold = sample(&order, &[0, 0, 0], None).best();
        assert_eq!((threshold.gain, threshold.epsilon), (3, f64::INFINITY));
    }
}
