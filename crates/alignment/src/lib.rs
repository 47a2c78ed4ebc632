//! Recovery profiles: which reproducible response dimensions of a target brain a source recovers.
//!
//! Pure computation over matrices of stimuli by voxels or features; nothing here reads a file.
//! Everything is in double precision. A fit runs on one thread; partitions of a reference and draws
//! of a null run side by side, each from its own random stream, so the number of threads cannot
//! change a bit.

mod correlation;
mod eigen;
mod error;
mod folds;
mod matrix;
mod pool_fits;
mod product;
mod ridge_solution;
mod selection;
mod source;
mod standardise;
mod subspace;
mod target;
mod unit;

pub use error::AlignmentError;
pub use folds::{FoldPlan, N_FOLDS, OuterFold, Pool};
pub use matrix::Matrix;
pub use selection::{CandidateScores, Selection};
pub use source::PreparedSource;
pub use standardise::{Standardisation, standardise_within};
pub use subspace::{Subspace, SubspaceOptions, cross_validate, fit};
pub use target::PreparedTarget;
pub use unit::Unit;
