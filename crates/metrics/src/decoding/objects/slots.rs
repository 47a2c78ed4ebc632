//! Consecutive numbers for the categories in a pair.

/// The distinct categories of a pair, ascending; a category's slot is its position among them.
pub struct Slots {
    distinct: Vec<usize>,
    /// The slot of each category, if categories are small enough for a table.
    table: Vec<usize>,
}

/// Larger than any label list in use. Categories beyond it are found by search, so that a stray number costs no memory.
const LARGEST_TABLE: usize = 4096;

impl Slots {
    pub fn new(categories: impl Iterator<Item = usize> + Clone) -> Self {
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

    pub fn n_slots(&self) -> usize {
        self.distinct.len()
    }

    pub(super) fn category(&self, slot: usize) -> usize {
        self.distinct[slot]
    }

    pub fn of(&self, category: usize) -> usize {
        match self.table.get(category) {
            Some(&slot) => slot,
            None => self.distinct.partition_point(|&other| other < category),
        }
    }
}
