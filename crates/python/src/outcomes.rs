//! Outcomes on their way to Python and back, and what they sum up to.

use crate::errors::{Failure, bug};
use crate::specs;
use crate::work;
use neurogauge::core::{
    DetailsByMetric, Estimate, Explained, NamedLevel, Outcome, PairDetails, Seed, Undefined,
};
use neurogauge::report::{Column, Format, Row, Table, render};
use neurogauge::stats::{BootstrapOptions, estimate_within};
use numpy::{PyArray1, PyReadonlyArray1};
use pyo3::prelude::*;

/// One value for each pair, NaN where there is none, and the reasons for those.
pub(crate) type Scored<'py> = (Bound<'py, PyArray1<f64>>, Vec<(usize, String)>);

/// Mean, why there is none, interval, pairs with a value, pairs without.
pub(crate) type Summary = (
    Option<f64>,
    Option<String>,
    Option<(f64, f64)>,
    usize,
    usize,
);

/// Resamples, level, seed, how intervals of means are made.
pub(crate) type Bootstrap = (usize, f64, u64, String);

/// A value, or why there is none.
pub(crate) type OrReason<T> = (Option<T>, Option<String>);

pub(crate) fn or_reason<T>(found: Result<T, Undefined>) -> OrReason<T> {
    match found {
        Ok(value) => (Some(value), None),
        Err(reason) => (None, Some(reason.to_string())),
    }
}

/// Outcomes as Python sees them.
pub(crate) fn scored<'py>(py: Python<'py>, outcomes: &[Outcome]) -> Scored<'py> {
    let values = outcomes.iter().map(|o| *o.as_ref().unwrap_or(&f64::NAN));
    let reasons = outcomes
        .iter()
        .enumerate()
        .filter_map(|(pair, outcome)| Some((pair, outcome.as_ref().err()?.to_string())));
    (PyArray1::from_vec(py, values.collect()), reasons.collect())
}

/// What pairs matched, missed and invented: a JSON list with an object of metrics for each pair, each an object of levels.
pub(crate) fn details(pairs: Vec<Vec<NamedLevel>>) -> PyResult<String> {
    let of_pair = |found: Vec<NamedLevel>| {
        let mut details = PairDetails::default();
        details.add(found);
        details.metrics
    };
    let pairs: Vec<DetailsByMetric> = pairs.into_iter().map(of_pair).collect();
    Ok(serde_json::to_string(&pairs).map_err(|_| bug())?)
}

/// Outcomes of one metric and what stands behind them.
pub(crate) fn explained(py: Python<'_>, found: Vec<Explained>) -> PyResult<(Scored<'_>, String)> {
    let (values, behind): (Vec<Outcome>, Vec<Vec<NamedLevel>>) = found
        .into_iter()
        .map(|one| (one.outcome, one.details))
        .unzip();
    Ok((scored(py, &values), details(behind)?))
}

/// The way back: NaN has no value; of the reason, only that there is one matters here.
pub(crate) fn outcomes(values: &PyReadonlyArray1<'_, f64>) -> Vec<Outcome> {
    let outcome = |value: &f64| match value.is_finite() {
        true => Ok(*value),
        false => Err(Undefined::Recorded("no value".to_owned())),
    };
    values.as_array().iter().map(outcome).collect()
}

pub(crate) fn bootstrap(
    (resamples, level, seed, interval): Bootstrap,
) -> Result<BootstrapOptions, Failure> {
    Ok(BootstrapOptions {
        resamples,
        level,
        seed: Seed(seed),
        interval: interval.parse()?,
    })
}

pub(crate) fn summary(estimate: &Estimate) -> Summary {
    (
        estimate.value.as_ref().ok().copied(),
        estimate.value.as_ref().err().map(ToString::to_string),
        estimate.interval,
        estimate.n,
        estimate.n_undefined,
    )
}

/// The mean of the means of these columns with its interval, as the command line makes them; within the range of a metric.
#[pyfunction]
fn estimate_columns(
    py: Python<'_>,
    columns: Vec<PyReadonlyArray1<'_, f64>>,
    options: Bootstrap,
    metric: Option<&str>,
) -> PyResult<Summary> {
    let everything = (f64::NEG_INFINITY, f64::INFINITY);
    let spec = metric.map(specs::find).transpose()?;
    let range = spec.map_or(everything, |spec| spec.range);
    let columns: Vec<Vec<Outcome>> = columns.iter().map(outcomes).collect();
    let found = work::run(py, None, |_| {
        let columns: Vec<&[Outcome]> = columns.iter().map(Vec::as_slice).collect();
        Ok(estimate_within(&columns, range, &bootstrap(options)?)?)
    })?;
    Ok(summary(&found))
}

/// A table of one system, in a format of the command line's.
#[pyfunction]
fn render_table(
    title: String,
    system: String,
    metrics: Vec<(String, Summary, Option<f64>)>,
    level: f64,
    format: &str,
) -> PyResult<String> {
    let mut columns = Vec::new();
    let mut estimates = Vec::new();
    for (id, (value, reason, interval, n, n_undefined), chance) in metrics {
        columns.push(Column {
            chance,
            ..Column::from_spec(&specs::find(&id)?, false)
        });
        let reason = Undefined::Recorded(reason.unwrap_or_default());
        estimates.push(Estimate {
            value: value.ok_or(reason),
            interval,
            n,
            n_undefined,
        });
    }
    let table = Table {
        title,
        columns,
        rows: vec![Row {
            system,
            estimates,
            rank: None,
            undefined: None,
        }],
        level,
        notes: Vec::new(),
    };
    let refused = |error: neurogauge::report::ReportError| Failure::Usage(error.to_string());
    let format: Format = format.parse().map_err(refused)?;
    Ok(render(&table, format, None).map_err(refused)?)
}

pub(crate) fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_function(wrap_pyfunction!(estimate_columns, module)?)?;
    module.add_function(wrap_pyfunction!(render_table, module)?)
}
