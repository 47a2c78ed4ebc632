//! What every command's result has in common: a record of where its numbers come from, readable tables, figures, and
//! one writer for folders and for the terminal.

pub(crate) mod keep;
mod provenance;
mod report;

pub use provenance::Provenance;
pub use report::{Report, ResultFiles};
