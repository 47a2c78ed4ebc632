//! Correlations, rank statistics and resampling.

pub mod bootstrap;
pub mod correlation;
pub mod quantile;
