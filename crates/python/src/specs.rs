//! How metrics are named and read.

use crate::errors::Failure;
use neurogauge::core::{Direction, MetricSpec};
use neurogauge::metrics::{Compute, FURTHER_SPECS, METRICS};
use pyo3::prelude::*;
use pyo3::types::PyDict;

/// The metric with this id.
pub(crate) fn find(id: &str) -> Result<MetricSpec, Failure> {
    let of_tables = METRICS.iter().map(|metric| &metric.spec);
    let mut known = of_tables.chain(FURTHER_SPECS);
    let found = known.find(|spec| spec.id == id).copied();
    found.ok_or_else(|| Failure::Usage(format!("{id:?} is no metric of this version")))
}

/// What a metric says of itself.
#[pyfunction]
fn metric_spec<'py>(py: Python<'py>, id: &str) -> PyResult<Bound<'py, PyDict>> {
    let spec = find(id)?;
    let entries = PyDict::new(py);
    entries.set_item("id", spec.id)?;
    entries.set_item("label", spec.label)?;
    entries.set_item("about", spec.about)?;
    entries.set_item("group", spec.group.label())?;
    entries.set_item(
        "direction",
        match spec.direction {
            Direction::Higher => "higher",
            Direction::Lower => "lower",
        },
    )?;
    entries.set_item("range", spec.range)?;
    entries.set_item("chance", spec.chance)?;
    entries.set_item("conventions", spec.conventions.to_vec())?;
    entries.set_item("decimals", spec.decimals)?;
    entries.set_item("features", features_of(id))?;
    entries.set_item("details", neurogauge::metrics::details_of(id))?;
    Ok(entries)
}

/// The model and layer whose features a metric compares, where it compares features.
fn features_of(id: &str) -> Option<&'static str> {
    match neurogauge::metrics::find(id)?.compute {
        Compute::Features { models, .. } | Compute::Identification { models, .. } => {
            models.first().copied()
        }
        _ => None,
    }
}

/// Ids of all metrics of the registry, in the order of the field's tables.
#[pyfunction]
fn metric_ids() -> Vec<&'static str> {
    METRICS.iter().map(|metric| metric.spec.id).collect()
}

pub(crate) fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_function(wrap_pyfunction!(metric_spec, module)?)?;
    module.add_function(wrap_pyfunction!(metric_ids, module)?)
}
