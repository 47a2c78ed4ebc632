//! Advice before and after a run.
//!
//! - [`catalogue`]: every metric's description, its needs, and which of these are on this machine.
//! - [`doctor`]: whether weights, caches, WordNet and devices are in order, and how to fix the rest.
//! - [`citations`]: the references to cite for finished runs, as BibTeX.
//! - [`methods`]: a methods paragraph for finished runs, to paste into a paper.

pub mod catalogue;
pub mod citations;
pub mod doctor;
pub mod methods;
