//! Pairs that are parts of items: frames, views and samples.

use crate::best_of::best_of_weights;
use neurogauge_core::Direction;
use std::collections::HashSet;
use std::hash::Hash;

/// How the values of pairs combine into values of items (conventions `parts` and `samples`).
///
/// The parts of a sample that have a value count equally. The value of an item is the mean over its samples, or the
/// expected best of K of them ([`best_of_weights`]). A pair may belong to an item and not count, such as a pair of a
/// sample that was not chosen.
///
/// ```
/// use neurogauge_core::Direction;
/// use neurogauge_stats::parts::Parts;
/// // One item with two samples, the first of two frames and the second of one.
/// let parts = Parts::new(vec![0, 0, 0], vec![vec![vec![0, 1], vec![2]]], None);
/// let values = [0.25, 0.75, 1.0];
/// assert_eq!(parts.value(0, Direction::Higher, |pair| Some(values[pair])), Some(0.75));
/// let best = Parts::new(vec![0, 0, 0], vec![vec![vec![0, 1], vec![2]]], Some(2));
/// assert_eq!(best.value(0, Direction::Higher, |pair| Some(values[pair])), Some(1.0));
/// assert_eq!(best.value(0, Direction::Lower, |pair| Some(values[pair])), Some(0.5));
/// ```
#[derive(Debug, Clone)]
pub struct Parts {
    item_of: Vec<usize>,
    counts: Vec<bool>,
    items: Vec<Vec<Vec<usize>>>,
    best_of: Option<usize>,
}

impl Parts {
    /// - Shapes: `item_of` has the item of each pair, and pairs of an item are consecutive; `items` has the samples of
    ///   each item that count, each with its pairs.
    /// - `best_of`: K, or `None` for the mean over samples.
    pub fn new(item_of: Vec<usize>, items: Vec<Vec<Vec<usize>>>, best_of: Option<usize>) -> Self {
        let mut counts = vec![false; item_of.len()];
        for &pair in items.iter().flatten().flatten() {
            counts[pair] = true;
        }
        Parts {
            item_of,
            counts,
            items,
            best_of,
        }
    }

    /// The item of each pair, whether or not the pair counts.
    pub fn item_of(&self) -> &[usize] {
        &self.item_of
    }

    /// Does this pair count for its item?
    pub fn counts(&self, pair: usize) -> bool {
        self.counts[pair]
    }

    pub fn n_items(&self) -> usize {
        self.items.len()
    }

    /// The samples of an item that count, each with its pairs.
    pub fn samples(&self, item: usize) -> &[Vec<usize>] {
        &self.items[item]
    }

    /// Is the value of an item the best of several samples, so that its weights depend on the values?
    pub fn is_best_of(&self) -> bool {
        self.best_of.is_some()
    }

    /// For each pair, whether it is the first pair of its item that counts and shows this stimulus: several samples
    /// have the same stimulus.
    pub fn first_with<T: Eq + Hash>(&self, stimuli: impl Iterator<Item = T>) -> Vec<bool> {
        let mut known = HashSet::new();
        let pairs = self.item_of.iter().zip(stimuli).enumerate();
        pairs.map(|(pair, shown)| self.counts[pair] && known.insert(shown)).collect()
    }

    /// The parts of a subset of the pairs: pair i of the result is pair `pairs[i]` here. Items keep their numbers.
    pub fn at(&self, pairs: &[usize]) -> Self {
        let mut place = vec![None; self.item_of.len()];
        for (new, &old) in pairs.iter().enumerate() {
            place[old] = Some(new);
        }
        let of_sample = |sample: &Vec<usize>| -> Vec<usize> { sample.iter().filter_map(|&pair| place[pair]).collect() };
        let of_item =
            |samples: &Vec<Vec<usize>>| samples.iter().map(of_sample).filter(|sample| !sample.is_empty()).collect();
        let item_of = pairs.iter().map(|&pair| self.item_of[pair]).collect();
        Parts::new(item_of, self.items.iter().map(of_item).collect(), self.best_of)
    }

    /// The weight of each pair in the value of an item; `value` returns the value of a pair, if it has one. Empty for
    /// an item without a value.
    pub fn weights(
        &self,
        item: usize,
        direction: Direction,
        value: impl Fn(usize) -> Option<f64>,
    ) -> Vec<(usize, f64)> {
        let of_sample = |sample: &Vec<usize>| {
            let known = sample.iter().filter_map(|&pair| Some((pair, value(pair)?)));
            let (pairs, values): (Vec<usize>, Vec<f64>) = known.unzip();
            let mean = values.iter().sum::<f64>() / values.len() as f64;
            (!pairs.is_empty()).then_some((mean, pairs))
        };
        let mut found: Vec<(f64, Vec<usize>)> = self.items[item].iter().filter_map(of_sample).collect();
        let n = found.len();
        let of_samples = match self.best_of {
            None => vec![1.0 / n as f64; n],
            Some(k) => {
                found.sort_by(|a, b| match direction {
                    Direction::Lower => a.0.total_cmp(&b.0),
                    _ => b.0.total_cmp(&a.0),
                });
                best_of_weights(n, k)
            }
        };
        let pairs = found.into_iter().zip(of_samples).flat_map(|((_, pairs), weight)| {
            let weight = weight / pairs.len() as f64;
            pairs.into_iter().map(move |pair| (pair, weight))
        });
        pairs.collect()
    }

    /// The value of an item; `None` if none of its pairs has one, or if K samples must have one and fewer do.
    pub fn value(&self, item: usize, direction: Direction, value: impl Fn(usize) -> Option<f64>) -> Option<f64> {
        let weights = self.weights(item, direction, &value);
        let terms: Option<Vec<f64>> = weights.iter().map(|(pair, weight)| Some(weight * value(*pair)?)).collect();
        terms.filter(|terms| !terms.is_empty()).map(|terms| terms.iter().sum())
    }
}
