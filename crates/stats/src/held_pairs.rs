//! Pairs of items sorted by the difference of their scores, four bytes each.

use crate::pair_order::PairOrder;
use crate::tie_calibration::Threshold;
use rayon::prelude::*;

/// Bits of a position.
const POSITION_BITS: u32 = 13;

/// Marks the last of the pairs with one difference: only there is a threshold.
const LAST: u32 = 1 << 31;

/// Peak of a block in which no pair is the last: lower than the sum of all gains could make up for,
/// and still far from overflow.
const NO_THRESHOLD: i32 = i32::MIN / 2;

/// Pairs between two looks at whether the best gain was surpassed.
const BLOCK: usize = 256;

/// All pairs with a positive difference: lower position, upper position, [`LAST`].
#[derive(Debug)]
pub(crate) struct HeldPairs {
    codes: Vec<u32>,
}

impl HeldPairs {
    pub(crate) const MAX_ITEMS: usize = 1 << POSITION_BITS;

    /// The most items, counted as often as they are weighted: 2²⁹ pairs, so that every sum of steps
    /// stays away from [`NO_THRESHOLD`] and a weight from the end of 16 bits.
    pub(crate) const MAX_WEIGHT: u64 = 1 << 15;

    /// Of at most [`Self::MAX_ITEMS`] items.
    pub(crate) fn new(order: &PairOrder) -> Self {
        let ranges: Vec<Vec<u32>> = order
            .ranges()
            .par_iter()
            .map(|range| {
                let pairs = order.sorted_pairs(range);
                pairs
                    .iter()
                    .enumerate()
                    .map(|(index, pair)| {
                        let next = pairs.get(index + 1);
                        let last = next.is_none_or(|next| next.difference != pair.difference);
                        pair.lower | pair.upper << POSITION_BITS | if last { LAST } else { 0 }
                    })
                    .collect()
            })
            .collect();
        HeldPairs {
            codes: ranges.concat(),
        }
    }

    /// The threshold of the highest gain; `ranks` are the human ones in the order of positions.
    pub(crate) fn best(&self, order: &PairOrder, ranks: &[u32]) -> Threshold {
        let mut table = [0_u16; Self::MAX_ITEMS];
        for (slot, &rank) in table.iter_mut().zip(ranks) {
            *slot = rank as u16;
        }
        self.search(order, |code| step(&table, code))
    }

    /// The same where the item at each position counts as often as `weights` says, and its pairs as
    /// often as the product says: no more than [`Self::MAX_WEIGHT`] in all.
    pub(crate) fn best_weighted(
        &self,
        order: &PairOrder,
        ranks: &[u32],
        weights: &[u32],
    ) -> Threshold {
        let mut table = [(0_u16, 0_u16); Self::MAX_ITEMS];
        for (slot, (&rank, &weight)) in table.iter_mut().zip(ranks.iter().zip(weights)) {
            *slot = (rank as u16, weight as u16);
        }
        self.search(order, |code| weighted_step(&table, code))
    }

    fn search(&self, order: &PairOrder, step: impl Fn(u32) -> i32) -> Threshold {
        let mut gain = 0_i64;
        let mut best = Threshold::ZERO;
        for block in self.codes.chunks(BLOCK) {
            let (change, peak) = walk(&step, block);
            if gain + i64::from(peak) > best.gain {
                let at = first_peak(&step, block, peak);
                let (lower, upper) = positions(block[at]);
                best = Threshold {
                    gain: gain + i64::from(peak),
                    epsilon: order.scores()[upper] - order.scores()[lower],
                };
            }
            gain += i64::from(change);
        }
        best
    }
}

fn positions(code: u32) -> (usize, usize) {
    const MASK: u32 = HeldPairs::MAX_ITEMS as u32 - 1;
    (
        (code & MASK) as usize,
        (code >> POSITION_BITS & MASK) as usize,
    )
}

/// What tying this pair does to the number of right pairs: one more if people tie it, one less if
/// they order it as the metric does.
///
/// The table is of fixed length, so that no position can lie outside and none has to be checked.
fn step(ranks: &[u16; HeldPairs::MAX_ITEMS], code: u32) -> i32 {
    let (lower, upper) = positions(code);
    let (lower, upper) = (ranks[lower], ranks[upper]);
    i32::from(upper == lower) - i32::from(upper > lower)
}

/// [`step`] of a pair that counts more than once, or not at all.
fn weighted_step(table: &[(u16, u16); HeldPairs::MAX_ITEMS], code: u32) -> i32 {
    let (lower, upper) = positions(code);
    let ((lower, a), (upper, b)) = (table[lower], table[upper]);
    let step = i32::from(upper == lower) - i32::from(upper > lower);
    step * (i32::from(a) * i32::from(b))
}

/// The change over a block and its highest value at a threshold; without branches, since the
/// outcomes of pairs are nothing that a processor could predict.
fn walk(step: impl Fn(u32) -> i32, block: &[u32]) -> (i32, i32) {
    let (mut change, mut peak) = (0, NO_THRESHOLD);
    for &code in block {
        change += step(code);
        let here = if code >= LAST { change } else { peak };
        peak = peak.max(here);
    }
    (change, peak)
}

fn first_peak(step: impl Fn(u32) -> i32, block: &[u32], peak: i32) -> usize {
    let mut change = 0;
    for (index, &code) in block.iter().enumerate() {
        change += step(code);
        if code >= LAST && change == peak {
            return index;
        }
    }
    block.len() - 1
}
