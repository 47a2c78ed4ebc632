//! An affine map.

use crate::blocks::gelu::add_bias_gelu;
use crate::blocks::slices::{values, values_mut};
use candle_core::{CpuStorage, InplaceOp2, Layout, Result, Tensor};

/// `y = x Wᵀ + b` for every row of `x`.
#[derive(Debug, Clone)]
pub(crate) struct Linear {
    /// Wᵀ, shape (`n_in`, `n_out`): this way the matrix product packs it by plain copies.
    weight_t: Tensor,
    bias: Tensor,
}

impl Linear {
    /// From a weight of shape (`n_out`, `n_in`), as checkpoints have it, and a bias of `n_out`.
    pub(crate) fn new(weight: &Tensor, bias: Tensor) -> Result<Self> {
        Ok(Linear {
            weight_t: weight.t()?.contiguous()?,
            bias,
        })
    }

    /// Several maps of the same input side by side: their outputs are concatenated.
    pub(crate) fn fused(parts: &[(Tensor, Tensor)]) -> Result<Self> {
        let weights: Vec<&Tensor> = parts.iter().map(|(weight, _)| weight).collect();
        let biases: Vec<&Tensor> = parts.iter().map(|(_, bias)| bias).collect();
        Linear::new(&Tensor::cat(&weights, 0)?, Tensor::cat(&biases, 0)?)
    }

    /// Maps the rows of `x`, shape (`n_rows`, `n_in`).
    pub(crate) fn forward(&self, x: &Tensor) -> Result<Tensor> {
        self.forward_then(x, Epilogue::AddBias)
    }

    /// Maps the rows of `x` and applies the Gaussian error linear unit.
    pub(crate) fn forward_gelu(&self, x: &Tensor) -> Result<Tensor> {
        self.forward_then(x, Epilogue::AddBiasGelu)
    }

    fn forward_then(&self, x: &Tensor, epilogue: Epilogue) -> Result<Tensor> {
        let y = x.matmul(&self.weight_t)?;
        y.inplace_op2(&self.bias, &epilogue)?;
        Ok(y)
    }
}

/// What happens to the product while it is still in the processor's cache.
#[derive(Clone, Copy)]
enum Epilogue {
    AddBias,
    AddBiasGelu,
}

impl InplaceOp2 for Epilogue {
    fn name(&self) -> &'static str {
        "linear-epilogue"
    }

    fn cpu_fwd(
        &self,
        product: &mut CpuStorage,
        product_layout: &Layout,
        bias: &CpuStorage,
        bias_layout: &Layout,
    ) -> Result<()> {
        let product = values_mut(product, product_layout)?;
        let bias = values(bias, bias_layout)?;
        match self {
            Epilogue::AddBias => add_bias(product, bias),
            Epilogue::AddBiasGelu => add_bias_gelu(product, bias),
        }
        Ok(())
    }
}

#[multiversion::multiversion(targets = "simd")]
fn add_bias(rows: &mut [f32], bias: &[f32]) {
    for row in rows.chunks_exact_mut(bias.len()) {
        for (value, b) in row.iter_mut().zip(bias) {
            *value += b;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use candle_core::Device;

    #[test]
    fn maps_each_row_and_fuses_side_by_side() -> Result<()> {
        let cpu = &Device::Cpu;
        let x = Tensor::new(&[[1_f32, 2.0], [3.0, 4.0]], cpu)?;
        let weight = Tensor::new(&[[1_f32, 0.0], [0.0, 1.0], [1.0, -1.0]], cpu)?;
        let bias = Tensor::new(&[10_f32, 20.0, 30.0], cpu)?;
        let y = Linear::new(&weight, bias.clone())?.forward(&x)?;
        assert_eq!(
            y.to_vec2::<f32>()?,
            [[11.0, 22.0, 29.0], [13.0, 24.0, 29.0]]
        );
        let twice = Linear::fused(&[(weight.clone(), bias.clone()), (weight, bias)])?;
        assert_eq!(
            twice.forward(&x)?.to_vec2::<f32>()?[1],
            [13.0, 24.0, 29.0, 13.0, 24.0, 29.0]
        );
        Ok(())
    }
}
