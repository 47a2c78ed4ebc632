//! Whose fault an error is: the data's, a model's, the request's, or ours.

/// Whose fault an error is.
///
/// Every error enum of the workspace sorts its variants into these, one by one and without a catch-all arm, so that
/// a new variant does not compile before it has been sorted. The command line turns a fault into its exit code, the
/// Python package into an exception.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Fault {
    /// The data (exit code 1, `DataError`).
    Data,
    /// The weights or inputs of a model (exit code 1, `ModelError`).
    Model,
    /// The request (exit code 2, `UsageError`).
    Usage,
    /// Ours (exit code 3, `InternalError`).
    Ours,
}

impl Fault {
    /// All of them.
    pub const ALL: [Fault; 4] = [Fault::Data, Fault::Model, Fault::Usage, Fault::Ours];

    /// The exit code of the command line.
    pub fn exit_code(self) -> u8 {
        match self {
            Fault::Data | Fault::Model => 1,
            Fault::Usage => 2,
            Fault::Ours => 3,
        }
    }
}
