//! All pairs of items by ascending difference of their scores, one range of differences at a time.

use crate::kendall::pairs_of;
use std::ops::Range;

/// Pairs whose differences are in (`above`, `up_to`].
#[derive(Debug, Clone, Copy)]
pub struct DifferenceRange {
    above: f64,
    up_to: f64,
    n_pairs: u64,
    /// The number of pairs whose difference is at most `above`.
    n_before: u64,
}

impl DifferenceRange {
    pub(crate) fn up_to(&self) -> f64 {
        self.up_to
    }

    pub(crate) fn n_pairs(&self) -> u64 {
        self.n_pairs
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.n_pairs == 0
    }

    /// The difference of every pair of the range, if no other number is within it.
    pub(crate) fn only_difference(&self) -> Option<f64> {
        (self.above.next_up() == self.up_to).then_some(self.up_to)
    }

    /// Halfway between the ends in their bit patterns, since many differences may be close to zero.
    fn middle(&self) -> f64 {
        let (above, up_to) = (self.above.to_bits(), self.up_to.to_bits());
        f64::from_bits(above + (up_to - above) / 2)
    }

    /// The parts up to and above `middle`; `n_within` pairs have a difference of at most `middle`.
    fn split(&self, middle: f64, n_within: u64) -> [DifferenceRange; 2] {
        let low = DifferenceRange {
            up_to: middle,
            n_pairs: n_within - self.n_before,
            ..*self
        };
        let high = DifferenceRange {
            above: middle,
            n_pairs: self.n_pairs - low.n_pairs,
            n_before: n_within,
            ..*self
        };
        [low, high]
    }
}

/// Two items, as positions in the ascending order of scores.
#[derive(Debug, Clone, Copy)]
pub(crate) struct ItemPair {
    pub(crate) difference: f64,
    pub(crate) lower: u32,
    pub(crate) upper: u32,
}

/// The pairs with a positive difference, divided into ranges of differences that fit into memory, or in one range.
///
/// Memory does not grow with the number of pairs. In ascending order of scores, an item's partners within a range of
/// differences are contiguous, and the ends of that stretch only move forward from item to item.
#[derive(Debug)]
pub struct PairOrder {
    scores: Vec<f64>,
    ranges: Vec<DifferenceRange>,
}

impl PairOrder {
    /// Built from at least two finite scores in ascending order.
    pub fn cut(scores: Vec<f64>) -> Self {
        // Small ranges are sorted within the cache; their number bounds the memory.
        let capacity = (pairs_of(scores.len() as u64) / 1024).max(1 << 16);
        Self::of_ranges(scores, capacity)
    }

    /// All pairs as one range: dividing needs a thousand passes over all scores, which does not pay for a single
    /// search.
    pub fn whole_only(scores: Vec<f64>) -> Self {
        Self::of_ranges(scores, u64::MAX)
    }

    fn of_ranges(scores: Vec<f64>, capacity: u64) -> Self {
        let widest = scores[scores.len() - 1] - scores[0];
        let mut order = PairOrder {
            scores,
            ranges: Vec::new(),
        };
        let tied = order.pairs_within(0.0);
        let whole = DifferenceRange {
            above: 0.0,
            up_to: widest,
            n_pairs: pairs_of(order.scores.len() as u64) - tied,
            n_before: tied,
        };
        order.ranges = order.parts(whole, capacity);
        order
    }

    /// The range of all differences; `None` if there is no pair.
    pub fn whole(&self) -> Option<DifferenceRange> {
        let (first, last) = (self.ranges.first()?, self.ranges.last()?);
        Some(DifferenceRange {
            up_to: last.up_to,
            n_pairs: last.n_before + last.n_pairs - first.n_before,
            ..*first
        })
    }

    /// Splits a range of more than one difference in two: between its prepared parts if it has several, otherwise at
    /// the midpoint of its ends' bit patterns.
    pub(crate) fn halves(&self, range: &DifferenceRange) -> [DifferenceRange; 2] {
        let first = self.ranges.partition_point(|r| r.up_to <= range.above);
        let end = self.ranges.partition_point(|r| r.up_to < range.up_to);
        if first < end {
            let middle = &self.ranges[first + (end - first) / 2];
            return range.split(middle.up_to, middle.n_before + middle.n_pairs);
        }
        let middle = range.middle();
        range.split(middle, self.pairs_within(middle))
    }

    /// The number of pairs with a positive difference below those of `range`.
    pub(crate) fn n_below(&self, range: &DifferenceRange) -> u64 {
        let tied = self.ranges.first().map_or(0, |first| first.n_before);
        range.n_before - tied
    }

    pub fn scores(&self) -> &[f64] {
        &self.scores
    }

    pub(crate) fn ranges(&self) -> &[DifferenceRange] {
        &self.ranges
    }

    /// The pairs of a range, by ascending difference.
    pub(crate) fn sorted_pairs(&self, range: &DifferenceRange) -> Vec<ItemPair> {
        let mut pairs = Vec::with_capacity(range.n_pairs as usize);
        self.for_each_stretch(range, |lower, partners| {
            pairs.extend(partners.map(|upper| ItemPair {
                difference: self.scores[upper] - self.scores[lower],
                lower: lower as u32,
                upper: upper as u32,
            }));
        });
        // Differences are positive, so their bit patterns sort like their values.
        pairs.sort_unstable_by_key(|pair| pair.difference.to_bits());
        pairs
    }

    /// Calls `visit` with each position and the stretch of higher positions that form pairs of the range with it.
    pub(crate) fn for_each_stretch(&self, range: &DifferenceRange, mut visit: impl FnMut(usize, Range<usize>)) {
        let (mut start, mut end) = (0, 0);
        for lower in 0..self.scores.len() {
            start = self.first_beyond(range.above, lower, start);
            end = self.first_beyond(range.up_to, lower, end.max(start));
            if start < end {
                visit(lower, start..end);
            }
        }
    }

    /// The first position, from `from`, whose score exceeds the score at `lower` by more than `difference`.
    fn first_beyond(&self, difference: f64, lower: usize, from: usize) -> usize {
        let base = self.scores[lower];
        let within = self.scores[from..].iter().take_while(|&&score| score - base <= difference).count();
        from + within
    }

    /// The number of pairs whose difference is at most `difference`.
    fn pairs_within(&self, difference: f64) -> u64 {
        let mut end = 0;
        let count = |lower: usize| {
            end = self.first_beyond(difference, lower, end);
            (end - lower - 1) as u64
        };
        (0..self.scores.len()).map(count).sum()
    }

    /// Halves `whole` (in the bit patterns of differences) until every part has at most `capacity` pairs, or only pairs
    /// of one difference. Parts without pairs are left out.
    fn parts(&self, whole: DifferenceRange, capacity: u64) -> Vec<DifferenceRange> {
        let mut done = Vec::new();
        let mut waiting = vec![whole];
        while let Some(range) = waiting.pop() {
            if range.is_empty() {
                continue;
            }
            if range.n_pairs <= capacity || range.only_difference().is_some() {
                done.push(range);
                continue;
            }
            let middle = range.middle();
            let [low, high] = range.split(middle, self.pairs_within(middle));
            waiting.push(high);
            waiting.push(low);
        }
        done
    }
}
