//! BASIC under several configurations: with different models that describe the stimuli and the reconstructions, prompts
//! and thresholds (BASIC, Sec. 4.3 and App. E).
//!
//! Each configuration is a set of options of `score` for all systems. The tables rank the systems under each
//! configuration and measure how similar the rankings are; two figures show the levels of BASIC and single stimuli.

mod scoring;
mod standings;
mod tables;

pub(crate) use scoring::{Configured, score_all};
pub(crate) use tables::record;
