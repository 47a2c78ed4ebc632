//! Which convention gives this number?

use crate::ConventionRow;
use serde::Serialize;

/// A convention, and how far its estimate is from a published number.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Nearest {
    pub metric: &'static str,
    pub system: String,
    pub convention: String,
    pub value: f64,
    pub standard_error: f64,
    /// The estimate minus the published number, in standard errors.
    pub distance: f64,
}

/// All estimates by their distance from a number, the nearest first. Those without a standard error are left out.
pub(crate) fn nearest<'a>(
    published: f64,
    systems: &[String],
    metrics: impl IntoIterator<Item = (&'static str, &'a [ConventionRow])>,
) -> Vec<Nearest> {
    let mut found = Vec::new();
    for (metric, conventions) in metrics {
        for row in conventions {
            for (system, scored) in systems.iter().zip(&row.systems) {
                if let (Ok(value), Some(standard_error)) = (&scored.estimate.value, scored.standard_error)
                    && standard_error > 0.0
                {
                    found.push(Nearest {
                        metric,
                        system: system.clone(),
                        convention: row.name.clone(),
                        value: *value,
                        standard_error,
                        distance: (value - published) / standard_error,
                    });
                }
            }
        }
    }
    found.sort_by(|a, b| a.distance.abs().total_cmp(&b.distance.abs()));
    found
}
