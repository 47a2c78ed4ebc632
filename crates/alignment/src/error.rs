//! Errors of alignments.

use crate::Unit;
use neurogauge_core::Fault;
use std::fmt::Display;

/// Why an alignment cannot be made, in words.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum AlignmentError {
    /// Inputs that do not fit together.
    #[error("{0}")]
    Data(String),
    /// An option that is out of its range, or that the data cannot be asked for.
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

    /// Nothing to summarise.
    pub(crate) fn empty(what: &str) -> Self {
        AlignmentError::Data(format!("there is no {what} to summarise"))
    }

    /// A matrix with a different number of stimuli from the folds.
    pub(crate) fn stimulus_count(name: impl Display, found: usize, expected: usize) -> Self {
        AlignmentError::Data(format!(
            "{name} has {found} stimuli and the folds are over {expected}; all subjects and sources must hold the same \
             stimuli in the same order"
        ))
    }

    /// A matrix without columns.
    pub(crate) fn no_columns(name: impl Display) -> Self {
        AlignmentError::Data(format!("{name} has no columns; a target needs a voxel and a source a feature"))
    }

    /// A stimulus whose repeats cannot be divided into two views.
    pub(crate) fn too_few_repeats(unit: &Unit, stimulus: usize, found: usize) -> Self {
        AlignmentError::Data(format!(
            "{unit}: stimulus {stimulus} has {found} repeat(s); a reference needs at least two of each stimulus, so \
             leave it out for all subjects"
        ))
    }

    /// Fewer stimuli than inner or outer folds to divide them into.
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

/// Is there one of `what` for each trial?
pub fn check_trial_count(unit: &Unit, what: &str, found: usize, n_trials: usize) -> Result<(), AlignmentError> {
    match found == n_trials {
        true => Ok(()),
        false => Err(AlignmentError::Data(format!("{unit}: {found} {what} for {n_trials} trials; give one per trial"))),
    }
}

/// Is `what` of the response space of the reference?
pub(crate) fn check_space(what: &str, found: usize, expected: usize) -> Result<(), AlignmentError> {
    match found == expected {
        true => Ok(()),
        false => Err(AlignmentError::Data(format!(
            "{what} has {found} voxels and the reference {expected}; both must be of one target"
        ))),
    }
}

/// Has the vector in place `index` as many values as the first?
pub(crate) fn check_length(what: &str, index: usize, found: usize, expected: usize) -> Result<(), AlignmentError> {
    match found == expected {
        true => Ok(()),
        false => Err(AlignmentError::Data(format!(
            "{what} {index} has {found} values and the first {expected}; all must have as many"
        ))),
    }
}
