//! The estimates of a metric under each convention.

use crate::Choice;
use neurogauge::core::Estimate;
use serde::Serialize;
use std::collections::BTreeMap;

/// A convention and the estimates under it.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct ConventionRow {
    /// The names of all conventions with equal choices for this metric.
    pub name: String,
    pub choices: Vec<Choice>,
    pub systems: Vec<Scored>,
}

#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Scored {
    pub estimate: Estimate,
    /// The standard error of the mean; for identification, from the jackknife.
    pub standard_error: Option<f64>,
    /// The run's folder, relative to that of the results.
    pub run: String,
    /// The values behind the standard error, by stem.
    #[serde(skip)]
    pub(crate) values: BTreeMap<String, f64>,
}

impl ConventionRow {
    /// The mean over the systems that have a value.
    pub(crate) fn mean(&self) -> Option<f64> {
        neurogauge::stats::mean(self.systems.iter().filter_map(|scored| scored.estimate.value.clone().ok()))
    }
}
