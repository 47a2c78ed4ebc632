//! Representational similarity analysis: the dissimilarities of responses to all pairs of stimuli, beside those of a
//! source's features.

mod comparison;
mod crossnobis;
mod dissimilarity;
mod evaluation;

pub use comparison::{RdmComparison, compare_dissimilarities};
pub use dissimilarity::{Dissimilarities, Dissimilarity};
pub use evaluation::evaluate_rsa;
