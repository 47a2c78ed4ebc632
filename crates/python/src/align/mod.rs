//! Target references, fits and recovery profiles.
//!
//! Folds are passed in both directions as labels: the number of each stimulus's inner fold, from 0. Fits are returned
//! as arrays, so that Python's estimators can be pickled.

pub(crate) mod draws;
pub(crate) mod profiles;

use crate::work;
use draws::pool_of;
use neurogauge::Progress;
use neurogauge::alignment::{
    FoldPlan, Matrix, OuterFold, Partitions, Pool, Predictor, PreparedSource, PreparedTarget, READOUT_ALPHAS,
    ReferenceOptions, SubspaceOptions, TargetReference, Trials, Unit, cross_validate, fit, read_out,
    source_effective_rank,
};
use neurogauge::core::stopping::stop_if_asked;
use numpy::ndarray::{Array2, ArrayView2};
use numpy::{PyArray1, PyArray2, PyReadonlyArray2, ToPyArray};
use pyo3::prelude::*;
use pyo3::types::PyDict;

/// The name of the target in messages.
fn unit() -> Unit {
    Unit::new("the", "target", "unit")
}

fn matrix(values: ArrayView2<'_, f64>) -> Matrix {
    let (n_rows, n_columns) = values.dim();
    Matrix::from_fn(n_rows, n_columns, |row, column| values[[row, column]])
}

fn to_numpy<'py>(py: Python<'py>, matrix: &Matrix) -> Bound<'py, PyArray2<f64>> {
    let shape = (matrix.n_rows(), matrix.n_columns());
    Array2::from_shape_fn(shape, |(row, column)| matrix.get(row, column)).to_pyarray(py)
}

fn subspace_options(max_rank: usize, alphas: Vec<f64>) -> SubspaceOptions {
    SubspaceOptions { max_rank, alphas }
}

/// The default regularisations of subspaces, and of readouts.
#[pyfunction]
pub(crate) fn default_alphas() -> (Vec<f64>, Vec<f64>) {
    (SubspaceOptions::default().alphas, READOUT_ALPHAS.to_vec())
}

/// The target reference of all stimuli.
#[pyfunction]
#[pyo3(signature = (trials, stimuli, splits, inner_folds, max_rank, alphas, fixed_rank, progress))]
#[allow(clippy::too_many_arguments)]
pub(crate) fn target_reference<'py>(
    py: Python<'py>,
    trials: PyReadonlyArray2<'py, f64>,
    stimuli: Vec<usize>,
    splits: PyReadonlyArray2<'py, u8>,
    inner_folds: Vec<usize>,
    max_rank: usize,
    alphas: Vec<f64>,
    fixed_rank: Option<usize>,
    progress: Option<Bound<'py, PyAny>>,
) -> PyResult<Bound<'py, PyDict>> {
    let (trials, splits) = (trials.as_array(), splits.as_array());
    let (reference, consensus) = work::run(py, progress.as_ref(), |work| {
        let trials = Trials::new(&unit(), matrix(trials), &stimuli, inner_folds.len())?;
        let labels = splits.rows().into_iter().map(|split| split.to_vec());
        let partitions = Partitions::new(labels.collect(), &trials)?;
        let options = ReferenceOptions {
            subspace: subspace_options(max_rank, alphas),
            fixed_rank,
        };
        let pool = pool_of(&inner_folds)?;
        work.start("target reference", partitions.len() as u64, 0);
        let after_each = || work.advance(1);
        let found = TargetReference::watched(&trials, &pool, &partitions, &options, after_each)?;
        work.finish();
        let consensus = found.consensus()?;
        Ok((found, consensus))
    })?;
    let entries = PyDict::new(py);
    entries.set_item("weights", PyArray1::from_slice(py, &reference.weights))?;
    entries.set_item("directions", to_numpy(py, &reference.directions))?;
    entries.set_item("effective_rank", reference.effective_rank().unwrap_or(f64::NAN))?;
    entries.set_item("consensus_rank", consensus.rank)?;
    entries.set_item("consensus_gap", consensus.gap)?;
    let ranks = Array2::from_shape_fn((reference.ranks.len(), 2), |(split, way)| reference.ranks[split][way]);
    entries.set_item("ranks", ranks.to_pyarray(py))?;
    let alphas =
        Array2::from_shape_fn((reference.selections.len(), 2), |(split, way)| reference.selections[split][way].alpha);
    entries.set_item("alphas", alphas.to_pyarray(py))?;
    Ok(entries)
}

/// Fits a source to a target: the selection, the bases, and the readout as a map of features.
#[pyfunction]
#[allow(clippy::too_many_arguments)]
pub(crate) fn fit_recovery<'py>(
    py: Python<'py>,
    source: PyReadonlyArray2<'py, f64>,
    target: PyReadonlyArray2<'py, f64>,
    inner_folds: Vec<usize>,
    max_rank: usize,
    alphas: Vec<f64>,
    readout_alphas: Vec<f64>,
    rank: Option<usize>,
) -> PyResult<Bound<'py, PyDict>> {
    let (source, target) = (source.as_array(), target.as_array());
    let (subspace, readout, predictor) = work::run(py, None, |_| {
        let (features, responses) = (matrix(source), matrix(target));
        let plan = training_alone(pool_of(&inner_folds)?);
        let source = PreparedSource::new("the source", &features, &plan, 0)?;
        stop_if_asked();
        let target = PreparedTarget::new(&unit(), &responses, &plan, 0)?;
        stop_if_asked();
        let scores = cross_validate(&source, &target, &subspace_options(max_rank, alphas))?;
        stop_if_asked();
        let selection = match rank {
            None => scores.select(),
            Some(rank) => scores.select_alpha(rank),
        }?;
        let subspace = fit(&source, &target, &selection)?;
        let readout = read_out(&source, &target, &subspace, &readout_alphas)?;
        let (features, responses) = ((&source, &features), (&target, &responses));
        let predictor = Predictor::new(features, responses, &subspace, readout.alpha)?;
        Ok((subspace, readout, predictor))
    })?;
    let entries = PyDict::new(py);
    let selection = &subspace.selection;
    entries.set_item("selected_rank", selection.rank)?;
    entries.set_item("rank", subspace.rank())?;
    entries.set_item("alpha", selection.alpha)?;
    entries.set_item("cv_score", selection.score)?;
    entries.set_item("best_cv_score", selection.best_score)?;
    entries.set_item("standard_error", selection.standard_error)?;
    entries.set_item("readout_alpha", readout.alpha)?;
    entries.set_item("basis", to_numpy(py, &subspace.basis))?;
    entries.set_item("strengths", PyArray1::from_slice(py, &subspace.strengths))?;
    entries.set_item("effective_rank", source_effective_rank(&subspace).unwrap_or(f64::NAN))?;
    entries.set_item("mean", PyArray1::from_vec(py, predictor.means))?;
    entries.set_item("scale", PyArray1::from_vec(py, predictor.deviations))?;
    entries.set_item("source_directions", to_numpy(py, &predictor.directions))?;
    entries.set_item("coef", to_numpy(py, &predictor.coefficients))?;
    entries.set_item("intercept", PyArray1::from_vec(py, predictor.offsets))?;
    Ok(entries)
}

/// A fold that has only a training set.
fn training_alone(training: Pool) -> FoldPlan {
    FoldPlan {
        n_stimuli: training.len(),
        folds: vec![OuterFold {
            training,
            reserved: Vec::new(),
            test: Pool {
                stimuli: Vec::new(),
                inner: Vec::new(),
            },
        }],
    }
}

/// Predicts the responses to other stimuli.
#[pyfunction]
pub(crate) fn predict<'py>(
    py: Python<'py>,
    source: PyReadonlyArray2<'py, f64>,
    means: Vec<f64>,
    deviations: Vec<f64>,
    directions: PyReadonlyArray2<'py, f64>,
    coefficients: PyReadonlyArray2<'py, f64>,
    offsets: Vec<f64>,
) -> PyResult<Bound<'py, PyArray2<f64>>> {
    let predictor = Predictor {
        means,
        deviations,
        directions: matrix(directions.as_array()),
        coefficients: matrix(coefficients.as_array()),
        offsets,
    };
    let source = source.as_array();
    let predicted = work::run(py, None, |_| Ok(predictor.predict(&matrix(source))?))?;
    Ok(to_numpy(py, &predicted))
}
