//! Why a table could not be written or a figure could not be drawn.

use neurogauge_core::Fault;

#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ReportError {
    /// A request that cannot be met, such as a format that does not exist.
    #[error("{0}")]
    Request(String),
    /// The parts of a table or a figure do not fit together.
    #[error("{0}")]
    Parts(String),
}

impl ReportError {
    /// Whose fault it is.
    pub fn fault(&self) -> Fault {
        match self {
            ReportError::Request(_) => Fault::Usage,
            ReportError::Parts(_) => Fault::Ours,
        }
    }

    /// The figure could not be written to a file.
    pub(crate) fn not_drawn(title: &str, reason: impl std::fmt::Display) -> Self {
        ReportError::Parts(format!("the figure {title:?} could not be drawn: {reason}"))
    }
}
