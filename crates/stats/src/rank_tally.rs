//! Counts of ranks with fast cumulative sums.

/// A Fenwick tree of weights by rank.
pub(crate) struct RankTally {
    equal: Vec<u64>,
    tree: Vec<u64>,
}

impl RankTally {
    pub(crate) fn new(n_ranks: usize) -> Self {
        RankTally {
            equal: vec![0; n_ranks],
            tree: vec![0; n_ranks + 1],
        }
    }

    pub(crate) fn add(&mut self, rank: usize, weight: u64) {
        self.equal[rank] += weight;
        let mut node = rank + 1;
        while node < self.tree.len() {
            self.tree[node] += weight;
            node += node & node.wrapping_neg();
        }
    }

    /// The weight below `rank`, and the weight at `rank`.
    pub(crate) fn below_and_equal(&self, rank: usize) -> (u64, u64) {
        let mut below = 0;
        let mut node = rank;
        while node > 0 {
            below += self.tree[node];
            node &= node - 1;
        }
        (below, self.equal[rank])
    }
}
