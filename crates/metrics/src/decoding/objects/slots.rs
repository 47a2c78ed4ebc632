//! Consecutive numbers for the categories in a pair.

/// The distinct categories of a pair, ascending; a category's slot is its position among them.
pub(super) struct Slots {
    distinct: Vec<usize>,
    /// The slot of each category, if categories are small enough for a table.
    table: Vec<usize>,
}

/// Larger than any label list in use. Categories beyond it are found by search, so that a stray number costs no memory.
const LARGEST_TABLE: usize = 4096;

impl Slots {
    pub(super) fn new(categories: impl Iterator<Item = usize> + Clone) -> Self {
        let largest = categories.clone().max().unwrap_or(0);
        if largest >= LARGEST_TABLE {
            let mut distinct: Vec<_> = categories.collect();
            distinct.sort_unstable();
            distinct.dedup();
            return Slots {
                distinct,
                table: Vec::new(),
            };
        }
        let mut is_there = vec![false; largest + 1];
        for category in categories {
            is_there[category] = true;
        }
        let mut distinct = Vec::with_capacity(largest + 1);
        let mut table = vec![0; largest + 1];
        for category in (0..=largest).filter(|&category| is_there[category]) {
            table[category] = distinct.len();
            distinct.push(category);
        }
        Slots { distinct, table }
    }

    pub(super) fn len(&self) -> usize {
        self.distinct.len()
    }

    pub(super) fn category(&self, slot: usize) -> usize {
        self.distinct[slot]
    }

    pub(super) fn of(&self, category: usize) -> usize {
        match self.table.get(category) {
            Some(&slot) => slot,
            None => self.distinct.partition_point(|&other| other < category),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn slots_ascend_with_the_categories_whatever_their_size() {
        for offset in [0, 1_000_000, usize::MAX - 9] {
            let categories = [7, 2, 9, 2].map(|category| category + offset);
            let slots = Slots::new(categories.into_iter());
            assert_eq!(slots.len(), 3);
            assert_eq!(categories.map(|category| slots.of(category)), [1, 0, 2, 0]);
        }
        assert_eq!(Slots::new([].into_iter()).len(), 0);
    }
}
