//! Correlations, quantiles and resampling.
//!
//! Everything here gives the same bits for the same input: sums have a fixed order
//! ([`summation`]), and random draws depend on a seed and a counter only ([`bootstrap`]), so neither
//! the processor nor the number of threads matters.

pub mod bootstrap;
mod columns;
pub mod comparison;
pub mod correlation;
mod error;
mod held_pairs;
pub mod kendall;
mod pair_order;
mod paired;
pub mod pairwise_accuracy;
pub mod quantile;
pub mod ranks;
mod resample;
mod streamed_pairs;
pub mod summation;
pub mod tie_calibration;

pub use bootstrap::{BootstrapOptions, estimate};
pub use comparison::{Comparison, Difference, Standing, compare_systems};
pub use correlation::{correlation_distance, pearson};
pub use error::StatsError;
pub use kendall::{KendallCounts, kendall_tau_b, kendall_tau_c};
pub use pairwise_accuracy::pairwise_accuracy;
pub use quantile::quantile;
pub use ranks::{average_ranks, spearman};
pub use tie_calibration::{Calibrated, TieCalibration};
