//! Partitions whose two views are balanced over sessions and runs.

use crate::error::check_trial_count;
use crate::partitions::draw_one;
use crate::{AlignmentError, Partitions, Trials};
use neurogauge_core::Seed;
use std::collections::BTreeMap;

/// Partitions whose views are balanced over groups of trials: a control for noise that is shared by trials of a session
/// or of a run.
///
/// Partition b starts as the random partition of stream `first_stream` + b (as in [`Partitions::draw`]). Then the
/// repeats of one stimulus at a time exchange views, in pairs or the odd one alone, whenever that lowers the imbalance:
/// the sum, over all groups of all groupings, of the squared difference between the numbers of trials in the two views.
/// Stimuli are visited in order until none can be improved. The number of trials per view and stimulus stays a half
/// split.
///
/// - Shapes: each grouping, such as `("sessions", ...)`, has a label for each trial; trials with the same label are a
///   group.
pub fn balanced_partitions(
    trials: &Trials,
    groupings: &[(&'static str, &[u32])],
    count: usize,
    seed: Seed,
    first_stream: u64,
) -> Result<Partitions, AlignmentError> {
    for &(what, labels) in groupings {
        check_trial_count(trials.unit(), what, labels.len(), trials.n_trials())?;
    }
    let groups = Groups::new(trials.n_trials(), groupings);
    let labels = (0..count as u64)
        .map(|partition| {
            let mut labels = draw_one(trials, &mut seed.stream(first_stream + partition));
            groups.balance(trials, &mut labels);
            labels
        })
        .collect();
    Ok(Partitions::from_labels(labels))
}

/// The groups that each trial belongs to, one of each grouping.
struct Groups {
    of_trial: Vec<Vec<usize>>,
    count: usize,
}

impl Groups {
    fn new(n_trials: usize, groupings: &[(&'static str, &[u32])]) -> Self {
        let mut numbers = BTreeMap::new();
        let mut of_trial = vec![Vec::new(); n_trials];
        for (grouping, (_, labels)) in groupings.iter().enumerate() {
            for (groups, &label) in of_trial.iter_mut().zip(*labels) {
                let next = numbers.len();
                groups.push(*numbers.entry((grouping, label)).or_insert(next));
            }
        }
        Groups {
            of_trial,
            count: numbers.len(),
        }
    }

    fn balance(&self, trials: &Trials, labels: &mut [u8]) {
        let mut surplus = vec![0i64; self.count];
        for (trial, &label) in labels.iter().enumerate() {
            self.add(&mut surplus, trial, sign(label));
        }
        // Every change lowers a sum of squares of integers, so this terminates.
        let mut improved = true;
        while improved {
            improved = false;
            for repeats in trials.repeats() {
                for (place, &one) in repeats.iter().enumerate() {
                    for &other in &repeats[place + 1..] {
                        if labels[one] != labels[other] {
                            improved |= self.change(&mut surplus, labels, &[one, other]);
                        }
                    }
                    let own = repeats.iter().filter(|&&t| labels[t] == labels[one]).count();
                    if 2 * own == repeats.len() + 1 {
                        improved |= self.change(&mut surplus, labels, &[one]);
                    }
                }
            }
        }
    }

    /// Moves these trials to the other view if this lowers the imbalance.
    fn change(&self, surplus: &mut [i64], labels: &mut [u8], moved: &[usize]) -> bool {
        let before = self.imbalance(surplus, moved);
        for &trial in moved {
            self.add(surplus, trial, -2 * sign(labels[trial]));
        }
        if self.imbalance(surplus, moved) < before {
            moved.iter().for_each(|&trial| labels[trial] = 1 - labels[trial]);
            return true;
        }
        for &trial in moved {
            self.add(surplus, trial, 2 * sign(labels[trial]));
        }
        false
    }

    fn add(&self, surplus: &mut [i64], trial: usize, amount: i64) {
        self.of_trial[trial].iter().for_each(|&group| surplus[group] += amount);
    }

    /// Sum of squared surpluses over the groups of these trials, each group once.
    fn imbalance(&self, surplus: &[i64], trials: &[usize]) -> i64 {
        let mut groups: Vec<usize> = trials.iter().flat_map(|&t| &self.of_trial[t]).copied().collect();
        groups.sort_unstable();
        groups.dedup();
        groups.iter().map(|&group| surplus[group].pow(2)).sum()
    }
}

fn sign(label: u8) -> i64 {
    if label == 0 { 1 } else { -1 }
}
