//! Values that others published for published weights, and how a model is compared with them.
//!
//! Networks are compared with their reference implementations on synthetic checkpoints, since no test can bring
//! gigabytes of weights. Published values show whether the weights on a machine give the authors' results. A record has
//! an input, a quantity, its published numbers, their tolerance and their source. [`selftest`] compares them.
//!
//! The records are `data/*.json`. Input files are not stored here; they are downloaded on request and pinned by their
//! hashes.

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
