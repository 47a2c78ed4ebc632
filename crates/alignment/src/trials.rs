//! Repeated responses of a target unit.

use crate::error::check_trial_count;
use crate::{AlignmentError, Matrix, Unit};
use faer::Mat;

/// Responses of single trials, z-scored within their sessions, and the stimulus of each.
#[derive(Debug, Clone)]
pub struct Trials {
    unit: Unit,
    responses: Matrix,
    /// The trials of each stimulus, in ascending order.
    repeats: Vec<Vec<usize>>,
    are_noiseless: bool,
}

impl Trials {
    /// Responses without measurement noise, such as a model's features: one trial of each stimulus, in order. Their
    /// target reference comes from halves of the stimuli.
    ///
    /// - Shapes: `responses` (n_stimuli, n_features).
    pub fn noiseless(unit: &Unit, responses: Matrix) -> Result<Self, AlignmentError> {
        let n_stimuli = responses.n_rows();
        let stimuli: Vec<usize> = (0..n_stimuli).collect();
        Ok(Trials {
            are_noiseless: true,
            ..Trials::new(unit, responses, &stimuli, n_stimuli)?
        })
    }

    /// Trials of `n_stimuli` stimuli, counted from 0 in the order that all subjects and sources
    /// share.
    ///
    /// - Shapes: `responses` (n_trials, n_voxels); `stimuli` one per trial.
    pub fn new(unit: &Unit, responses: Matrix, stimuli: &[usize], n_stimuli: usize) -> Result<Self, AlignmentError> {
        if responses.n_columns() == 0 {
            return Err(AlignmentError::no_columns(unit));
        }
        check_trial_count(unit, "stimuli", stimuli.len(), responses.n_rows())?;
        let mut repeats = vec![Vec::new(); n_stimuli];
        for (trial, &found) in stimuli.iter().enumerate() {
            let Some(repeats) = repeats.get_mut(found) else {
                return Err(AlignmentError::Data(format!(
                    "{unit}: trial {trial} shows stimulus {found}, and there are {n_stimuli}, counted from 0"
                )));
            };
            repeats.push(trial);
        }
        if let Some(stimulus) = repeats.iter().position(Vec::is_empty) {
            return Err(AlignmentError::too_few_repeats(unit, stimulus, 0));
        }
        Ok(Trials {
            unit: unit.clone(),
            responses,
            repeats,
            are_noiseless: false,
        })
    }

    pub fn unit(&self) -> &Unit {
        &self.unit
    }

    pub fn n_voxels(&self) -> usize {
        self.responses.n_columns()
    }

    /// The responses: (n_trials, n_voxels).
    pub fn responses(&self) -> &Matrix {
        &self.responses
    }

    pub fn n_trials(&self) -> usize {
        self.responses.n_rows()
    }

    pub fn n_stimuli(&self) -> usize {
        self.repeats.len()
    }

    /// Are the responses free of measurement noise, so that stimuli need no repeats?
    pub fn are_noiseless(&self) -> bool {
        self.are_noiseless
    }

    /// The trials of each stimulus, in ascending order.
    pub fn repeats(&self) -> &[Vec<usize>] {
        &self.repeats
    }

    /// Image-level responses (n_stimuli, n_voxels): the mean of all repeats of each stimulus.
    pub fn means(&self) -> Matrix {
        let all: Vec<usize> = (0..self.n_stimuli()).collect();
        self.means_of(&all, |_| true)
    }

    /// The responses to the trial at `place` among the repeats of each stimulus (from 0); `None` if a stimulus has no
    /// such trial.
    pub(crate) fn single(&self, place: usize) -> Option<Matrix> {
        let trials: Vec<usize> =
            self.repeats.iter().map(|repeats| repeats.get(place).copied()).collect::<Option<_>>()?;
        Some(self.responses.rows(&trials))
    }

    /// The harmonic mean of the numbers of repeats; the noise of the means is proportional to its inverse.
    pub(crate) fn mean_repeats(&self) -> f64 {
        let inverses = self.repeats.iter().map(|repeats| 1.0 / repeats.len() as f64);
        self.n_stimuli() as f64 / inverses.sum::<f64>()
    }

    /// The mean response to each of `stimuli`, over the trials that `include` selects.
    pub fn means_of(&self, stimuli: &[usize], include: impl Fn(usize) -> bool) -> Matrix {
        let chosen: Vec<Vec<usize>> = stimuli
            .iter()
            .map(|&stimulus| self.repeats[stimulus].iter().copied().filter(|&trial| include(trial)).collect())
            .collect();
        let mut means = Mat::zeros(stimuli.len(), self.n_voxels());
        for voxel in 0..self.n_voxels() {
            let values = self.responses.column(voxel);
            for (mean, trials) in means.col_as_slice_mut(voxel).iter_mut().zip(&chosen) {
                let sum: f64 = trials.iter().map(|&trial| values[trial]).sum();
                *mean = sum / trials.len() as f64;
            }
        }
        means.into()
    }
}
