//! Statistics of pairs when items of a stimulus are drawn together.
//!
//! With n items of G stimuli, the mean of the contributions k of all pairs of items is also a mean over pairs of
//! stimuli, if pairs within a stimulus are divided among its G − 1 pairs of stimuli: a pair of stimuli g and h adds
//! ((G(G − 1)/2) / (n(n − 1)/2)) · (K + (W(g) + W(h))/(G − 1)), where K is the sum of k over the pairs of an item of g
//! and one of h, and W the sum over the pairs within a stimulus. So everything that holds for items and their pairs
//! also holds for stimuli and their pairs.

use super::pairs::{Counts, N_CODES, N_RELATIONS, relations};
use crate::meta::stimuli::at;
use crate::{KendallCounts, StatsError};
use neurogauge_core::stopping::stop_if_asked;
use rayon::prelude::*;

/// The pairs within a stimulus.
pub(super) struct OfStimulus {
    places: Vec<u32>,
    within: KendallCounts,
}

impl OfStimulus {
    /// The pairs within each stimulus.
    pub(super) fn each(
        scores: &[f64],
        human: &[f64],
        stimuli: &[Vec<u32>],
        epsilon: f64,
    ) -> Result<Vec<Self>, StatsError> {
        let of_stimulus = |places: &Vec<u32>| {
            let counts = KendallCounts::with_epsilon(&at(scores, places), &at(human, places), epsilon)?;
            Ok(OfStimulus {
                places: places.clone(),
                // A single item has no pairs.
                within: counts.unwrap_or_default(),
            })
        };
        stimuli.iter().map(of_stimulus).collect()
    }
}

/// The mean contribution of each stimulus' pairs with other stimuli, from the mean contribution of each item's n − 1
/// pairs.
pub(super) fn of_stimuli(of_items: &[f64], stimuli: &[OfStimulus], of_relations: &[f64; N_RELATIONS]) -> Vec<f64> {
    let (n, n_stimuli) = (of_items.len() as f64, stimuli.len() as f64);
    let within = stimuli.iter().map(|stimulus| -> f64 {
        of_relations.iter().zip(relations(&stimulus.within)).map(|(value, count)| value * count).sum()
    });
    let within: Vec<f64> = within.collect();
    let all_within: f64 = within.iter().sum();
    let each = stimuli.iter().zip(within);
    each.map(|(stimulus, within)| {
        let own: f64 = at(of_items, &stimulus.places).iter().sum();
        // A pair within the stimulus is counted for both of its items.
        let between = (n - 1.0) * own - 2.0 * within;
        let shared_out = within + (all_within - within) / (n_stimuli - 1.0);
        n_stimuli / (n * (n - 1.0)) * (between + shared_out)
    })
    .collect()
}

/// For all pairs of stimuli, the products of any two of their counts, at ε = 0 and at the calibrated thresholds.
///
/// The count of a pair of stimuli is (G − 1) times the count between them, plus the counts within both: integers, whose
/// sums do not depend on the order.
pub(super) fn joint_of_stimuli(
    stimuli: &[Vec<u32>],
    add: impl Fn(&mut [Counts; 2], usize, usize) + Sync,
) -> [Box<[Counts; N_CODES]>; 2] {
    let within = |places: &Vec<u32>| {
        let mut counts = [[0; N_CODES]; 2];
        for (at, &i) in places.iter().enumerate() {
            places[at + 1..].iter().for_each(|&j| add(&mut counts, i as usize, j as usize));
        }
        counts
    };
    let within: Vec<[Counts; 2]> = stimuli.iter().map(within).collect();
    let times = stimuli.len() as u64 - 1;
    let none = || [0, 1].map(|_| Box::new([[0; N_CODES]; N_CODES]));
    let of_stimulus = |mut sums: [Box<[Counts; N_CODES]>; 2], g: usize| {
        stop_if_asked();
        for (other, within_other) in stimuli.iter().zip(&within).skip(g + 1) {
            let mut between = [[0; N_CODES]; 2];
            for &i in &stimuli[g] {
                other.iter().for_each(|&j| add(&mut between, i as usize, j as usize));
            }
            for (threshold, products) in sums.iter_mut().enumerate() {
                let count = |code: usize| {
                    times * between[threshold][code] + within[g][threshold][code] + within_other[threshold][code]
                };
                let counts: Vec<(usize, u64)> =
                    (0..N_CODES).map(|code| (code, count(code))).filter(|(_, count)| *count > 0).collect();
                for &(row, count) in &counts {
                    for &(column, other) in &counts {
                        products[row][column] += count * other;
                    }
                }
            }
        }
        sums
    };
    (0..stimuli.len()).into_par_iter().fold(none, of_stimulus).reduce(none, |mut sums, more| {
        for (sum, more) in sums.iter_mut().zip(more) {
            for (sum, more) in sum.iter_mut().flatten().zip(more.iter().flatten()) {
                *sum += more;
            }
        }
        sums
    })
}
