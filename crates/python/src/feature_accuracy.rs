//! Accuracy of decoded features.

use crate::arrays::{Floats, Matrix, check_pairs};
use crate::errors::Failure;
use crate::outcomes::{Bootstrap, Scored, Summary, bootstrap, scored, summary};
use crate::work;
use neurogauge::metrics::decoding::feature_accuracy as accuracy;
use neurogauge::stats::pearson;
use pyo3::prelude::*;

/// The correlation of each feature over stimuli, and the mean of these with its interval.
#[pyfunction]
pub(crate) fn profile_correlation<'py>(
    py: Python<'py>,
    reference: Floats<'py>,
    reconstruction: Floats<'py>,
    over: Bootstrap,
) -> PyResult<(Scored<'py>, Summary)> {
    let [test, decoded] = both(&reference, &reconstruction)?;
    let over = bootstrap(over)?;
    let (of_features, mean) = work::run(py, None, move |_| {
        Ok(accuracy::profile_correlation(&decoded.data, &test.data, test.n_columns, &over)?)
    })?;
    Ok((scored(py, &of_features), summary(&mean)))
}

/// The correlation of each stimulus over features, which are centred and scaled by the given values.
#[pyfunction]
pub(crate) fn pattern_correlation<'py>(
    py: Python<'py>,
    reference: Floats<'py>,
    reconstruction: Floats<'py>,
    mean: Vec<f64>,
    sd: Vec<f64>,
) -> PyResult<Scored<'py>> {
    let [test, decoded] = both(&reference, &reconstruction)?;
    for (name, values) in [("mean", &mean), ("sd", &sd)] {
        if values.len() != test.n_columns {
            let found = values.len();
            let message = format!("{name} has {found} values; expected {}, one for each feature", test.n_columns);
            return Err(Failure::Usage(message).into());
        }
    }
    if test.n_columns == 0 {
        let none = vec![pearson::<f64>(&[], &[]).map_err(Failure::from)?; test.n_rows];
        return Ok(scored(py, &none));
    }
    let outcomes =
        work::run(py, None, move |_| Ok(accuracy::pattern_correlation(&decoded.data, &test.data, &mean, &sd)?))?;
    Ok(scored(py, &outcomes))
}

/// Values of both sides in double precision.
fn both<'a>(reference: &'a Floats<'_>, reconstruction: &'a Floats<'_>) -> PyResult<[Matrix<'a, f64>; 2]> {
    let (gt, recon) = (reference.doubles()?, reconstruction.doubles()?);
    check_pairs("rows", gt.n_rows, recon.n_rows)?;
    Ok([gt, recon])
}
