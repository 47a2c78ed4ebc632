//! Accuracy of decoded features.

use crate::arrays::{Matrix, check_pairs};
use crate::errors::Failure;
use crate::outcomes::{Bootstrap, Scored, Summary, bootstrap, scored, summary};
use crate::work;
use neurogauge::metrics::decoding::feature_accuracy as accuracy;
use neurogauge::stats::pearson;
use numpy::PyReadonlyArray2;
use pyo3::prelude::*;

/// The correlation of each feature over stimuli, and their mean with its interval.
#[pyfunction]
fn profile_correlation<'py>(
    py: Python<'py>,
    reference: PyReadonlyArray2<'py, f32>,
    reconstruction: PyReadonlyArray2<'py, f32>,
    over: Bootstrap,
) -> PyResult<(Scored<'py>, Summary)> {
    let (test, decoded) = both(&reference, &reconstruction)?;
    let over = bootstrap(over)?;
    let (n_features, test, decoded) = (test.1, test.0, decoded.0);
    let (of_features, mean) = work::run(py, None, move |_| {
        Ok(accuracy::profile_correlation(
            &decoded, &test, n_features, &over,
        )?)
    })?;
    Ok((scored(py, &of_features), summary(&mean)))
}

/// The correlation of each stimulus over features, each centred and divided as given.
#[pyfunction]
fn pattern_correlation<'py>(
    py: Python<'py>,
    reference: PyReadonlyArray2<'py, f32>,
    reconstruction: PyReadonlyArray2<'py, f32>,
    mean: Vec<f64>,
    sd: Vec<f64>,
) -> PyResult<Scored<'py>> {
    let n_stimuli = reference.as_array().nrows();
    let (test, decoded) = both(&reference, &reconstruction)?;
    for (name, values) in [("mean", &mean), ("sd", &sd)] {
        if values.len() != test.1 {
            let found = values.len();
            let message = format!(
                "{name} has {found} values; expected {}, one for each feature",
                test.1
            );
            return Err(Failure::Usage(message).into());
        }
    }
    if test.1 == 0 {
        let none = vec![pearson::<f64>(&[], &[]).map_err(Failure::from)?; n_stimuli];
        return Ok(scored(py, &none));
    }
    let outcomes = work::run(py, None, move |_| {
        Ok(accuracy::pattern_correlation(
            &decoded.0, &test.0, &mean, &sd,
        )?)
    })?;
    Ok(scored(py, &outcomes))
}

/// Values of both sides in double precision, and the length of a row.
type Doubles = (Vec<f64>, usize);

fn both(
    reference: &PyReadonlyArray2<'_, f32>,
    reconstruction: &PyReadonlyArray2<'_, f32>,
) -> PyResult<(Doubles, Doubles)> {
    let (gt, recon) = (Matrix::of(reference)?, Matrix::of(reconstruction)?);
    check_pairs("rows", gt.n_rows, recon.n_rows)?;
    let doubles = |matrix: &Matrix<'_>| {
        let rows = matrix.rows();
        let n_features = rows.first().map_or(0, |row| row.len());
        let values = rows.into_iter().flatten().map(|&value| f64::from(value));
        (values.collect(), n_features)
    };
    Ok((doubles(&gt), doubles(&recon)))
}

pub(crate) fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_function(wrap_pyfunction!(profile_correlation, module)?)?;
    module.add_function(wrap_pyfunction!(pattern_correlation, module)?)
}
