//! Divisions of the repeats of each stimulus into two views.

use crate::{AlignmentError, Trials};
use neurogauge_core::Seed;
use neurogauge_stats::draw_to_front;
use rand::Rng;
use serde::{Deserialize, Serialize};

/// Split-half partitions of the trials of one subject: a label 0 or 1 per trial, for each
/// partition.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Partitions {
    labels: Vec<Vec<u8>>,
}

impl Partitions {
    /// Given labels, one list per partition.
    ///
    /// # Errors
    /// [`AlignmentError::TrialCount`] or [`AlignmentError::PartitionLabel`] if they do not fit the trials. Whether each
    /// view of each stimulus has a trial is only checked for the stimuli of a reference.
    pub fn new(labels: Vec<Vec<u8>>, trials: &Trials) -> Result<Self, AlignmentError> {
        for (partition, labels) in labels.iter().enumerate() {
            if labels.len() != trials.n_trials() {
                return Err(AlignmentError::TrialCount {
                    unit: trials.unit().clone(),
                    what: "partition labels",
                    found: labels.len(),
                    expected: trials.n_trials(),
                });
            }
            if let Some(trial) = labels.iter().position(|&label| label > 1) {
                return Err(AlignmentError::PartitionLabel {
                    unit: trials.unit().clone(),
                    partition,
                    trial,
                    found: labels[trial],
                });
            }
        }
        Ok(Partitions { labels })
    }

    /// `count` random partitions. Partition b comes from stream `first_stream` + b of the seed: for
    /// each stimulus in turn, half of its repeats, drawn without replacement, go to view 0 and half
    /// to view 1; a coin decides for an odd one.
    ///
    /// Subjects should have different `first_stream`s; ROIs of a subject share it.
    pub fn draw(trials: &Trials, count: usize, seed: Seed, first_stream: u64) -> Self {
        let labels = (0..count as u64)
            .map(|partition| draw_one(trials, &mut seed.stream(first_stream + partition)))
            .collect();
        Partitions { labels }
    }

    pub(crate) fn from_labels(labels: Vec<Vec<u8>>) -> Self {
        Partitions { labels }
    }

    /// The labels: one list per partition, one label per trial.
    pub fn labels(&self) -> &[Vec<u8>] {
        &self.labels
    }

    /// Number of partitions.
    pub fn len(&self) -> usize {
        self.labels.len()
    }

    /// Whether there is no partition.
    pub fn is_empty(&self) -> bool {
        self.labels.is_empty()
    }

    /// An error for the first of `stimuli` that has fewer than two repeats, or an empty view.
    pub(crate) fn check(&self, trials: &Trials, stimuli: &[usize]) -> Result<(), AlignmentError> {
        let too_few = |stimulus: &&usize| trials.repeats()[**stimulus].len() < 2;
        if let Some(&stimulus) = stimuli.iter().find(too_few) {
            return Err(AlignmentError::TooFewRepeats {
                unit: trials.unit().clone(),
                stimulus,
                found: trials.repeats()[stimulus].len(),
            });
        }
        for &stimulus in stimuli {
            let repeats = &trials.repeats()[stimulus];
            for (partition, labels) in self.labels.iter().enumerate() {
                for view in [0, 1] {
                    if !repeats.iter().any(|&trial| labels[trial] == view) {
                        return Err(AlignmentError::EmptyView {
                            unit: trials.unit().clone(),
                            partition,
                            stimulus,
                            view,
                        });
                    }
                }
            }
        }
        Ok(())
    }
}

pub(crate) fn draw_one(trials: &Trials, rng: &mut impl Rng) -> Vec<u8> {
    let mut labels = vec![0; trials.n_trials()];
    for repeats in trials.repeats() {
        let mut order = repeats.clone();
        let n = order.len();
        draw_to_front(&mut order, n, rng);
        let half = n / 2;
        order[half..].iter().for_each(|&trial| labels[trial] = 1);
        if n % 2 == 1 {
            // The coin: the first of the second half is the odd one.
            labels[order[half]] = (rng.next_u32() & 1) as u8;
        }
    }
    labels
}
