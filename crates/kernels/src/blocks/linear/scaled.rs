//! Factors for the output of an affine map.

use super::Linear;
use crate::blocks::activation::Activation;
use crate::blocks::packed::{fits_bf16, fits_f16};
use crate::blocks::products::Products;
use crate::blocks::slices::values;
use crate::blocks::tensors::{host_values, is_packed};
use crate::blocks::weights::scaled_rows;
use candle_core::{Device, Result, Storage, Tensor};

impl Linear {
    /// `y = f(s ∘ (x Wᵀ + b))`, with a factor for each output feature. Factors are multiplied into weights of 32 bits.
    /// Weights of 16 bits are kept exact, and the output is multiplied instead.
    pub fn scaled(weight: &Tensor, bias: &Tensor, factors: &Tensor) -> Result<Self> {
        if stay_as_they_are(weight)? {
            let linear = Linear::new(weight, bias)?;
            return Ok(match linear.tensors {
                Some(tensors) => Linear {
                    tensors: Some(tensors.scaled(factors)),
                    ..linear
                },
                None => Linear {
                    factors: factors.to_vec1()?,
                    ..linear
                },
            });
        }
        Linear::new(&scaled_rows(weight, factors)?, &(bias * factors)?)
    }

    /// Several maps of the same input, whose outputs are concatenated. The first map's outputs are multiplied by a
    /// factor: this is how attention's queries get the scores' factor, instead of multiplying every score.
    pub fn fused_scaling_first(parts: &[(Tensor, Tensor)], factor: f64) -> Result<Self> {
        let weights: Vec<&Tensor> = parts.iter().map(|(weight, _)| weight).collect();
        let biases: Vec<&Tensor> = parts.iter().map(|(_, bias)| bias).collect();
        let (weight, bias) = (Tensor::cat(&weights, 0)?, Tensor::cat(&biases, 0)?);
        let n_first = biases.first().map_or(Ok(0), |bias| bias.dim(0))?;
        Linear::scaled(&weight, &bias, &factors_of_first(&bias, n_first, factor)?)
    }
}

/// A factor for the first features of an output and 1 for the others, on the device of `bias`.
pub fn factors_of_first(bias: &Tensor, n_first: usize, factor: f64) -> Result<Tensor> {
    let factors = (0..bias.dim(0)?).map(|index| if index < n_first { factor } else { 1.0 });
    Tensor::from_iter(factors, &Device::Cpu)?.to_dtype(bias.dtype())?.to_device(bias.device())
}

/// Should these weights be kept exact, because 16 bits can represent all of them? Outside main memory they take 32 bits
/// anyway, and only bf16 products would differ.
fn stay_as_they_are(weight: &Tensor) -> Result<bool> {
    // Weights of 16 bits are stored in pairs.
    if !weight.dim(1)?.is_multiple_of(2) {
        return Ok(false);
    }
    if !is_packed(weight) {
        return Ok(Products::of_arrangement() == Products::Bf16 && fits(&host_values(weight)?));
    }
    let weight = weight.contiguous()?;
    let (storage, layout) = weight.storage_and_layout();
    match &*storage {
        Storage::Cpu(storage) => Ok(fits(values(storage, layout)?)),
        _ => Ok(false),
    }
}

/// Can bf16 represent all values exactly, or f16?
fn fits(values: &[f32]) -> bool {
    values.iter().all(fits_bf16) || values.iter().all(fits_f16)
}

/// Multiplies rows by the factors of their features, then adds the residual, then applies the activation.
#[multiversion::multiversion(targets = "simd")]
pub(super) fn scale_rows(rows: &mut [f32], factors: &[f32], residual: Option<&[f32]>, activation: Activation) {
    const FUSED: bool = multiversion::target::target_cfg_f!(target_feature = "fma");
    let width = factors.len();
    for (index, row) in rows.chunks_exact_mut(width).enumerate() {
        for (value, factor) in row.iter_mut().zip(factors) {
            *value *= factor;
        }
        if let Some(residual) = residual {
            for (value, residual) in row.iter_mut().zip(&residual[index * width..]) {
                *value += residual;
            }
        }
        activation.apply::<FUSED>(row);
    }
}
