//! Dissimilarities of stimuli, and comparisons of them.

use super::{matrix, to_numpy, unit};
use crate::errors::Failure;
use crate::options::word;
use crate::outcomes::{OrReason, or_reason};
use crate::work;
use neurogauge::alignment::rsa::{Dissimilarities, Dissimilarity, RdmComparison, compare_dissimilarities};
use neurogauge::alignment::{Matrix, Trials};
use numpy::{PyArray2, PyReadonlyArray2};
use pyo3::prelude::*;

/// A square matrix, 0 on its diagonal, NaN for missing stimuli. With the stimulus of each trial, `patterns` are trials.
#[pyfunction]
pub(crate) fn dissimilarities<'py>(
    py: Python<'py>,
    patterns: PyReadonlyArray2<'py, f64>,
    kind: &str,
    stimuli: Option<(Vec<usize>, usize)>,
) -> PyResult<Bound<'py, PyArray2<f64>>> {
    let kind: Dissimilarity = word("kind", kind)?;
    let patterns = patterns.as_array();
    let found = work::run(py, None, |_| {
        let patterns = matrix(patterns);
        Ok(match stimuli {
            None => Dissimilarities::of(&patterns, kind)?,
            Some((stimuli, n)) => Dissimilarities::of_trials(&Trials::new(&unit(), patterns, &stimuli, n)?, kind)?,
        })
    })?;
    let n = found.n_stimuli();
    let value = |i: usize, j: usize| match (i == j, found.is_present()[i]) {
        (true, true) => 0.0,
        (true, false) => f64::NAN,
        (false, _) => found.get(i, j),
    };
    Ok(to_numpy(py, &Matrix::from_fn(n, n, value)))
}

/// The similarity of two square matrices, or the reason why there is none.
#[pyfunction]
pub(crate) fn dissimilarities_compared(
    one: PyReadonlyArray2<'_, f64>,
    other: PyReadonlyArray2<'_, f64>,
    comparison: &str,
) -> PyResult<OrReason<f64>> {
    let comparison: RdmComparison = word("comparison", comparison)?;
    let of = |own: &PyReadonlyArray2<'_, f64>| Dissimilarities::from_square(&matrix(own.as_array()));
    let both = of(&one).and_then(|one| Ok((one, of(&other)?))).map_err(Failure::from)?;
    Ok(or_reason(compare_dissimilarities(&both.0, &both.1, comparison).map_err(Failure::from)?))
}
