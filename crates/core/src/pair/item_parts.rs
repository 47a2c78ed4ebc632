//! The parts of an item: its views and samples, each an image or a clip.

use super::{Axis, Pair, PairedStems, item_of};
use crate::Side;
use std::collections::HashMap;

/// A view or sample of an item on one side.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ItemPart {
    /// Its view and sample, such as `sample 2`; empty if it is the only part.
    pub name: String,
    /// The pairs of its frames, in their order: a still has one. Each is a position in [`PairedStems::pairs`].
    pub pairs: Vec<usize>,
    /// The positions of its frames among the images of the side.
    pub places: Vec<usize>,
}

impl ItemPart {
    /// At most this many of the frames, those in the middle of equal steps, as positions in `pairs` and `places`.
    ///
    /// ```
    /// use neurogauge_core::pair::ItemPart;
    /// let clip = ItemPart { name: String::new(), pairs: vec![0, 1, 2, 3, 4], places: vec![7, 7, 7, 8, 9] };
    /// assert_eq!(clip.evenly(2), [1, 3]);
    /// assert_eq!(clip.evenly(9), [0, 1, 2, 3, 4]);
    /// ```
    pub fn evenly(&self, n: usize) -> Vec<usize> {
        let n = n.min(self.places.len());
        (0..n).map(|step| (2 * step + 1) * self.places.len() / (2 * n)).collect()
    }
}

impl PairedStems {
    /// The parts of each item on a side, by the item's stem.
    pub fn parts_of_items(&self, side: Side) -> HashMap<&str, Vec<ItemPart>> {
        let mut items: HashMap<&str, Vec<ItemPart>> = HashMap::new();
        for (number, pair) in self.pairs.iter().enumerate() {
            let item = item_of(&pair.stem, self.axes.len());
            let name = self.part_name(pair, item);
            let parts = items.entry(item).or_default();
            match parts.last_mut().filter(|last| last.name == name) {
                Some(last) => {
                    last.pairs.push(number);
                    last.places.push(pair.of(side));
                }
                None => parts.push(ItemPart {
                    name,
                    pairs: vec![number],
                    places: vec![pair.of(side)],
                }),
            }
        }
        for parts in items.values_mut() {
            // A stimulus that is compared with several samples counts once.
            parts.dedup_by(|one, before| one.places == before.places);
            if let [only] = parts.as_mut_slice() {
                only.name.clear();
            }
        }
        items
    }

    /// The view and sample of a pair. The frame is the last axis.
    fn part_name(&self, pair: &Pair, item: &str) -> String {
        let names = pair.stem[item.len()..].trim_start_matches('/').split('/');
        let named = self.axes.iter().zip(names);
        let names = named
            .filter(|(axis, _)| **axis != Axis::Frame)
            .map(|(axis, name)| format!("{} {name}", axis.noun()));
        names.collect::<Vec<_>>().join(", ")
    }
}
