//! Pairs of items sorted by the difference of their scores, four bytes each.

use crate::pair_order::{ItemPair, PairOrder};
use neurogauge_core::parallel;

const POSITION_BITS: u32 = 13;

/// Marks the last pair with a difference: a threshold is only possible there.
const LAST: u32 = 1 << 31;

/// All pairs with a positive difference: lower position, upper position, `LAST`.
#[derive(Debug)]
pub struct InMemoryPairs {
    codes: Vec<u32>,
}

impl InMemoryPairs {
    pub(crate) const MAX_ITEMS: usize = 1 << POSITION_BITS;

    /// Built from at most [`Self::MAX_ITEMS`] items.
    pub fn new(order: &PairOrder) -> Self {
        let ranges: Vec<Vec<u32>> = parallel::map_each(order.ranges(), |range| {
            let pairs = order.sorted_pairs(range);
            let code = |(index, pair): (usize, &ItemPair)| {
                let next = pairs.get(index + 1);
                let last = next.is_none_or(|next| next.difference != pair.difference);
                pair.lower | pair.upper << POSITION_BITS | if last { LAST } else { 0 }
            };
            pairs.iter().enumerate().map(code).collect()
        });
        InMemoryPairs { codes: ranges.concat() }
    }

    /// `n` pairs starting at `start`: lower and upper position, and whether the pair is the last with its difference.
    pub(crate) fn pairs(&self, start: usize, n: usize) -> impl Iterator<Item = (usize, usize, bool)> {
        const MASK: u32 = InMemoryPairs::MAX_ITEMS as u32 - 1;
        self.codes[start..start + n].iter().map(|code| {
            let upper = code >> POSITION_BITS & MASK;
            ((code & MASK) as usize, upper as usize, *code >= LAST)
        })
    }
}
