//! Folds and partitions, and z-scores within sessions.

use super::{matrix, to_numpy, unit};
use crate::errors::Failure;
use crate::work;
use neurogauge::align::PARTITION_SEED;
use neurogauge::alignment::{AlignmentError, FoldPlan, Matrix, Partitions, Pool, Trials, folds_of, standardise_within};
use neurogauge::core::Seed;
use numpy::ndarray::Array2;
use numpy::{PyArray1, PyArray2, PyReadonlyArray2, ToPyArray};
use pyo3::prelude::*;
use pyo3::types::PyDict;

fn labels_of(pool: &Pool) -> Vec<usize> {
    let mut labels = vec![0; pool.len()];
    for (fold, positions) in pool.inner.iter().enumerate() {
        positions.iter().for_each(|&position| labels[position] = fold);
    }
    labels
}

/// A pool of all stimuli in the given order, which everyone shares.
pub(super) fn pool_of(labels: &[usize]) -> Result<Pool, AlignmentError> {
    Pool::new((0..labels.len()).collect(), folds_of(labels))
}

/// Draws the labels of inner folds.
#[pyfunction]
pub(crate) fn draw_inner_folds(n_stimuli: usize, n_folds: usize, seed: u64) -> PyResult<Vec<usize>> {
    let pool = Pool::draw((0..n_stimuli).collect(), n_folds, Seed(seed), 0);
    Ok(labels_of(&pool.map_err(Failure::from)?))
}

/// Draws the training, reserved and test stimuli of each outer fold, with inner fold labels of the training and the
/// reserved ones.
#[pyfunction]
pub(crate) fn draw_outer_folds<'py>(
    py: Python<'py>,
    n_stimuli: usize,
    n_folds: usize,
    n_inner_folds: usize,
    seed: u64,
) -> PyResult<Vec<Bound<'py, PyDict>>> {
    let plan = FoldPlan::draw(n_stimuli, n_folds, n_inner_folds, Seed(seed)).map_err(Failure::from)?;
    let folds = plan.folds.iter().map(|fold| {
        let entries = PyDict::new(py);
        let lists = [
            ("training", fold.training.stimuli.clone()),
            ("reserved", fold.reserved.clone()),
            ("test", fold.test.stimuli.clone()),
            ("inner_folds", labels_of(&fold.training)),
            ("reference_inner_folds", labels_of(&fold.test)),
        ];
        for (name, positions) in lists {
            entries.set_item(name, PyArray1::from_vec(py, positions))?;
        }
        Ok(entries)
    });
    folds.collect()
}

/// Labels 0 and 1 of each trial, in rows of partitions.
#[pyfunction]
pub(crate) fn draw_partitions<'py>(
    py: Python<'py>,
    stimuli: Vec<usize>,
    n_stimuli: usize,
    n_splits: usize,
    seed: u64,
) -> PyResult<Bound<'py, PyArray2<u8>>> {
    let silent = Matrix::from_fn(stimuli.len(), 1, |_, _| 0.0);
    let trials = Trials::new(&unit(), silent, &stimuli, n_stimuli).map_err(Failure::from)?;
    let drawn = Partitions::draw(&trials, n_splits, Seed(seed ^ PARTITION_SEED), 0);
    let labels = Array2::from_shape_fn((n_splits, stimuli.len()), |(split, trial)| drawn.labels()[split][trial]);
    Ok(labels.to_pyarray(py))
}

/// Z-scores of each column within the rows that share a label.
#[pyfunction]
pub(crate) fn standardise<'py>(
    py: Python<'py>,
    trials: PyReadonlyArray2<'py, f64>,
    labels: Vec<u32>,
) -> PyResult<Bound<'py, PyArray2<f64>>> {
    let trials = trials.as_array();
    let scores = work::run(py, None, |_| Ok(standardise_within(&matrix(trials), &labels)))?;
    Ok(to_numpy(py, &scores))
}
