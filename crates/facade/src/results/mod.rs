//! The common parts of every command's result: a record of its provenance, readable tables, figures, and one writer for
//! folders and for the terminal.

pub(crate) mod keep;
mod local_paths;
mod provenance;
mod report;

pub use local_paths::LocalPaths;
pub use provenance::Provenance;
pub use report::{Report, ResultFiles};
