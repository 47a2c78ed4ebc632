//! Weights before they are arranged for products: transposed, scaled, adapted, rounded. The engine does the first two
//! value by value.

use crate::blocks::slices::on_values;
use crate::blocks::tensors::is_packed;
use candle_core::{D, Result, Tensor, bail};
use half::{bf16, f16};
use rayon::prelude::*;

/// Exchanges the last two dimensions, in memory too.
pub fn transposed(x: &Tensor) -> Result<Tensor> {
    if !is_packed(x) {
        return x.t()?.contiguous();
    }
    let shape = x.t()?.shape().clone();
    let (n_rows, n_columns) = (x.dim(D::Minus2)?, x.dim(D::Minus1)?);
    on_values([&x.contiguous()?], |[x], _| {
        let mut out = Vec::with_capacity(x.len());
        for matrix in x.chunks_exact((n_rows * n_columns).max(1)) {
            for column in 0..n_columns {
                out.extend(matrix[column..].iter().step_by(n_columns));
            }
        }
        Ok((out, shape))
    })
}

/// Multiplies each row, along the first dimension, by its factor.
pub fn scaled_rows(x: &Tensor, factors: &Tensor) -> Result<Tensor> {
    if factors.dims() != &x.dims()[..1] {
        bail!("{:?} factors for {:?} rows", factors.shape(), x.shape());
    }
    if !is_packed(x) {
        let rows = x.reshape((x.dim(0)?, ()))?;
        return rows.broadcast_mul(&factors.unsqueeze(1)?)?.reshape(x.shape());
    }
    on_values([&x.contiguous()?, &factors.contiguous()?], |[x, factors], [layout, _]| {
        let mut out = x.to_vec();
        let n_columns = x.len() / factors.len().max(1);
        for (row, factor) in out.chunks_exact_mut(n_columns.max(1)).zip(factors) {
            row.iter_mut().for_each(|value| *value *= factor);
        }
        Ok((out, layout.shape().clone()))
    })
}

/// Adds `scale` B A, computed in `f64`, to a matrix. B has `rank` columns, and A as many rows.
pub fn add_product(matrix: &mut [f32], b: &[f32], a: &[f32], rank: usize, scale: f64) {
    let n_in = a.len() / rank;
    let rows = matrix.par_chunks_exact_mut(n_in).zip(b.par_chunks_exact(rank));
    rows.for_each(|(row, b)| {
        for (column, value) in row.iter_mut().enumerate() {
            let products = b.iter().enumerate().map(|(k, b)| f64::from(*b) * f64::from(a[k * n_in + column]));
            *value = (f64::from(*value) + scale * products.sum::<f64>()) as f32;
        }
    });
}

/// Rounds to the nearest bf16, ties to even.
///
/// # Errors
/// The first finite value that would become infinite.
pub fn round_to_bf16(values: &mut [f32]) -> std::result::Result<(), f32> {
    round(values, |value| bf16::from_f32(value).to_f32())
}

/// Rounds to the nearest f16, ties to even.
///
/// # Errors
/// The first finite value that would become infinite.
pub fn round_to_f16(values: &mut [f32]) -> std::result::Result<(), f32> {
    round(values, |value| f16::from_f32(value).to_f32())
}

fn round(values: &mut [f32], round: impl Fn(f32) -> f32) -> std::result::Result<(), f32> {
    for value in values {
        let rounded = round(*value);
        if value.is_finite() && !rounded.is_finite() {
            return Err(*value);
        }
        *value = rounded;
    }
    Ok(())
}
