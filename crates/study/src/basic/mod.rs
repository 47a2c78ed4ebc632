//! BASIC under several configurations: which models describe the stimuli and the reconstructions, with which prompt and
//! which thresholds (BASIC, Sec. 4.3 and App. E).
//!
//! Each configuration is a set of options of `score` for all systems. The tables rank the systems under each
//! configuration and measure how similar the rankings are; two figures show the levels of BASIC and single stimuli.

mod agreement;
mod check;
mod grid;
mod levels;
mod record;
mod scoring;
mod standings;
mod tables;

pub use agreement::RankingAgreement;
pub use record::{BasicRecord, BasicRunRecord};
pub(crate) use scoring::{Configured, score_all};
pub(crate) use tables::tables;
