//! Losses for training decoders.

use crate::errors::Failure;
use crate::outcomes::{OrReason, or_reason};
use crate::work;
use neurogauge::core::Side;
use neurogauge::metrics::losses::{
    EmbeddingHinge, EmbeddingHingeOptions, HingeNormalisation, pairwise_hinge_of_embeddings,
};
use numpy::ndarray::{Array2, ArrayView2};
use numpy::{PyArray2, PyReadonlyArray2, ToPyArray};
use pyo3::prelude::*;

/// Value, gradient, and numbers of ordered and reversed triples.
type Loss<'py> = (f64, Bound<'py, PyArray2<f64>>, u64, u64);

/// The pairwise hinge loss of embeddings, both of shape (n, n_features), or the reason why there is none.
#[pyfunction]
#[pyo3(signature = (predicted, true_embeddings, anchor, neighbours, include_self, normalise))]
pub(crate) fn pairwise_hinge<'py>(
    py: Python<'py>,
    predicted: PyReadonlyArray2<'py, f64>,
    true_embeddings: PyReadonlyArray2<'py, f64>,
    anchor: &str,
    neighbours: &str,
    include_self: bool,
    normalise: &str,
) -> PyResult<OrReason<Loss<'py>>> {
    let options = EmbeddingHingeOptions {
        anchor: side("anchor", anchor)?,
        neighbours: side("neighbours", neighbours)?,
        with_anchor: include_self,
        normalisation: normalisation(normalise)?,
    };
    let shape = predicted.as_array().dim();
    let (predicted, truth) = (predicted.as_array(), true_embeddings.as_array());
    let found = work::run(py, None, |_| {
        let rows = |values: ArrayView2<'_, f64>| -> Vec<f64> { values.iter().copied().collect() };
        let found = pairwise_hinge_of_embeddings(&rows(truth), &rows(predicted), shape.0, &options);
        found.map_err(|error| Failure::of_all("pairwise_hinge", error))
    })?;
    let arrays = |loss: EmbeddingHinge| {
        let gradient = Array2::from_shape_vec(shape, loss.gradient).unwrap_or_default().to_pyarray(py);
        (loss.value, gradient, loss.n_ordered, loss.n_reversed)
    };
    Ok(or_reason(found.map(arrays)))
}

fn side(option: &str, name: &str) -> Result<Side, Failure> {
    match name {
        "predicted" => Ok(Side::Recon),
        "true" => Ok(Side::Gt),
        _ => Err(Failure::Usage(format!("{option} is {name:?}; expected 'predicted' or 'true'"))),
    }
}

fn normalisation(name: &str) -> Result<HingeNormalisation, Failure> {
    match name {
        "sum" => Ok(HingeNormalisation::Sum),
        "ordered" => Ok(HingeNormalisation::OrderedTriples),
        "all" => Ok(HingeNormalisation::AllTriples),
        _ => Err(Failure::Usage(format!("normalise is {name:?}; expected 'sum', 'ordered' or 'all'"))),
    }
}
