//! Advice around a run.
//!
//! - [`catalogue`]: what every metric is, what it needs, and which of that is on this machine.
//! - [`doctor`]: whether weights, caches, WordNet and devices are in order, and the command that mends what is not.
//! - [`citations`]: what to cite for finished runs, as BibTeX.

pub mod catalogue;
pub mod citations;
pub mod doctor;
