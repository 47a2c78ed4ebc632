//! Means over groups: the units of the jackknife are groups.

use super::FEWEST_GROUPS;
use crate::summation::{sum, sum_over};

/// The contribution of each group to a mean over the groups that have a value.
pub(super) struct GroupMean {
    /// For each group, its value minus the mean, divided by the number of values; `None` without a value.
    added: Vec<Option<f64>>,
}

impl GroupMean {
    /// The contributions; `None` if there are too few values.
    pub(super) fn of(values: &[Option<f64>]) -> Option<Self> {
        let there: Vec<f64> = values.iter().flatten().copied().collect();
        if there.len() < FEWEST_GROUPS {
            return None;
        }
        let n = there.len() as f64;
        let mean = sum(&there) / n;
        let added = |value: &Option<f64>| value.map(|value| (value - mean) / n);
        Some(GroupMean {
            added: values.iter().map(added).collect(),
        })
    }

    pub(super) fn df(&self) -> f64 {
        self.added.iter().flatten().count() as f64 - 1.0
    }

    pub(super) fn standard_error(&self) -> f64 {
        let added: Vec<f64> = self.added.iter().flatten().copied().collect();
        standard_error(&added)
    }

    /// Standard error and degrees of freedom of the difference from another metric's mean over the
    /// same groups.
    pub(super) fn difference(&self, other: &Self) -> Option<(f64, f64)> {
        let added = self.added.iter().zip(&other.added).filter(|(a, b)| a.is_some() || b.is_some());
        let added: Vec<f64> = added.map(|(a, b)| a.unwrap_or(0.0) - b.unwrap_or(0.0)).collect();
        (added.len() >= FEWEST_GROUPS).then(|| (standard_error(&added), added.len() as f64 - 1.0))
    }
}

/// The standard error of a sum of groups' contributions; the mean of squares divides by one group fewer.
fn standard_error(added: &[f64]) -> f64 {
    let n = added.len() as f64;
    (sum_over(added, |v| v * v) * n / (n - 1.0)).sqrt()
}
