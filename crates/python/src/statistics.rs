//! Correlations, agreement and resampling.

use crate::arrays::values;
use crate::errors::Failure;
use crate::outcomes::{Bootstrap, OrReason, Summary, bootstrap, or_reason, summary};
use crate::{options, work};
use neurogauge::core::stopping::stop_if_asked;
use neurogauge::core::{Outcome, Undefined};
use neurogauge::stats::{
    IccConvention, IccTable, Measurement, Ratings, StatsError, estimate_statistic, intraclass_correlations,
    kendall_tau_b, kendall_tau_c, krippendorff_alpha, pairwise_accuracy, pearson, spearman,
};
use numpy::{PyArray1, PyReadonlyArray1, PyReadonlyArray2};
use pyo3::prelude::*;
use std::sync::{Mutex, PoisonError};

/// A correlation of two samples, by its name.
#[pyfunction]
pub(crate) fn correlation(
    py: Python<'_>,
    name: &str,
    x: PyReadonlyArray1<'_, f64>,
    y: PyReadonlyArray1<'_, f64>,
) -> PyResult<OrReason<f64>> {
    let correlate: fn(&[f64], &[f64]) -> Result<Outcome, StatsError> = match name {
        "kendall_tau_b" => kendall_tau_b::<f64>,
        "kendall_tau_c" => kendall_tau_c::<f64>,
        "pearson" => pearson::<f64>,
        "spearman" => spearman::<f64>,
        _ => return Err(Failure::Usage(format!("{name:?} is no correlation")).into()),
    };
    let (x, y) = (values(&x), values(&y));
    let found = work::run(py, None, move |_| Ok(correlate(&x, &y)?))?;
    Ok(or_reason(found))
}

/// The share of pairs of items that a metric and people order in the same way.
#[pyfunction(name = "pairwise_accuracy")]
pub(crate) fn accuracy(
    py: Python<'_>,
    metric: PyReadonlyArray1<'_, f64>,
    human: PyReadonlyArray1<'_, f64>,
    epsilon: f64,
) -> PyResult<OrReason<f64>> {
    let (metric, human) = (values(&metric), values(&human));
    let found = work::run(py, None, move |_| Ok(pairwise_accuracy(&metric, &human, epsilon)?))?;
    Ok(or_reason(found))
}

/// Form, value, F, both degrees of freedom, p value, interval.
type Form = (&'static str, f64, f64, f64, f64, f64, Option<(f64, f64)>);

/// The six intraclass correlations, or the reason why there are none; the numbers of complete items and of those left
/// out.
#[pyfunction]
pub(crate) fn icc(
    py: Python<'_>,
    ratings: PyReadonlyArray2<'_, f64>,
    level: f64,
    convention: &str,
) -> PyResult<(Vec<Form>, Option<String>, usize, usize)> {
    let convention: IccConvention = options::word("convention", convention)?;
    let ratings = of_table(&ratings)?;
    let found = work::run(py, None, |_| Ok(intraclass_correlations(&ratings, level, convention)?))?;
    let IccTable {
        n_items,
        n_incomplete,
        forms,
        ..
    } = match found {
        Ok(table) => table,
        Err(reason) => {
            let n_complete = ratings.complete_items().len();
            let n_incomplete = ratings.n_items() - n_complete;
            return Ok((Vec::new(), Some(reason.to_string()), n_complete, n_incomplete));
        }
    };
    let forms = forms.map(|icc| {
        let label = icc.form.label();
        (label, icc.value, icc.f, icc.df1, icc.df2, icc.p_value, icc.interval)
    });
    Ok((forms.to_vec(), None, n_items, n_incomplete))
}

/// Krippendorff's alpha.
#[pyfunction]
pub(crate) fn krippendorff(
    py: Python<'_>,
    ratings: PyReadonlyArray2<'_, f64>,
    measurement: &str,
) -> PyResult<OrReason<f64>> {
    let measurement: Measurement = options::word("measurement", measurement)?;
    let ratings = of_table(&ratings)?;
    let found = work::run(py, None, |_| Ok(krippendorff_alpha(&ratings, measurement)))?;
    Ok(or_reason(found))
}

/// A table of items by raters; NaN is a missing rating.
fn of_table(ratings: &PyReadonlyArray2<'_, f64>) -> Result<Ratings, Failure> {
    let table = ratings.as_array();
    let values = table.iter().map(|&rating| (!rating.is_nan()).then_some(rating));
    Ok(Ratings::new(table.ncols(), values.collect())?)
}

/// A Python function's statistic over `n` items, with its interval; the function gets the drawn items.
#[pyfunction]
pub(crate) fn bootstrap_statistic(
    py: Python<'_>,
    n_items: usize,
    statistic: Py<PyAny>,
    options: Bootstrap,
) -> PyResult<Summary> {
    let raised: Mutex<Option<PyErr>> = Mutex::new(None);
    let statistic = &statistic;
    let found = {
        let raised = &raised;
        work::run(py, None, move |_| {
            let of_drawn = |drawn: &[u32]| {
                stop_if_asked();
                let computed = Python::attach(|py| -> PyResult<f64> {
                    let drawn = PyArray1::from_iter(py, drawn.iter().map(|&item| i64::from(item)));
                    statistic.call1(py, (drawn,))?.extract(py)
                });
                match computed {
                    Ok(value) => value.is_finite().then_some(value),
                    Err(error) => {
                        let mut first = raised.lock().unwrap_or_else(PoisonError::into_inner);
                        first.get_or_insert(error);
                        None
                    }
                }
            };
            Ok(estimate_statistic(n_items, of_drawn, &bootstrap(options)?)?)
        })?
    };
    match raised.into_inner().unwrap_or_else(PoisonError::into_inner) {
        Some(error) => Err(error),
        None => {
            let found = match found.value {
                Err(Undefined::NoPairs) if n_items > 0 => neurogauge::core::Estimate {
                    value: Err(Undefined::Recorded("the statistic is not finite".to_owned())),
                    ..found
                },
                _ => found,
            };
            Ok(summary(&found))
        }
    }
}
