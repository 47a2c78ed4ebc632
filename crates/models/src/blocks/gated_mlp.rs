//! The gated perceptron: its middle layer is the product of two maps.

use crate::blocks::{Activation, AffineMap, Linear};
use candle_core::{Result, Tensor};

/// `W (f(G x) · V x)`: of two maps of the same row, one with an activation, the product goes through a third.
#[derive(Debug, Clone)]
pub(crate) struct GatedMlp<M = Linear> {
    gate: M,
    expand: M,
    contract: M,
}

impl<M: AffineMap> GatedMlp<M> {
    /// From the map that the activation follows, the one beside it, and the one behind their product.
    pub(crate) fn new(gate: M, activation: Activation, expand: M, contract: M) -> Self {
        GatedMlp {
            gate: gate.then(activation),
            expand,
            contract,
        }
    }

    /// Maps every row of `x` and adds the residual.
    pub(crate) fn forward_residual(&self, x: &Tensor, residual: &Tensor) -> Result<Tensor> {
        let inner = (self.gate.forward(x)? * self.expand.forward(x)?)?;
        self.contract.forward_residual(&inner, residual)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use candle_core::Device;

    #[test]
    fn one_half_gates_the_other() -> Result<()> {
        let cpu = &Device::Cpu;
        let linear = |rows: &[[f32; 2]]| {
            let weight = Tensor::from_slice(rows.as_flattened(), (rows.len(), 2), cpu)?;
            Linear::without_bias(&weight)
        };
        let gate = linear(&[[1.0, 0.0], [-1.0, 0.0]])?;
        let mlp = GatedMlp::new(
            gate,
            Activation::Relu,
            linear(&[[0.0, 1.0], [1.0, 1.0]])?,
            linear(&[[1.0, 10.0], [0.0, 1.0]])?,
        );
        let x = Tensor::new(&[[2_f32, 3.0], [-1.0, 5.0]], cpu)?;
        // (2 * 3, 0) and (0, 1 * 4).
        let y = mlp.forward_residual(&x, &x)?;
        assert_eq!(y.to_vec2::<f32>()?, [[8.0, 3.0], [39.0, 9.0]]);
        Ok(())
    }
}
