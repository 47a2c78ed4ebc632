//! Errors of statistics.

use neurogauge_core::Fault;
use std::fmt::Display;

/// Why a statistic cannot be computed at all, in words.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum StatsError {
    /// Inputs do not fit together.
    #[error("{0}")]
    Data(String),
    #[error("{0}")]
    Usage(String),
}

impl StatsError {
    /// An option is out of its range.
    pub(crate) fn option(option: &str, found: impl Display, expected: &str) -> Self {
        StatsError::Usage(format!("{option} is {found}; expected {expected}"))
    }

    pub fn empty_sample() -> Self {
        StatsError::Data("the sample is empty; a quantile needs at least one value".to_owned())
    }

    pub(crate) fn no_columns() -> Self {
        StatsError::Data("no column of outcomes was given; a summary needs at least one".to_owned())
    }

    /// There are more pairs than the bootstrap's 32-bit draws can distinguish.
    pub(crate) fn too_many_pairs(found: usize) -> Self {
        StatsError::Data(format!("{found} pairs cannot be resampled; the most is 4294967295"))
    }

    /// There are more items than 32-bit positions can distinguish.
    pub(crate) fn too_many_items(found: usize) -> Self {
        StatsError::Data(format!("{found} items cannot be compared pair by pair; the most is 4294967295"))
    }

    pub fn fault(&self) -> Fault {
        match self {
            StatsError::Data(_) => Fault::Data,
            StatsError::Usage(_) => Fault::Usage,
        }
    }
}

/// Fails unless two paired samples have equally many values.
pub fn check_lengths(x: usize, y: usize) -> Result<(), StatsError> {
    match x == y {
        true => Ok(()),
        false => Err(StatsError::Data(format!("{x} values are paired with {y}; both samples must have as many"))),
    }
}

/// Fails with the first value that is not finite.
pub(crate) fn check_finite(sample: &[f64]) -> Result<(), StatsError> {
    match sample.iter().position(|value| !value.is_finite()) {
        Some(index) => Err(not_finite(index, sample[index])),
        None => Ok(()),
    }
}

/// The value at this position of a sample is NaN or infinite.
pub(crate) fn not_finite(index: usize, found: f64) -> StatsError {
    StatsError::Data(format!("value {index} of the sample is {found}; every value must be finite"))
}

pub(crate) fn check_level(level: f64) -> Result<(), StatsError> {
    match level > 0.0 && level < 1.0 {
        true => Ok(()),
        false => Err(StatsError::option("level", level, "a number between 0 and 1, exclusive")),
    }
}
