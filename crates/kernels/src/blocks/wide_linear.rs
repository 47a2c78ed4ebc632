//! An affine map whose weights are much larger than its input.

use crate::blocks::activation::Activation;
use crate::blocks::linear::Linear;
use crate::blocks::products::Products;
use crate::blocks::sum::sum;
use crate::blocks::tensors::is_packed;
use candle_core::{Result, Tensor};
use neurogauge_core::parallel;

/// Number of output features that one part computes.
const PART: usize = 512;

/// An affine map of rows, computed on one thread or on all.
pub trait AffineMap: Sized {
    /// Applies this activation to the output.
    fn then(self, activation: Activation) -> Self;

    /// Maps every row of `x`.
    fn forward(&self, x: &Tensor) -> Result<Tensor>;

    /// Like `forward`, plus the residual.
    fn forward_residual(&self, x: &Tensor, residual: &Tensor) -> Result<Tensor>;
}

impl AffineMap for Linear {
    fn then(self, activation: Activation) -> Self {
        Linear::then(self, activation)
    }

    fn forward(&self, x: &Tensor) -> Result<Tensor> {
        Linear::forward(self, x)
    }

    fn forward_residual(&self, x: &Tensor, residual: &Tensor) -> Result<Tensor> {
        Linear::forward_residual(self, x, residual)
    }
}

impl AffineMap for WideLinear {
    fn then(self, activation: Activation) -> Self {
        WideLinear::then(self, activation)
    }

    fn forward(&self, x: &Tensor) -> Result<Tensor> {
        WideLinear::forward(self, x)
    }

    fn forward_residual(&self, x: &Tensor, residual: &Tensor) -> Result<Tensor> {
        sum(&WideLinear::forward(self, x)?, residual)
    }
}

/// A [`Linear`] whose output features are split into parts that run on all threads. Reading the weights takes longer
/// than the arithmetic, and each thread reads its own. Do not use it inside a pass, which runs on one thread.
#[derive(Debug, Clone)]
pub struct WideLinear {
    parts: Vec<Linear>,
}

impl WideLinear {
    /// Like [`Linear::new`].
    pub fn new(weight: &Tensor, bias: &Tensor) -> Result<Self> {
        Self::in_parts(weight, bias, PART)
    }

    /// In parts of `size` output features each: smaller parts keep all threads busy if there are few features.
    pub fn in_parts(weight: &Tensor, bias: &Tensor, size: usize) -> Result<Self> {
        Self::of_parts(weight, size, |first, width| {
            let weight = weight.narrow(0, first, width)?;
            Linear::new(&weight, &bias.narrow(0, first, width)?)
        })
    }

    /// With factors of the output, like [`Linear::scaled`].
    pub fn scaled_in_parts(weight: &Tensor, bias: &Tensor, factors: &Tensor, size: usize) -> Result<Self> {
        Self::of_parts(weight, size, |first, width| {
            let weight = weight.narrow(0, first, width)?;
            let bias = bias.narrow(0, first, width)?;
            Linear::scaled(&weight, &bias, &factors.narrow(0, first, width)?)
        })
    }

    /// Built by a function that makes the part with `n` output features from feature `first` on.
    fn of_parts(weight: &Tensor, size: usize, part: impl Fn(usize, usize) -> Result<Linear> + Sync) -> Result<Self> {
        let n_out = weight.dim(0)?;
        // Another device parallelises by itself.
        let size = if is_packed(weight) { size } else { n_out };
        let part = |first: usize| part(first, size.min(n_out - first));
        let firsts: Vec<usize> = (0..n_out).step_by(size).collect();
        // The precision set for layers built on this thread also applies to parts built on other threads.
        let products = Products::of_arrangement();
        Ok(WideLinear {
            parts: parallel::try_map_each(&firsts, |first| products.arranging(|| part(*first)))?,
        })
    }

    /// Applies this activation to the output.
    pub fn then(self, activation: Activation) -> Self {
        let parts = self.parts.into_iter();
        WideLinear {
            parts: parts.map(|part| part.then(activation)).collect(),
        }
    }

    /// Maps the rows of a matrix.
    pub fn forward(&self, x: &Tensor) -> Result<Tensor> {
        Tensor::cat(&parallel::try_map_each(&self.parts, |part| part.forward(x))?, 1)
    }
}
