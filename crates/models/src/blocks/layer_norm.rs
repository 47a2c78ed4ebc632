//! Layer normalisation.

use crate::blocks::slices::{lane_sum, values, values_mut};
use candle_core::{CpuStorage, InplaceOp2, InplaceOp3, Layout, Result, Tensor};

/// Brings every row to mean 0 and variance 1 (population), then scales and shifts it per feature.
#[derive(Debug, Clone)]
pub(crate) struct LayerNorm {
    weight: Tensor,
    bias: Tensor,
    epsilon: f64,
}

impl LayerNorm {
    /// From scale and shift, `n_features` each.
    pub(crate) fn new(weight: Tensor, bias: Tensor, epsilon: f64) -> Self {
        LayerNorm {
            weight,
            bias,
            epsilon,
        }
    }

    /// Normalises the rows of `x` in place.
    pub(crate) fn forward(&self, x: Tensor) -> Result<Tensor> {
        x.inplace_op3(&self.weight, &self.bias, &Normalise(self.epsilon as f32))?;
        Ok(x)
    }

    /// Adds the residual to `x` and normalises, in place.
    pub(crate) fn forward_residual(&self, x: Tensor, residual: &Tensor) -> Result<Tensor> {
        x.inplace_op2(residual, &Add)?;
        self.forward(x)
    }
}

struct Add;

impl InplaceOp2 for Add {
    fn name(&self) -> &'static str {
        "add-residual"
    }

    fn cpu_fwd(
        &self,
        x: &mut CpuStorage,
        x_layout: &Layout,
        residual: &CpuStorage,
        residual_layout: &Layout,
    ) -> Result<()> {
        add(values_mut(x, x_layout)?, values(residual, residual_layout)?);
        Ok(())
    }
}

struct Normalise(f32);

impl InplaceOp3 for Normalise {
    fn name(&self) -> &'static str {
        "layer-norm"
    }

    fn cpu_fwd(
        &self,
        x: &mut CpuStorage,
        x_layout: &Layout,
        weight: &CpuStorage,
        weight_layout: &Layout,
        bias: &CpuStorage,
        bias_layout: &Layout,
    ) -> Result<()> {
        normalise(
            values_mut(x, x_layout)?,
            values(weight, weight_layout)?,
            values(bias, bias_layout)?,
            self.0,
        );
        Ok(())
    }
}

#[multiversion::multiversion(targets = "simd")]
fn add(x: &mut [f32], residual: &[f32]) {
    for (value, r) in x.iter_mut().zip(residual) {
        *value += r;
    }
}

#[multiversion::multiversion(targets = "simd")]
fn normalise(rows: &mut [f32], weight: &[f32], bias: &[f32], epsilon: f32) {
    let n = weight.len();
    for row in rows.chunks_exact_mut(n) {
        let mean = lane_sum(row, |value| value) / n as f32;
        // Two passes: the difference of large sums would lose the digits that are wanted.
        let variance = lane_sum(row, |value| (value - mean) * (value - mean)) / n as f32;
        let scale = 1.0 / (variance + epsilon).sqrt();
        for ((value, w), b) in row.iter_mut().zip(weight).zip(bias) {
            *value = (*value - mean) * scale * w + b;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use candle_core::Device;

    #[test]
    fn rows_are_normalised_after_the_residual_is_added() -> Result<()> {
        let cpu = &Device::Cpu;
        let norm = LayerNorm::new(
            Tensor::new(&[1_f32, 1.0, 2.0], cpu)?,
            Tensor::new(&[0_f32, 0.0, 10.0], cpu)?,
            0.0,
        );
        let x = Tensor::new(&[[1_f32, 1.0, 1.0]], cpu)?;
        let residual = Tensor::new(&[[0_f32, 1.0, 2.0]], cpu)?;
        let y = norm.forward_residual(x, &residual)?.to_vec2::<f32>()?;
        let deviation = 1.5_f32.sqrt();
        for (value, expected) in y[0].iter().zip([-deviation, 0.0, 2.0 * deviation + 10.0]) {
            assert!((value - expected).abs() < 1e-6, "{value} {expected}");
        }
        Ok(())
    }
}
