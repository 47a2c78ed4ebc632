//! Synthetic features and responses.

use crate::prelude::*;

/// Values of the array `name`, uniform over [-0.5, 0.5).
pub(crate) fn noise(name: &str, n_rows: usize, n_columns: usize) -> Matrix {
    let values = Synthetic::new(name, 0);
    Matrix::from_fn(n_rows, n_columns, |row, column| f64::from(values.uniform((row * n_columns + column) as u64)) - 0.5)
}

/// Mixes `latents` (rows x dimensions) into columns and adds noise.
pub(crate) fn mixed(name: &str, latents: &Matrix, n_columns: usize, noise_level: f64) -> Matrix {
    let weights = noise(&format!("{name} weights"), latents.n_columns(), n_columns);
    let error = noise(&format!("{name} noise"), latents.n_rows(), n_columns);
    Matrix::from_fn(latents.n_rows(), n_columns, |row, column| {
        let signal: f64 = (0..latents.n_columns())
            .map(|d| latents.get(row, d) * weights.get(d, column) / (1.0 + d as f64))
            .sum();
        signal + noise_level * error.get(row, column)
    })
}

/// A source and a target, prepared for an outer fold.
pub(crate) fn prepared(x: &Matrix, y: &Matrix, plan: &FoldPlan, fold: usize) -> (PreparedSource, PreparedTarget) {
    let unit = Unit::new("s", "lh", "V1v");
    (
        PreparedSource::new("source", x, plan, fold).unwrap(),
        PreparedTarget::new(&unit, y, plan, fold).unwrap(),
    )
}
