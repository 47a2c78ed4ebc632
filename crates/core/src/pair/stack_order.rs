//! The order of the images of a stack, whose rows have no names.

use super::{Pair, PairingError, natural_cmp, sorted_unique};
use crate::Side;
use serde::{Deserialize, Serialize};

/// The order in which a stack holds the images that the other side names (convention `pairing-stack`): the stack's rows
/// pair with the names in this order, whatever numbers the names have.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum StackOrder {
    /// 1, 2, 10: numbers by their value.
    Natural,
    /// 1, 10, 2: as `sorted(os.listdir())` in Python has them.
    Text,
    /// 10, 2, 1.
    Reversed,
}

impl StackOrder {
    /// All, the natural order first.
    pub const ALL: [StackOrder; 3] = [StackOrder::Natural, StackOrder::Text, StackOrder::Reversed];

    /// The option's word for it.
    pub fn word(self) -> &'static str {
        match self {
            StackOrder::Natural => "natural",
            StackOrder::Text => "text",
            StackOrder::Reversed => "reversed",
        }
    }

    /// The positions of these names in this order.
    ///
    /// ```
    /// use neurogauge_core::pair::StackOrder;
    /// let places = |order: StackOrder| order.places(&["10", "2", "1"]);
    /// assert_eq!(StackOrder::ALL.map(places), [[2, 1, 0], [2, 0, 1], [0, 1, 2]]);
    /// ```
    pub fn places<S: AsRef<str>>(self, names: &[S]) -> Vec<usize> {
        let mut places: Vec<usize> = (0..names.len()).collect();
        let name = |place: &usize| names[*place].as_ref();
        match self {
            StackOrder::Natural => places.sort_by(|a, b| natural_cmp(name(a), name(b))),
            StackOrder::Text => places.sort_by_key(name),
            StackOrder::Reversed => places.sort_by(|a, b| natural_cmp(name(b), name(a))),
        }
        places
    }

    /// The side whose items are called 0, 1, 2, ..., like the rows of a stack.
    pub fn stack_of(gt: &[String], recon: &[String]) -> Option<Side> {
        match (is_rows(recon), is_rows(gt)) {
            (true, _) => Some(Side::Recon),
            (false, true) => Some(Side::Gt),
            (false, false) => None,
        }
    }

    /// Pairs the rows of the side that is a stack with the names of the other side.
    pub(super) fn pair(self, gt: &[String], recon: &[String]) -> Result<Vec<Pair>, PairingError> {
        let stack = Self::stack_of(gt, recon).ok_or(PairingError::NoStack)?;
        if gt.len() != recon.len() {
            return Err(PairingError::StackLength {
                gt: gt.len(),
                recon: recon.len(),
            });
        }
        let mut rows = vec![0; gt.len()];
        let names = if stack == Side::Recon { gt } else { recon };
        for (row, place) in self.places(names).into_iter().enumerate() {
            rows[place] = row;
        }
        let mut pairs: Vec<Pair> = match stack {
            Side::Recon => (0..gt.len())
                .map(|place| Pair {
                    stem: gt[place].clone(),
                    gt: place,
                    recon: rows[place],
                })
                .collect(),
            Side::Gt => (0..gt.len())
                .map(|place| Pair {
                    stem: gt[rows[place]].clone(),
                    gt: rows[place],
                    recon: place,
                })
                .collect(),
        };
        let order = sorted_unique(gt, "gt")?;
        let mut ranks = vec![0; gt.len()];
        for (rank, place) in order.into_iter().enumerate() {
            ranks[place] = rank;
        }
        pairs.sort_by_key(|pair| ranks[pair.gt]);
        Ok(pairs)
    }
}

/// Are these names 0, 1, 2, ..., as those of the rows of a stack?
pub(super) fn is_rows(names: &[String]) -> bool {
    names.iter().enumerate().all(|(row, name)| *name == row.to_string())
}

/// Are these names in the same order as text and as numbers? If so, a position can mean one name only.
pub(super) fn is_one_order(names: &[String]) -> bool {
    StackOrder::Natural.places(names) == StackOrder::Text.places(names)
}
