//! Values that others published for published weights, and how a model is compared with them.
//!
//! Networks are compared with their reference implementations on synthetic checkpoints, since no test can bring
//! gigabytes of weights. Published values show whether the weights on a machine give the authors' results: an input, a
//! quantity, its published numbers, how close they are to be, and where they are published. [`selftest`] computes them.
//!
//! The records are `data/*.json`. Inputs that are files are fetched on request and pinned by their hashes; none is kept
//! here.

mod compare;
mod inputs;
mod measure;
mod prepare;
mod record;
mod selftest;
mod subject;
#[cfg(test)]
mod tests;

pub use inputs::{InputFile, PublishedInputs};
pub use record::{
    Check, Expected, Grade, MaskAsk, MasksOf, PreparedAs, PublishedInput, PublishedValues, Quantity, Statistics,
    published_values,
};
pub use selftest::{Finding, Verdict, selftest};
