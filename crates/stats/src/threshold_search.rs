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
pub struct RankSample<'a> {
    pub order: &'a PairOrder,
    /// The sorted pairs, if they fit into memory; otherwise each range that matters is sorted.
    pub held: Option<&'a InMemoryPairs>,
    pub ranks: &'a [u32],
    pub n_ranks: usize,
    pub weights: Option<&'a [u32]>,
}

/// A threshold, and how many more pairs are right at it than at zero.
#[derive(Debug, Clone, Copy)]
pub struct Threshold {
    pub gain: i64,
    pub epsilon: f64,
}

impl Threshold {
    /// Only equal scores tie.
    pub const ZERO: Threshold = Threshold { gain: 0, epsilon: 0.0 };

    /// The threshold with the higher gain; ties go to the smaller difference.
    pub fn better(self, other: Threshold) -> Threshold {
        let is_better = other.gain > self.gain || (other.gain == self.gain && other.epsilon < self.epsilon);
        if is_better { other } else { self }
    }
}

/// The numbers of pairs that become right, and that stop being right, when all pairs up to some difference are tied.
#[derive(Debug, Clone, Copy, Default)]
pub struct Change {
    gained: i64,
    lost: i64,
}

/// A range of differences with the changes up to its ends.
pub struct Range {
    pub pairs: DifferenceRange,
    pub start: Change,
    pub end: Change,
}

impl RankSample<'_> {
    /// The threshold of the highest gain.
    ///
    /// One sweep over the items counts what changes up to a difference. Ranges of differences are halved by such
    /// sweeps; a range whose gain cannot reach the best one found so far is dropped, and a remaining small range is
    /// searched pair by pair.
    pub fn best(&self) -> Threshold {
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
    pub fn peak_within(&self, range: &Range) -> Option<Threshold> {
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
