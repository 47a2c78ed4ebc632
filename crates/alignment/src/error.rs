//! Errors of alignments.

use crate::Unit;
use neurogauge_core::Fault;

/// The inputs do not fit together, or an option is invalid.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum AlignmentError {
    /// Values that do not make a matrix.
    #[error("{found} values do not make a matrix of {n_rows} rows and {n_columns} columns")]
    Shape {
        n_rows: usize,
        n_columns: usize,
        /// Number of values given.
        found: usize,
    },
    /// A matrix with a different number of stimuli from the folds.
    #[error(
        "{name} has {found} stimuli and the folds are over {expected}; all subjects and sources \
         must hold the same stimuli in the same order"
    )]
    StimulusCount {
        /// The target unit or the source.
        name: String,
        /// Its number of stimuli.
        found: usize,
        /// The number of stimuli of the folds.
        expected: usize,
    },
    /// Two subjects have the same stimuli in a different order.
    #[error(
        "{name} has stimulus {found} at position {position}, where {first} has {expected}; put the \
         stimuli of all subjects and sources in one order"
    )]
    StimulusOrder {
        /// The target unit or the source.
        name: String,
        /// The one it is compared with.
        first: String,
        /// Position, from 0.
        position: usize,
        found: u64,
        expected: u64,
    },
    /// A matrix without columns.
    #[error("{name} has no columns; a target needs a voxel and a source a feature")]
    NoColumns {
        /// The target unit or the source.
        name: String,
    },
    /// A voxel that was never measured.
    #[error(
        "{unit}: voxel {voxel} is NaN or infinite in every trial; leave it out of the ROI, or \
         allow such voxels, which then count as constant"
    )]
    NanVoxel {
        unit: Unit,
        /// Position of the voxel, from 0.
        voxel: usize,
    },
    /// A number of labels that differs from the number of trials.
    #[error("{unit}: {found} {what} for {expected} trials; give one per trial")]
    TrialCount {
        unit: Unit,
        /// The counted labels.
        what: &'static str,
        found: usize,
        /// The number of trials.
        expected: usize,
    },
    /// A trial of an unknown stimulus.
    #[error("{unit}: trial {trial} shows stimulus {found}, and there are {n_stimuli}, counted from 0")]
    UnknownStimulus {
        unit: Unit,
        /// Position of the trial, from 0.
        trial: usize,
        found: usize,
        n_stimuli: usize,
    },
    /// A stimulus whose repeats cannot be divided into two views.
    #[error(
        "{unit}: stimulus {stimulus} has {found} repeat(s); a reference needs at least two of each \
         stimulus, so leave it out for all subjects"
    )]
    TooFewRepeats {
        unit: Unit,
        /// Position of the stimulus, from 0.
        stimulus: usize,
        /// Its number of repeats.
        found: usize,
    },
    /// A half of the stimuli without one of an inner fold.
    #[error(
        "{unit}: inner fold {fold} of a test chunk of {n_stimuli} stimuli cannot be halved; a target without measurement noise needs two \
         stimuli or more in each of the {n_folds} inner folds of every test chunk: use more stimuli, or fewer `inner_folds` or \
         `outer_folds`"
    )]
    EmptyHalf {
        unit: Unit,
        /// Position of the inner fold, from 0.
        fold: usize,
        /// Number of stimuli of the test chunk.
        n_stimuli: usize,
        n_folds: usize,
    },
    /// A partition that leaves one of the two views of a stimulus without a trial.
    #[error(
        "{unit}: partition {partition} puts no repeat of stimulus {stimulus} into view {view}; \
         label at least one of them {view}"
    )]
    EmptyView {
        unit: Unit,
        /// Position of the partition, from 0.
        partition: usize,
        /// Position of the stimulus, from 0.
        stimulus: usize,
        /// The label that is missing: 0 or 1.
        view: u8,
    },
    /// A label of a trial that is neither 0 nor 1.
    #[error("{unit}: partition {partition} labels trial {trial} {found}; expected 0 or 1")]
    PartitionLabel {
        unit: Unit,
        /// Position of the partition, from 0.
        partition: usize,
        /// Position of the trial, from 0.
        trial: usize,
        found: u8,
    },
    /// Fewer items than parts to divide them into.
    #[error(
        "{found} stimuli cannot be divided into {n_folds} {what} folds; set `{what}_folds` to 2 or more and at most \
         {found}, or keep more stimuli"
    )]
    TooFewStimuli {
        /// Inner or outer.
        what: &'static str,
        /// Number of stimuli.
        found: usize,
        n_folds: usize,
    },
    /// A fold with an unknown or a duplicate item.
    #[error(
        "{what} fold {fold} holds {found}, which is {defect}; every stimulus of the {n_stimuli} \
         must be in exactly one fold, counted from 0"
    )]
    FoldIndex {
        /// Inner or outer.
        what: &'static str,
        /// Position of the fold, from 0.
        fold: usize,
        found: usize,
        /// Out of range, or seen before.
        defect: &'static str,
        n_stimuli: usize,
    },
    /// Folds that leave stimuli out.
    #[error("the {what} folds hold {found} of {n_stimuli} stimuli; every one must be in a fold")]
    FoldCoverage {
        /// Inner or outer.
        what: &'static str,
        /// Number of stimuli in a fold.
        found: usize,
        n_stimuli: usize,
    },
    /// A source and a target that were prepared over different folds.
    #[error("{source_name} was prepared over other folds than {target}; prepare both over the same")]
    OtherFolds { source_name: String, target: String },
    /// A comparison across different response spaces.
    #[error("{what} has {found} voxels and the reference {expected}; both must be of one target")]
    OtherSpace {
        /// The object compared with the reference.
        what: &'static str,
        /// Its number of voxels.
        found: usize,
        /// The number of voxels of the reference.
        expected: usize,
    },
    /// An option is out of its range.
    #[error("{option} is {found}; expected {expected}")]
    InvalidOption {
        option: &'static str,
        found: String,
        expected: &'static str,
    },
    /// A control that is named twice.
    #[error("controls names {name} twice; name it once")]
    ControlTwice { name: &'static str },
    /// Two target units that tables could not distinguish.
    #[error("{unit} is a target twice; give each subject, hemisphere and region once")]
    TargetTwice { unit: Unit },
    /// Two sources that tables could not distinguish.
    #[error("two sources are called {name:?}; give each its own name")]
    SourceTwice { name: String },
    /// A plan that lacks a target unit.
    #[error("the plan has no partitions of {unit}")]
    NoPartitions { unit: Unit },
    /// Trials that cannot be balanced over sessions or runs.
    #[error(
        "{unit}: partitions cannot be balanced over {what}: all its trials are of one as far as is known; name \
         `{what}` of its trials in [[targets]], or leave out what asks for balance (`balance`, or the \
         control `balanced-partitions`)"
    )]
    Unbalanced {
        unit: Unit,
        /// `sessions` or `runs`.
        what: &'static str,
    },
    /// Nothing to summarise.
    #[error("there is no {what} to summarise")]
    Empty {
        /// What is missing.
        what: &'static str,
    },
    /// Vectors of different lengths cannot be averaged.
    #[error("{what} {index} has {found} values and the first {expected}; all must have as many")]
    LengthMismatch {
        /// The kind of vector.
        what: &'static str,
        /// Position, from 0.
        index: usize,
        /// Its number of values.
        found: usize,
        /// The number of values of the first.
        expected: usize,
    },
    /// An eigendecomposition did not converge.
    #[error("the eigendecomposition of a matrix of {n} rows did not converge")]
    NoConvergence { n: usize },
    /// A statistic refused its inputs.
    #[error(transparent)]
    Statistics(#[from] neurogauge_stats::StatsError),
}

impl AlignmentError {
    /// Whose fault it is.
    #[deny(clippy::wildcard_enum_match_arm)]
    pub fn fault(&self) -> Fault {
        match self {
            AlignmentError::InvalidOption { .. }
            | AlignmentError::ControlTwice { .. }
            | AlignmentError::TargetTwice { .. }
            | AlignmentError::SourceTwice { .. }
            | AlignmentError::NoPartitions { .. }
            | AlignmentError::Unbalanced { .. } => Fault::Usage,
            AlignmentError::NoConvergence { .. } => Fault::Ours,
            AlignmentError::Shape { .. }
            | AlignmentError::StimulusCount { .. }
            | AlignmentError::StimulusOrder { .. }
            | AlignmentError::NoColumns { .. }
            | AlignmentError::NanVoxel { .. }
            | AlignmentError::TrialCount { .. }
            | AlignmentError::UnknownStimulus { .. }
            | AlignmentError::EmptyHalf { .. }
            | AlignmentError::TooFewRepeats { .. }
            | AlignmentError::EmptyView { .. }
            | AlignmentError::PartitionLabel { .. }
            | AlignmentError::TooFewStimuli { .. }
            | AlignmentError::FoldIndex { .. }
            | AlignmentError::FoldCoverage { .. }
            | AlignmentError::OtherFolds { .. }
            | AlignmentError::OtherSpace { .. }
            | AlignmentError::Empty { .. }
            | AlignmentError::LengthMismatch { .. } => Fault::Data,
            AlignmentError::Statistics(error) => error.fault(),
        }
    }
}
