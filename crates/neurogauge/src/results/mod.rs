//! What every command's result has in common: a record that says where its numbers come from, tables made for reading,
//! figures, and one way into a folder and onto a terminal.

pub(crate) mod keep;
mod provenance;
mod report;

pub use provenance::Provenance;
pub use report::{Report, ResultFiles};
