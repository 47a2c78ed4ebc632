//! Representational similarity analysis: the dissimilarities of responses to all pairs of stimuli, beside those of a
//! source's features.

mod comparison;
mod crossnobis;
mod dissimilarity;
mod evaluation;

pub use comparison::RdmComparison;
pub use dissimilarity::{Dissimilarities, Dissimilarity};
pub use evaluation::{compare_dissimilarities, evaluate_rsa};
