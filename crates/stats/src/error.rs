//! Errors of statistics.

use neurogauge_core::Fault;

/// The inputs do not fit together, or an option is invalid.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum StatsError {
    /// Two paired samples of different length.
    #[error("{x} values are paired with {y}; both samples must have as many")]
    LengthMismatch {
        /// Values of the first sample.
        x: usize,
        /// Values of the second sample.
        y: usize,
    },
    /// Rows in a file that cannot be read.
    #[error("{reason}")]
    UnreadableRows {
        /// The reader's error.
        reason: String,
    },
    /// A sample without values.
    #[error("the sample is empty; a quantile needs at least one value")]
    EmptySample,
    /// NaN or an infinity in a sample.
    #[error("value {index} of the sample is {found}; every value must be finite")]
    NonFiniteSample {
        /// Position, from 0.
        index: usize,
        found: f64,
    },
    /// An option is out of its range.
    #[error("{option} is {found}; expected {expected}")]
    InvalidOption {
        option: &'static str,
        found: String,
        expected: &'static str,
    },
    /// There is nothing to summarise.
    #[error("no column of outcomes was given; a summary needs at least one")]
    NoColumns,
    /// There is nothing to compare.
    #[error("no system was given; a comparison needs at least one")]
    NoSystems,
    /// A column is longer or shorter than the first.
    #[error(
        "column {column} of system {system} holds {found} pairs and the first column {expected}; \
         all columns must be over the same pairs in the same order"
    )]
    ColumnLength {
        /// Position of the system, from 0 (0 where there is only one).
        system: usize,
        /// Position of the column, from 0.
        column: usize,
        /// Its number of pairs.
        found: usize,
        /// The number of pairs of the first column.
        expected: usize,
    },
    /// A system has more or fewer columns than the first.
    #[error(
        "system {system} has {found} columns and the first system {expected}; all systems must be \
         scored on the same parts"
    )]
    ColumnCount {
        /// Position of the system, from 0.
        system: usize,
        /// Its number of columns.
        found: usize,
        /// The number of columns of the first system.
        expected: usize,
    },
    /// An outcome has a value that is not finite.
    #[error(
        "pair {pair} of column {column} of system {system} has the value {found}; a pair without \
         a value must say why, as an undefined outcome"
    )]
    NonFiniteOutcome {
        /// Position of the system, from 0 (0 where there is only one).
        system: usize,
        /// Position of the column, from 0.
        column: usize,
        /// Position of the pair, from 0.
        pair: usize,
        found: f64,
    },
    /// More pairs than the 32-bit draws of the bootstrap can distinguish.
    #[error("{found} pairs cannot be resampled; the most is 4294967295")]
    TooManyPairs {
        /// Number of pairs.
        found: usize,
    },
    /// More items than positions of 32 bits can distinguish.
    #[error("{found} items cannot be compared pair by pair; the most is 4294967295")]
    TooManyItems {
        /// Number of items.
        found: usize,
    },
    /// More pairs within groups than can be kept in memory.
    #[error(
        "{found} pairs within groups would have to be held, and {most} is the most; group by \
         something with more different values"
    )]
    TooManyGroupedPairs {
        /// Number of pairs.
        found: u64,
        most: u64,
    },
    /// Ratings that do not make a table of items by raters.
    #[error(
        "{found} ratings do not divide evenly among {n_raters} raters; give one per item and rater, \
         with what is missing marked as such"
    )]
    RatingCount {
        /// Number of ratings, missing ones included.
        found: usize,
        n_raters: usize,
    },
    /// A survey in which nothing can be compared.
    #[error(
        "the survey has {n_items} item(s) and {n_raters} rater(s); agreement needs at least two \
         of each"
    )]
    TooFewRatings { n_items: usize, n_raters: usize },
    /// NaN or an infinity among the ratings.
    #[error(
        "rater {rater} gave item {item} the rating {found}; ratings must be finite, and what is \
         missing must be marked as such"
    )]
    NonFiniteRating {
        /// Position of the item, from 0.
        item: usize,
        /// Position of the rater, from 0.
        rater: usize,
        found: f64,
    },
}

impl StatsError {
    /// Whose fault it is.
    #[deny(clippy::wildcard_enum_match_arm)]
    pub fn fault(&self) -> Fault {
        match self {
            StatsError::InvalidOption { .. } => Fault::Usage,
            StatsError::LengthMismatch { .. }
            | StatsError::UnreadableRows { .. }
            | StatsError::EmptySample
            | StatsError::NonFiniteSample { .. }
            | StatsError::NoColumns
            | StatsError::NoSystems
            | StatsError::ColumnLength { .. }
            | StatsError::ColumnCount { .. }
            | StatsError::NonFiniteOutcome { .. }
            | StatsError::TooManyPairs { .. }
            | StatsError::TooManyItems { .. }
            | StatsError::TooManyGroupedPairs { .. }
            | StatsError::RatingCount { .. }
            | StatsError::TooFewRatings { .. }
            | StatsError::NonFiniteRating { .. } => Fault::Data,
        }
    }
}
