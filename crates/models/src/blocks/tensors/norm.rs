//! Layer normalisation.

use candle_core::{D, Result, Tensor};

/// Brings rows to mean 0 and variance 1, then scales and shifts them.
#[derive(Debug, Clone)]
pub(in crate::blocks) struct TensorNorm {
    pub(in crate::blocks) weight: Tensor,
    pub(in crate::blocks) bias: Tensor,
    pub(in crate::blocks) epsilon: f64,
}

impl TensorNorm {
    pub(in crate::blocks) fn forward(&self, x: &Tensor) -> Result<Tensor> {
        let centred = x.broadcast_sub(&x.mean_keepdim(D::Minus1)?)?;
        let variance = centred.sqr()?.mean_keepdim(D::Minus1)?;
        let deviation = (variance + self.epsilon)?.sqrt()?;
        centred
            .broadcast_div(&deviation)?
            .broadcast_mul(&self.weight)?
            .broadcast_add(&self.bias)
    }
}
