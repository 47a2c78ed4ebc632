//! `neurogauge compare`: compares systems on the pairs that they share.

mod comparison;
mod conditions;
mod decidable;
mod differences;
mod dimensions;
mod figures;
mod missing;
mod mixed_protocols;
mod options;
mod pools;
mod runs;
mod shared_pairs;
mod shared_runs;
mod standings;
mod subjects;
mod table;

pub use comparison::{CompareRecord, CompareRequest, SystemComparison};
pub use differences::{Differences, Equivalence, NamedDifference, SameDirection, SubjectDifference};
pub use dimensions::{ComparedDimension, ComparedDimensions, have_dimensions};
pub use options::{CompareOptions, HolmFamily};
pub use runs::{compare, compare_runs};
pub use standings::SystemStanding;
pub use subjects::SystemSubjects;
