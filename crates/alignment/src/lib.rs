//! Recovery profiles: the reproducible response dimensions of a target brain that a source recovers.
//!
//! Pure computation over matrices of stimuli by voxels or features; nothing here reads a file. [`study`] aligns every
//! source with every target unit and summarises the results. Everything is in double precision. A fit runs on one
//! thread; partitions of a reference and draws of a null run in parallel, each from its own random stream, so the
//! number of threads does not change any bit.

mod aggregate;
mod attribution;
mod balanced;
mod blocks;
mod consensus;
mod controls;
mod correlation;
mod directions;
mod eigen;
pub mod encoding;
mod error;
mod folds;
mod matching;
mod matrix;
mod normal;
mod null;
mod partitions;
mod permuted;
mod pool_fits;
mod predictor;
mod product;
mod profile;
mod readout;
mod reference;
mod region_estimates;
mod ridge_solution;
pub mod rsa;
mod selection;
mod simd_sums;
mod simulate;
mod source;
mod source_subspace;
mod standardise;
pub mod study;
mod subspace;
mod target;
mod trials;
mod two_factor;
mod unit;
mod unit_intervals;

pub use aggregate::{Band, UnitEstimate};
pub use attribution::Attribution;
pub use balanced::balanced_partitions;
pub use blocks::{BlockFit, BlockFits, BlockedSource, MOST_SHAPLEY_BLOCKS, shapley_values};
pub use consensus::{Consensus, Convergence};
pub use controls::{draw_directions, quartile_contrast, random_directions, span, target_pca};
pub use directions::{AuxiliaryReadouts, ReservedReadout, directional_prediction};
pub use eigen::symmetric_eigenpairs;
pub use error::AlignmentError;
pub use folds::{FoldPlan, N_FOLDS, OuterFold, Pool, folds_of};
pub use matching::{ACCURACY_LIMITS, HumanVariation, MatchedPairs, ScoredSource, human_variation};
pub use matrix::Matrix;
pub use null::{
    NullP, NullSummary, draw_null_orders, draw_orders, null_profile_reselected, null_profiles, permute_training,
};
pub use partitions::Partitions;
pub use predictor::Predictor;
pub use profile::{FoldProfile, Profile, brain_reference_score, median_curve, shape_distance};
pub use readout::{READOUT_ALPHAS, Readout, read_out};
pub use reference::{ReferenceOptions, ReferenceSimilarity, TargetReference};
pub use region_estimates::{Quantity, RegionDifference, RegionEstimates};
pub use selection::{CandidateScores, Selection};
pub use simulate::{SimulatedRegion, SimulatedUnit, Simulation, SimulationOptions};
pub use source::PreparedSource;
pub use source_subspace::{SourceBasis, source_effective_rank};
pub use standardise::{Standardisation, standardise_within};
pub use subspace::{Subspace, SubspaceOptions, cross_validate, fit};
pub use target::PreparedTarget;
pub use trials::Trials;
pub use two_factor::{TwoFactorEstimate, two_factor_variance};
pub use unit::Unit;
pub use unit_intervals::{UnitEntry, UnitInterval, UnitIntervals};

/// Parts that are public only for this crate's tests; they may change at any time.
#[doc(hidden)]
pub mod internals {
    use crate::source::SourceFit;
    use crate::target::TargetFit;
    use crate::{PreparedSource, PreparedTarget};

    pub use crate::blocks::sets;
    pub use crate::eigen::{all_eigenpairs, leading_by_reduction, leading_eigenpairs};
    pub use crate::permuted::bases::{iterate, permuted_bases};
    pub use crate::readout::smallest_of_best;
    pub use crate::reference::entropy_rank;
    pub use crate::ridge_solution::{RidgeSolutions, crossed};
    pub use crate::study::human_reference::{Donors, of_group};
    pub use crate::study::summary::differences::largest_of_each_draw;
    pub use crate::subspace::orthonormal;

    /// The fits to all training rows.
    pub fn outer_fits<'a>(source: &'a PreparedSource, target: &'a PreparedTarget) -> (&'a SourceFit, &'a TargetFit) {
        (&source.fits.outer, &target.fits.outer)
    }
}
