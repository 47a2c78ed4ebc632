//! The summary of many outcomes.

use crate::Undefined;
use serde::{Deserialize, Serialize};

/// A point estimate over pairs with its interval.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Estimate {
    /// The mean over the pairs that have a value, or why there is none.
    pub value: Result<f64, Undefined>,
    /// Lower and upper end of the interval; `None` where a single pair (or none) has a value.
    pub interval: Option<(f64, f64)>,
    /// Number of pairs with a value.
    pub n: usize,
    /// Number of pairs without one.
    pub n_undefined: usize,
}
