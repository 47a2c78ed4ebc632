//! Metrics of categories that somebody names.

use crate::arrays::check_pairs;
use crate::errors::Failure;
use crate::options;
use crate::outcomes::{Scored, explained};
use crate::work;
use neurogauge::core::stopping::stop_if_asked;
use neurogauge::core::{CategoryNames, Explained};
use neurogauge::metrics::{Metric, Options, PairFunction, find};
use pyo3::prelude::*;

/// A metric of names for each pair, with its details.
#[pyfunction]
pub(crate) fn category_names<'py>(
    py: Python<'py>,
    metric: &str,
    reference: Vec<Vec<String>>,
    reconstruction: Vec<Vec<String>>,
    options: &str,
) -> PyResult<(Scored<'py>, String)> {
    let options: Options = options::read(options)?;
    let compare = |found: &Metric| Some((found.spec.id, found.compute.function::<PairFunction<CategoryNames>>()?));
    let Some((id, compare)) = find(metric).and_then(compare) else {
        return Err(Failure::Usage(format!("{metric:?} is no metric of names")).into());
    };
    check_pairs("images", reference.len(), reconstruction.len())?;
    let outcomes = work::run(py, None, move |_| {
        let pairs = reference.into_iter().zip(reconstruction).enumerate();
        let outcome = |(pair, (gt, recon)): (usize, (Vec<String>, Vec<String>))| {
            stop_if_asked();
            compare(&CategoryNames(gt), &CategoryNames(recon), &options)
                .map_err(|source| Failure::of_pair(pair, id, source))
        };
        pairs.map(outcome).collect::<Result<Vec<Explained>, Failure>>()
    })?;
    explained(py, outcomes)
}
