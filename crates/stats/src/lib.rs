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
pub mod quantile;
mod resample;
pub mod summation;

pub use bootstrap::{BootstrapOptions, estimate};
pub use comparison::{Comparison, Difference, Standing, compare_systems};
pub use correlation::{correlation_distance, pearson};
pub use error::StatsError;
pub use quantile::quantile;
