//! Errors of alignments.

use crate::Unit;
use neurogauge_core::{Fault, counted};
use std::fmt::Display;

/// Reasons why an alignment cannot be made, in words.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum AlignmentError {
    /// Inputs do not fit together.
    #[error("{0}")]
    Data(String),
    /// An option is out of its range, or does not apply to the data.
    #[error("{0}")]
    Usage(String),
    /// An eigendecomposition did not converge.
    #[error("the eigendecomposition of a matrix of {n} rows did not converge")]
    NoConvergence { n: usize },
    /// A statistic refused its inputs.
    #[error(transparent)]
    Statistics(#[from] neurogauge_stats::StatsError),
}

impl AlignmentError {
    pub(crate) fn option(option: &str, found: impl Display, expected: &str) -> Self {
        AlignmentError::Usage(format!("{option} is {found}; expected {expected}"))
    }

    /// There is nothing to summarise.
    pub(crate) fn empty(what: &str) -> Self {
        AlignmentError::Data(format!("there is no {what} to summarise"))
    }

    /// A matrix has another number of stimuli than the folds.
    pub(crate) fn stimulus_count(name: impl Display, found: usize, expected: usize) -> Self {
        AlignmentError::Data(format!(
            "{name} has {found} stimuli, expected {expected}; folds, subjects and sources must all hold the same stimuli in \
             the same order"
        ))
    }

    /// A matrix has no columns.
    pub(crate) fn no_columns(name: impl Display) -> Self {
        AlignmentError::Data(format!("{name} has no columns; a target needs a voxel and a source a feature"))
    }

    /// The repeats of a stimulus cannot be divided into two views.
    pub(crate) fn too_few_repeats(unit: &Unit, stimulus: usize, found: usize) -> Self {
        AlignmentError::Data(format!(
            "{unit}: stimulus {stimulus} has {}; a reference needs at least two of each stimulus, so leave it out for all subjects",
            counted(found, "repeat")
        ))
    }

    /// There are fewer stimuli than inner or outer folds.
    pub(crate) fn too_few_stimuli(what: &str, found: usize, n_folds: usize) -> Self {
        AlignmentError::Data(format!(
            "{found} stimuli cannot be divided into {n_folds} {what} folds; set `{what}_folds` to 2 or more and at most \
             {found}, or keep more stimuli"
        ))
    }

    pub fn fault(&self) -> Fault {
        match self {
            AlignmentError::Data(_) => Fault::Data,
            AlignmentError::Usage(_) => Fault::Usage,
            AlignmentError::NoConvergence { .. } => Fault::Ours,
            AlignmentError::Statistics(error) => error.fault(),
        }
    }
}

/// Checks that there is one of `what` for each trial.
pub(crate) fn check_trial_count(unit: &Unit, what: &str, found: usize, n_trials: usize) -> Result<(), AlignmentError> {
    match found == n_trials {
        true => Ok(()),
        false => Err(AlignmentError::Data(format!("{unit}: {found} {what} for {n_trials} trials; give one per trial"))),
    }
}

/// Checks that `what` has as many voxels as the reference.
pub(crate) fn check_space(what: &str, found: usize, expected: usize) -> Result<(), AlignmentError> {
    match found == expected {
        true => Ok(()),
        false => Err(AlignmentError::Data(format!(
            "{what} has {found} voxels and the reference {expected}; both must be of one target"
        ))),
    }
}

/// Checks that the vector at `index` is as long as the first.
pub(crate) fn check_length(what: &str, index: usize, found: usize, expected: usize) -> Result<(), AlignmentError> {
    match found == expected {
        true => Ok(()),
        false => Err(AlignmentError::Data(format!(
            "{what} {index} has {found} values and the first {expected}; all must have as many"
        ))),
    }
}
