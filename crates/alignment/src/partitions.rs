//! Divisions of the repeats of each stimulus into two views.

use crate::error::check_trial_count;
use crate::{AlignmentError, FoldPlan, Pool, Trials};
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
    /// Partitions from given labels, one list per partition.
    ///
    /// Whether each view of each stimulus has a trial is checked only for the stimuli of a reference.
    pub fn new(labels: Vec<Vec<u8>>, trials: &Trials) -> Result<Self, AlignmentError> {
        for (partition, labels) in labels.iter().enumerate() {
            check_trial_count(trials.unit(), "partition labels", labels.len(), trials.n_trials())?;
            if let Some(trial) = labels.iter().position(|&label| label > 1) {
                let (unit, found) = (trials.unit(), labels[trial]);
                return Err(AlignmentError::Data(format!(
                    "{unit}: partition {partition} labels trial {trial} {found}; expected 0 or 1"
                )));
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

    /// `count` random halves of the stimuli, for a target without measurement noise. Partition b comes from stream
    /// `first_stream` + b of the seed: in every inner fold of each test chunk in turn, half of the stimuli, drawn
    /// without replacement, get label 0 and half label 1; a coin decides for an odd one.
    pub fn halve_stimuli(trials: &Trials, folds: &FoldPlan, count: usize, seed: Seed, first_stream: u64) -> Self {
        let inner_folds = folds
            .folds
            .iter()
            .flat_map(|fold| fold.test.inner.iter().map(|places| places.iter().map(|&place| fold.test.stimuli[place])));
        let groups: Vec<Vec<usize>> = inner_folds
            .map(|stimuli| stimuli.flat_map(|stimulus| &trials.repeats()[stimulus]).copied().collect())
            .collect();
        let labels = (0..count as u64)
            .map(|partition| {
                let mut rng = seed.stream(first_stream + partition);
                halved(&groups, trials.n_trials(), &mut rng)
            })
            .collect();
        Partitions { labels }
    }

    pub(crate) fn from_labels(labels: Vec<Vec<u8>>) -> Self {
        Partitions { labels }
    }

    pub fn labels(&self) -> &[Vec<u8>] {
        &self.labels
    }

    pub fn len(&self) -> usize {
        self.labels.len()
    }

    pub fn is_empty(&self) -> bool {
        self.labels.is_empty()
    }

    /// Fails for a target without measurement noise if one half of an inner fold has no stimulus.
    pub(crate) fn check_halves(&self, trials: &Trials, pool: &Pool) -> Result<(), AlignmentError> {
        for labels in &self.labels {
            for (fold, places) in pool.inner.iter().enumerate() {
                let mut own = places.iter();
                let label = |&place: &usize| labels[trials.repeats()[pool.stimuli[place]][0]];
                let first = own.clone().next().map(label);
                if own.all(|place| Some(label(place)) == first) {
                    return Err(AlignmentError::Data(format!(
                        "{}: inner fold {fold} of a test chunk of {} stimuli cannot be halved; a target without \
                         measurement noise needs two stimuli or more in each of the {} inner folds of every test \
                         chunk: use more stimuli, or fewer `inner_folds` or `outer_folds`",
                        trials.unit(),
                        pool.len(),
                        pool.inner.len()
                    )));
                }
            }
        }
        Ok(())
    }

    /// Fails with the first of `stimuli` that has fewer than two repeats, or an empty view.
    pub(crate) fn check(&self, trials: &Trials, stimuli: &[usize]) -> Result<(), AlignmentError> {
        let too_few = |stimulus: &&usize| trials.repeats()[**stimulus].len() < 2;
        if let Some(&stimulus) = stimuli.iter().find(too_few) {
            return Err(AlignmentError::too_few_repeats(trials.unit(), stimulus, trials.repeats()[stimulus].len()));
        }
        for &stimulus in stimuli {
            let repeats = &trials.repeats()[stimulus];
            for (partition, labels) in self.labels.iter().enumerate() {
                for view in [0, 1] {
                    if !repeats.iter().any(|&trial| labels[trial] == view) {
                        return Err(AlignmentError::Data(format!(
                            "{}: partition {partition} puts no repeat of stimulus {stimulus} into view {view}; label at \
                             least one of them {view}",
                            trials.unit()
                        )));
                    }
                }
            }
        }
        Ok(())
    }
}

pub(crate) fn draw_one(trials: &Trials, rng: &mut impl Rng) -> Vec<u8> {
    halved(trials.repeats(), trials.n_trials(), rng)
}

/// A label for each trial: half of every group gets label 1, and a coin decides for an odd one.
fn halved(groups: &[Vec<usize>], n_trials: usize, rng: &mut impl Rng) -> Vec<u8> {
    let mut labels = vec![0; n_trials];
    for group in groups {
        let mut order = group.clone();
        let n = order.len();
        draw_to_front(&mut order, n, rng);
        let half = n / 2;
        order[half..].iter().for_each(|&trial| labels[trial] = 1);
        if n % 2 == 1 {
            // The coin decides for the first of the second half, which is the odd one.
            labels[order[half]] = (rng.next_u32() & 1) as u8;
        }
    }
    labels
}
