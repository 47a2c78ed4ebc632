//! Metrics that combine other metrics' outcomes.

use crate::errors::Failure;
use crate::options;
use crate::outcomes::{Scored, outcomes, scored};
use neurogauge::core::Outcome;
use neurogauge::metrics::{Compute, Options, find, system_columns_of};
use numpy::{PyArray1, PyReadonlyArray1};
use pyo3::prelude::*;

/// The composite of each pair, and the columns whose means make up a system's value.
type Combined<'py> = (Scored<'py>, Vec<Bound<'py, PyArray1<f64>>>);

/// A composite of its parts, which are in the order that the metric names. Each part has its values, followed by the
/// columns whose means average to its own, if it has any.
#[pyfunction]
pub(crate) fn combine<'py>(
    py: Python<'py>,
    metric: &str,
    parts: Vec<Vec<PyReadonlyArray1<'py, f64>>>,
    options: &str,
) -> PyResult<Combined<'py>> {
    let options: Options = options::read(options)?;
    let Some((from, combine, system)) = find(metric).and_then(|found| match found.compute {
        Compute::Scores { from, combine, system } => Some((from, combine, system)),
        _ => None,
    }) else {
        return Err(Failure::Usage(format!("{metric:?} is no composite metric")).into());
    };
    if parts.len() != from.len() {
        let message = format!("{metric} is made of {}; {} were given", from.join(", "), parts.len());
        return Err(Failure::Usage(message).into());
    }
    let columns = |part: &Vec<PyReadonlyArray1<'py, f64>>| part.iter().map(outcomes).collect();
    let behind: Vec<Vec<Vec<Outcome>>> = parts.iter().map(columns).collect();
    let parts: Vec<&[Outcome]> = behind.iter().map(|part| part.first().map_or(&[][..], Vec::as_slice)).collect();
    if let Some(part) = parts.iter().find(|part| part.len() != parts[0].len()) {
        let message = format!(
            "{metric}: one part has {} values and another {}; all must be of the same pairs",
            parts[0].len(),
            part.len()
        );
        return Err(Failure::Data(message).into());
    }
    let combined: Vec<Outcome> = (0..parts[0].len())
        .map(|pair| {
            let row: Vec<&Outcome> = parts.iter().map(|part| &part[pair]).collect();
            combine(&row, &options)
        })
        .collect();
    let columns = match system {
        Some(system) => {
            let columns = behind.iter().map(|part| part.get(1..).filter(|own| !own.is_empty()).unwrap_or(part));
            system_columns_of(system, &columns.map(<[_]>::to_vec).collect::<Vec<_>>())
        }
        None => vec![combined.clone()],
    };
    let columns = columns.iter().map(|column| scored(py, column).0);
    Ok((scored(py, &combined), columns.collect()))
}
