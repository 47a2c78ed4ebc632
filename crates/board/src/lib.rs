//! A board: a static site of systems by metrics by subjects, of finished runs.
//!
//! An [`Entry`] is the folder of a finished run of `neurogauge score` with a `card.toml` that says whose it is. [`make`] puts entries
//! of the same stimuli side by side and writes the site; systems that the data cannot tell apart share a rank. [`verify`] computes
//! an entry from its inputs again. A [`Protocol`] says which test set a run is of.

mod board;
mod entry;
mod make;
mod pages;
mod protocol;
mod ranks_figure;
mod verify;

pub use board::{Board, BoardConfig, BoardTable, Cell, MetricColumn, board};
pub use entry::{CARD, Card, Entry};
pub use make::make;
pub use protocol::{PROTOCOLS, Protocol, protocol_of};
pub use verify::{Verified, verify};
