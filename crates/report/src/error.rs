//! Why a table could not be written.

/// The parts of a table do not fit together.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum ReportError {
    /// A format that does not exist.
    #[error("unknown format {found:?}; expected one of {expected}")]
    UnknownFormat {
        /// What was asked for.
        found: String,
        /// The formats there are, comma separated.
        expected: String,
    },
    /// No system or no metric.
    #[error("the table {title:?} has no {what}; give it at least one")]
    Empty {
        /// Title of the table.
        title: String,
        /// `rows` or `columns`.
        what: &'static str,
    },
    /// A row has more or fewer entries than the table has columns.
    #[error(
        "system {system:?} has {found} {what} for {expected} columns; give one for each column, \
         in their order"
    )]
    RowLength {
        /// The row.
        system: String,
        /// `estimates` or `ranks`.
        what: &'static str,
        /// How many it has.
        found: usize,
        /// How many columns the table has.
        expected: usize,
    },
    /// NaN or an infinity where a number must stand.
    #[error(
        "the {what} of {metric:?} for system {system:?} is {found}; a value that does not exist \
         must be given as undefined, with its reason"
    )]
    NonFinite {
        /// The row.
        system: String,
        /// Id of the column.
        metric: String,
        /// `mean`, `interval`, `rank` or `rank interval`.
        what: &'static str,
        /// The number.
        found: f64,
    },
    /// The level of the intervals is not a share.
    #[error("the interval level is {found}; expected a number between 0 and 1, such as 0.95")]
    Level {
        /// The number.
        found: f64,
    },
    /// The JSON writer gave up.
    #[error("the table {title:?} could not be written as JSON: {reason}")]
    Json {
        /// Title of the table.
        title: String,
        /// What the writer said.
        reason: String,
    },
}
