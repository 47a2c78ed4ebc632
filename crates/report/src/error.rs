//! Why a table could not be written, or a figure drawn.

use neurogauge_core::Fault;

/// The parts of a table or a figure do not fit together.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum ReportError {
    /// A format that does not exist.
    #[error("unknown format {found:?}; expected one of {expected}")]
    UnknownFormat { found: String, expected: String },
    /// No system or no metric.
    #[error("the table {title:?} has no {what}; give it at least one")]
    Empty {
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
        system: String,
        /// `estimates` or `ranks`.
        what: &'static str,
        found: usize,
        expected: usize,
    },
    /// NaN or an infinity instead of a number.
    #[error(
        "the {what} of {metric:?} for system {system:?} is {found}; a value that does not exist \
         must be given as undefined, with its reason"
    )]
    NonFinite {
        system: String,
        /// Id of the column.
        metric: String,
        /// `mean`, `interval`, `rank` or `rank interval`.
        what: &'static str,
        found: f64,
    },
    /// The level of the intervals is not a share.
    #[error("the interval level is {found}; expected a number between 0 and 1, such as 0.95")]
    Level { found: f64 },
    #[error("the figure {title:?} has no {what}; give it at least one")]
    EmptyFigure { title: String, what: &'static str },
    /// A list of a figure is too long or too short.
    #[error("the figure {title:?} has {found} {what} where {expected} belong")]
    FigureLength {
        title: String,
        what: &'static str,
        found: usize,
        expected: usize,
    },
    /// NaN, an infinity or a number close to one, which has no place on an axis.
    #[error(
        "the figure {title:?} has {found} among its {what}; leave out what has no value, or give \
         it as undefined"
    )]
    NonFinitePoint {
        title: String,
        what: &'static str,
        found: f64,
    },
    /// A figure with more in it than a picture holds.
    #[error(
        "the figure {title:?} would be {width_px} x {height_px} pixels, and viewers open at most \
         {limit_px}; show fewer rows or columns"
    )]
    FigureTooLarge {
        title: String,
        width_px: f64,
        height_px: f64,
        /// The most that either may be.
        limit_px: f64,
    },
    /// More than fits into the width that was asked for.
    #[error(
        "the figure {title:?} takes a width of {needed_mm:.0} mm at least, and {width_mm:.0} mm were asked for; give it \
         more width, or smaller letters"
    )]
    FigureTooNarrow {
        title: String,
        width_mm: f64,
        needed_mm: f64,
    },
    /// A file whose ending names no format of figures.
    #[error("{}: a figure is written as .svg, .png or .pdf; give the file one of these endings", path.display())]
    UnknownFigureFormat { path: std::path::PathBuf },
    /// A figure that cannot be written as a file.
    #[error("the figure {title:?} could not be drawn: {reason}")]
    NotDrawn { title: String, reason: String },
}

impl ReportError {
    /// Whose fault it is.
    #[deny(clippy::wildcard_enum_match_arm)]
    pub fn fault(&self) -> Fault {
        match self {
            ReportError::UnknownFormat { .. }
            | ReportError::FigureTooNarrow { .. }
            | ReportError::UnknownFigureFormat { .. } => Fault::Usage,
            ReportError::Empty { .. }
            | ReportError::RowLength { .. }
            | ReportError::NonFinite { .. }
            | ReportError::Level { .. }
            | ReportError::EmptyFigure { .. }
            | ReportError::FigureLength { .. }
            | ReportError::NonFinitePoint { .. }
            | ReportError::FigureTooLarge { .. }
            | ReportError::NotDrawn { .. } => Fault::Ours,
        }
    }
}
