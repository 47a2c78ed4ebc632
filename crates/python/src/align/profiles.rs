//! How well a basis recovers a reference, and comparisons of curves of several sources.

use super::matrix;
use crate::errors::Failure;
use crate::outcomes::{OrReason, or_reason};
use neurogauge::alignment::{FoldProfile, Profile, brain_reference_score, shape_distance};
use numpy::{PyArray1, PyReadonlyArray1, PyReadonlyArray2};
use pyo3::prelude::*;

/// DirCov, TopKCov and FullRefCov.
type Coverage<'py> = (Bound<'py, PyArray1<f64>>, Bound<'py, PyArray1<f64>>, f64);

/// The recovery profile of a basis, or the reason why there is none.
#[pyfunction]
pub(crate) fn recovery_profile<'py>(
    py: Python<'py>,
    weights: Vec<f64>,
    directions: PyReadonlyArray2<'py, f64>,
    basis: PyReadonlyArray2<'py, f64>,
    n_prefixes: usize,
) -> PyResult<OrReason<Coverage<'py>>> {
    let (directions, basis) = (matrix(directions.as_array()), matrix(basis.as_array()));
    let found = FoldProfile::of_directions(&weights, &directions, &basis, n_prefixes);
    let arrays = |profile: FoldProfile| {
        let directional = PyArray1::from_vec(py, profile.directional);
        (directional, PyArray1::from_vec(py, profile.top_k), profile.full)
    };
    Ok(or_reason(found.map_err(Failure::from)?.map(arrays)))
}

/// ProfileMean of a curve.
#[pyfunction]
pub(crate) fn curve_mean(curve: PyReadonlyArray1<'_, f64>, k: usize) -> PyResult<f64> {
    Ok(profile_of(&curve).mean(k).map_err(Failure::from)?)
}

/// BrainRefScore or ShapeDist of a curve among the curves of donors.
#[pyfunction]
pub(crate) fn curve_among_donors(
    figure: &str,
    curve: PyReadonlyArray1<'_, f64>,
    donors: Vec<PyReadonlyArray1<'_, f64>>,
    k: usize,
) -> PyResult<OrReason<f64>> {
    let donors: Vec<Profile> = donors.iter().map(profile_of).collect();
    let own = profile_of(&curve);
    let found = match figure {
        "brain_reference_score" => brain_reference_score(&own, &donors, k),
        _ => shape_distance(&own, &donors, k),
    };
    Ok(or_reason(found.map_err(Failure::from)?))
}

/// A profile with only a curve; the full coverage is not needed.
fn profile_of(curve: &PyReadonlyArray1<'_, f64>) -> Profile {
    Profile {
        top_k: curve.as_array().to_vec(),
        full: f64::NAN,
    }
}
