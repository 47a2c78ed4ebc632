//! Whose fault an error is: the data's, a model's, the request's, or ours.

/// The party at fault for an error.
///
/// Every error enum of the workspace assigns each variant to one of these, without a catch-all arm, so that a new
/// variant does not compile until it is assigned. The command line turns a fault into its exit code, the Python package
/// into an exception.
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
