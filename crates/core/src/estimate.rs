//! The summary of many outcomes.

use crate::Undefined;
use serde::{Deserialize, Serialize};

/// A point estimate over pairs with its interval.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Estimate {
    /// The mean over the pairs that have a value, or why there is none.
    #[serde(flatten, with = "crate::recorded")]
    pub value: Result<f64, Undefined>,
    /// Lower and upper end of the interval; [`without_interval`](Self::without_interval) says why it can be `None`.
    pub interval: Option<(f64, f64)>,
    /// Number of pairs with a value.
    pub n: usize,
    /// Number of pairs without one.
    pub n_undefined: usize,
}

impl Estimate {
    /// An estimate over `n` pairs that all have a value.
    pub fn of(value: Result<f64, Undefined>, interval: Option<(f64, f64)>, n: usize) -> Self {
        Estimate {
            value,
            interval,
            n,
            n_undefined: 0,
        }
    }

    /// An estimate whose interval is clipped to a range: the interval of a mean cannot exceed the range of single
    /// values.
    ///
    /// ```
    /// use neurogauge_core::Estimate;
    /// let estimate = Estimate { value: Ok(0.9), interval: Some((0.7, 1.1)), n: 9, n_undefined: 0 };
    /// assert_eq!(estimate.within((0.0, 1.0)).interval, Some((0.7, 1.0)));
    /// ```
    #[must_use]
    pub fn within(self, (least, greatest): (f64, f64)) -> Self {
        let clipped = |(low, high): (f64, f64)| (low.max(least), high.min(greatest));
        Estimate {
            interval: self.interval.map(clipped),
            ..self
        }
    }

    /// Why a mean has no interval; `None` if it has one, or if there is no mean either.
    pub fn without_interval(&self) -> Option<&'static str> {
        match (&self.value, self.interval, self.n) {
            (Err(_), ..) | (_, Some(_), _) => None,
            (Ok(_), None, 0 | 1) => Some("fewer than two pairs have a value"),
            (Ok(_), None, _) => Some("no spread: the values are equal, or all of one stimulus"),
        }
    }
}
