//! Shards of the items, for work that several processes share.

use serde::{Deserialize, Serialize};
use std::num::NonZeroUsize;
use std::ops::Range;

/// One of several contiguous pieces of a list of items. Its items do not depend on what is already in the store.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Shard {
    pub index: usize,
    pub of: NonZeroUsize,
}

impl Shard {
    /// The positions of its items among `n`.
    ///
    /// ```
    /// use neurogauge::Shard;
    /// let shard = |index| Shard { index, of: 3.try_into().unwrap() };
    /// assert_eq!([0, 1, 2].map(|index| shard(index).items(8)), [0..2, 2..5, 5..8]);
    /// ```
    pub fn items(self, n: usize) -> Range<usize> {
        let end = |index: usize| n * index / self.of;
        end(self.index)..end(self.index + 1).min(n)
    }
}
