//! Whole numbers from MATLAB files of version 5.

use crate::{FormatError, Problem, mat};
use matfile::{Array, MatFile};
use neurogauge_core::first_names;
use std::path::Path;

/// A matrix of whole numbers, column after column.
pub(super) struct Numbers {
    pub(super) n_rows: usize,
    pub(super) n_columns: usize,
    pub(super) values: Vec<u32>,
}

impl Numbers {
    pub(super) fn row(&self, row: usize) -> impl Iterator<Item = u32> + '_ {
        self.values.iter().skip(row).step_by(self.n_rows).copied()
    }
}

/// Opens a file with variables.
pub(super) fn open(path: &Path) -> Result<MatFile, FormatError> {
    mat::open(path, "a MATLAB file of NSD's experiment design")
}

/// A matrix with entries from 1 to `highest`, which are returned counted from 0.
pub(super) fn matrix(path: &Path, file: &MatFile, name: &str, highest: usize) -> Result<Numbers, FormatError> {
    let invalid = |reason: String| Problem::invalid(format!("variable {name}"), reason).at(path);
    let found = file.find_by_name(name).ok_or_else(|| {
        let names: Vec<&str> = file.arrays().iter().map(Array::name).collect();
        invalid(format!("not there; the file has {}", first_names(&names)))
    })?;
    let &[n_rows, n_columns] = found.size().as_slice() else {
        return Err(invalid(format!("has {} axes; expected 2", found.size().len())));
    };
    let values = mat::real(path, found)?
        .into_iter()
        .enumerate()
        .map(|(index, value)| {
            let whole = value.fract() == 0.0 && value >= 1.0 && value <= highest as f64;
            whole.then(|| value as u32 - 1).ok_or_else(|| {
                let (row, column) = (index % n_rows.max(1) + 1, index / n_rows.max(1) + 1);
                invalid(format!(
                    "row {row}, column {column} is {value}; expected a whole number from 1 to \
                     {highest}"
                ))
            })
        })
        .collect::<Result<Vec<u32>, FormatError>>()?;
    if Some(values.len()) != n_rows.checked_mul(n_columns) || values.is_empty() {
        return Err(invalid(format!("has {} numbers for {n_rows} rows of {n_columns}", values.len())));
    }
    Ok(Numbers {
        n_rows,
        n_columns,
        values,
    })
}
