//! The specifications of metrics.

use crate::errors::Failure;
use neurogauge::core::{Direction, Group, MetricSpec};
use neurogauge::metrics::{Compute, METRICS, STANDALONE_METRICS};
use pyo3::prelude::*;
use pyo3::types::PyDict;
use std::sync::{PoisonError, RwLock};

/// The user's metrics. Their texts live as long as the process, as in the registry.
static OWN: RwLock<Vec<MetricSpec>> = RwLock::new(Vec::new());

/// The metric with this id.
pub(crate) fn find(id: &str) -> Result<MetricSpec, Failure> {
    let of_tables = METRICS.iter().map(|metric| &metric.spec);
    let own = OWN.read().unwrap_or_else(PoisonError::into_inner);
    let mut known = of_tables.chain(STANDALONE_METRICS).chain(own.iter().rev());
    let found = known.find(|spec| spec.id == id).copied();
    // Metrics of any model's features are defined by their ids.
    let found = found.or_else(|| Some(neurogauge::metrics::find(id)?.spec));
    found.ok_or_else(|| Failure::Usage(format!("{id:?} is not a metric of this version")))
}

/// Registers a user's metric; a later one with the same id replaces it.
#[pyfunction]
pub(crate) fn register_metric(
    id: String,
    label: String,
    about: String,
    lower_is_better: bool,
    range: (f64, f64),
    chance: Option<f64>,
    decimals: usize,
) {
    let spec = MetricSpec {
        id: id.leak(),
        label: label.leak(),
        about: about.leak(),
        group: Group::Own,
        direction: match lower_is_better {
            true => Direction::Lower,
            false => Direction::Higher,
        },
        range,
        chance,
        conventions: "",
        decimals,
        on_request: true,
    };
    let mut own = OWN.write().unwrap_or_else(PoisonError::into_inner);
    own.push(spec);
}

/// The specification of a metric.
#[pyfunction]
pub(crate) fn metric_spec<'py>(py: Python<'py>, id: &str) -> PyResult<Bound<'py, PyDict>> {
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
    entries.set_item("conventions", spec.conventions().collect::<Vec<_>>())?;
    let metric = neurogauge::metrics::find(id);
    let population = metric.map_or("new stimuli", neurogauge::population);
    entries.set_item("population", population)?;
    entries.set_item("decimals", spec.decimals)?;
    entries.set_item("features", features_of(id))?;
    entries.set_item("details", neurogauge::metrics::details_of(id))?;
    Ok(entries)
}

/// The model and layer whose features a metric compares; `None` if it does not compare features.
fn features_of(id: &str) -> Option<&'static str> {
    match neurogauge::metrics::find(id)?.compute {
        Compute::Features { models, .. } | Compute::Frames { models, .. } | Compute::Identification { models, .. } => {
            models.first().copied()
        }
        _ => None,
    }
}

/// Ids of all metrics of the registry, in the order of the field's tables.
#[pyfunction]
pub(crate) fn metric_ids() -> Vec<&'static str> {
    METRICS.iter().map(|metric| metric.spec.id).collect()
}
