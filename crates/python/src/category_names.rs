//! Metrics of named categories.

use crate::arrays::check_pairs;
use crate::errors::Failure;
use crate::options;
use crate::outcomes::{Scored, explained};
use crate::work;
use neurogauge::core::CategoryNames;
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
        return Err(Failure::Usage(format!("{metric:?} is not a metric of names")).into());
    };
    check_pairs("images", reference.len(), reconstruction.len())?;
    let named = |names: Vec<Vec<String>>| names.into_iter().map(CategoryNames).collect::<Vec<_>>();
    let (gt, recon) = (named(reference), named(reconstruction));
    let outcome =
        |pair: usize| compare(&gt[pair], &recon[pair], &options).map_err(|source| Failure::of_pair(pair, id, source));
    explained(py, work::each(py, None, ("comparing names", gt.len()), outcome)?)
}
