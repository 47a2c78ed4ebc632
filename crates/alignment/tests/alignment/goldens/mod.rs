//! Against the direct NumPy version of the pipeline: `reference/golden/recovery/`, made by
//! `reference/recovery_goldens.py`. All selections must be equal, and numbers within 1e-9.

mod aggregates;
mod fits;
mod hand;
mod inputs;
mod one_target;
mod references;
mod source_parts;
mod study;

use crate::prelude::*;

pub(crate) const TOLERANCE: f64 = 1e-9;

pub(crate) fn golden(name: &str) -> Value {
    read(&format!("recovery/{name}"))
}

pub(crate) fn integers(value: &Value) -> Vec<usize> {
    list(value).iter().map(count).collect()
}

pub(crate) fn integer_lists(value: &Value) -> Vec<Vec<usize>> {
    list(value).iter().map(integers).collect()
}

#[track_caller]
pub(crate) fn assert_near(what: &str, found: f64, expected: &Value) {
    let expected = number(expected);
    assert!(
        (found - expected).abs() <= TOLERANCE * expected.abs().max(1.0),
        "{what}: {found} instead of {expected}"
    );
}

/// `None` corresponds to null.
#[track_caller]
pub(crate) fn assert_near_or_none(what: &str, found: Option<f64>, expected: &Value) {
    match found {
        Some(found) => assert_near(what, found, expected),
        None => assert!(expected.is_null(), "{what}: nothing instead of {expected}"),
    }
}

/// Asserts that at least as many values are found as expected, and that these are near.
#[track_caller]
pub(crate) fn assert_all_near(what: &str, found: &[f64], expected: &Value) {
    let expected = list(expected);
    assert_eq!(found.len(), expected.len(), "{what}");
    for (place, (&found, expected)) in found.iter().zip(expected).enumerate() {
        assert_near(&format!("{what} {place}"), found, expected);
    }
}

/// Compares a symmetric matrix with one stored in full, or as its diagonal and its product with a probe.
#[track_caller]
pub(crate) fn assert_matrix(what: &str, found: &Matrix, expected: &Value) {
    let n = found.n_rows();
    if let Some(rows) = expected.get("full") {
        for (row, values) in list(rows).iter().enumerate() {
            let own: Vec<f64> = (0..n).map(|column| found.get(row, column)).collect();
            assert_all_near(&format!("{what} row {row}"), &own, values);
        }
        return;
    }
    let diagonal: Vec<f64> = (0..n).map(|i| found.get(i, i)).collect();
    assert_all_near(&format!("{what} diagonal"), &diagonal, &expected["diagonal"]);
    let probe: Vec<f64> = (0..n).map(|i| (0..n).map(|j| found.get(i, j) * (j + 1) as f64 / n as f64).sum()).collect();
    assert_all_near(&format!("{what} probe"), &probe, &expected["probe"]);
}

/// Compares the projector onto the columns of an orthonormal basis.
#[track_caller]
pub(crate) fn assert_projector(what: &str, basis: &Matrix, expected: &Value) {
    assert_eq!(basis.n_columns() as u64, expected["rank"].as_u64().unwrap(), "{what}");
    assert_matrix(what, &weighted(basis, &vec![1.0; basis.n_columns()]), expected);
}

/// The sum of w_j b_j b_j' over columns.
pub(crate) fn weighted(basis: &Matrix, weights: &[f64]) -> Matrix {
    Matrix::from_fn(basis.n_rows(), basis.n_rows(), |row, column| {
        (0..basis.n_columns()).map(|j| weights[j] * basis.get(row, j) * basis.get(column, j)).sum()
    })
}

#[track_caller]
pub(crate) fn assert_selection(what: &str, found: &Selection, expected: &Value) {
    assert_eq!(found.rank as u64, expected["k"].as_u64().unwrap(), "{what} rank");
    assert_eq!(found.alpha, number(&expected["alpha"]), "{what} alpha");
    let threshold = found.best_score - found.standard_error;
    assert_near(&format!("{what} threshold"), threshold, &expected["threshold"]);
}

pub(crate) fn assert_null(what: &str, found: &NullSummary, expected: &Value) {
    assert_near(what, found.mean, &expected["mean"]);
    assert_near(what, found.sd, &expected["sd"]);
    assert_near(what, found.p, &expected["p"]);
    assert_near_or_none(what, found.corrected, &expected["corrected"]);
}

pub(crate) fn assert_auxiliary(what: &str, found: &AuxiliaryReadouts, expected: &Value) {
    assert_selection(what, &found.selection, &expected["selection"]);
    let readouts: [(&str, &ReservedReadout); 3] =
        [("full", &found.full), ("subspace", &found.subspace), ("source_pca", &found.source_pca)];
    for (name, readout) in readouts {
        let (what, expected) = (format!("{what} {name}"), &expected[name]);
        assert_all_near(&what, &readout.reserved, &expected["reserved"]);
        assert_eq!(readout.alpha, number(&expected["alpha"]), "{what}");
        assert_near(&what, readout.test, &expected["test"]);
    }
    if !expected["retained"].is_null() {
        assert_near(what, found.retained(), &expected["retained"]);
    }
}
