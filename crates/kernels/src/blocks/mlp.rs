//! The two-layer perceptron of a transformer block.

use crate::blocks::shared_rows::fill_rows;
use crate::blocks::slices::{Output, on_values, zeros};
use crate::blocks::{Activation, LayerNorm, Linear};
use candle_core::{Layout, Result, Tensor, bail};

/// Two affine maps with an activation between them, and an optional normalisation before them.
#[derive(Debug, Clone)]
pub struct Mlp {
    norm: Option<LayerNorm>,
    expand: Linear,
    contract: Linear,
    /// Do all threads share the rows?
    shared: bool,
}

/// Number of values between the two maps that are computed at once: half of a second-level cache.
const INNER_FLOATS: usize = 1 << 18;
/// With fewer rows at once, the weights would be read too often.
const MIN_ROWS: usize = 416;

impl Mlp {
    /// Builds it from its two maps. All threads share the rows if they share the second map's.
    pub fn new(expand: Linear, activation: Activation, contract: Linear) -> Self {
        Mlp {
            norm: None,
            shared: contract.is_shared(),
            expand: expand.then(activation).shared(false),
            contract: contract.shared(false),
        }
    }

    /// Normalises the rows first.
    pub fn after(self, norm: LayerNorm) -> Self {
        Mlp {
            norm: Some(norm),
            ..self
        }
    }

    /// Maps every row of `x` and adds the residual.
    pub fn forward_residual(&self, x: &Tensor, residual: &Tensor) -> Result<Tensor> {
        if self.contract.is_packed() {
            return on_values([x, residual], |values, layouts| self.computed_with(values, layouts));
        }
        let x = match &self.norm {
            Some(norm) => norm.forward(x)?,
            None => x.clone(),
        };
        let inner = self.expand.forward(&x)?;
        self.contract.forward_residual(&inner, residual)
    }

    /// The values between the maps stay in the cache.
    fn map_into(&self, x: &[f32], residual: &[f32], n_inner: usize, out: &mut [f32]) {
        let (n_in, n_out) = (self.expand.n_in(), self.contract.n_out());
        let n_rows = x.len() / n_in;
        let n_parts = n_rows.div_ceil((INNER_FLOATS / n_inner).max(MIN_ROWS));
        let rows = n_rows.div_ceil(n_parts.max(1)).max(1);
        let mut inner = zeros(rows * n_inner);
        let mut normalised = zeros(self.norm.as_ref().map_or(0, |_| rows * n_in));
        let parts = x.chunks(rows * n_in).zip(residual.chunks(rows * n_out));
        for ((x, residual), out) in parts.zip(out.chunks_mut(rows * n_out)) {
            let inner = &mut inner[..x.len() / n_in * n_inner];
            match &self.norm {
                Some(norm) => {
                    let normalised = &mut normalised[..x.len()];
                    norm.normalise(x, normalised);
                    self.expand.map_into(normalised, None, inner);
                }
                None => self.expand.map_into(x, None, inner),
            }
            self.contract.map_into(inner, Some(residual), out);
        }
    }

    fn computed_with(&self, [x, residual]: [&[f32]; 2], [layout, residual_layout]: [&Layout; 2]) -> Output {
        let (n_in, n_inner) = (self.expand.n_in(), self.expand.n_out());
        let n_out = self.contract.n_out();
        let mut dims = layout.dims().to_vec();
        match dims.last_mut() {
            Some(last) if *last == n_in && residual.len() * n_in == x.len() * n_out => {
                *last = n_out;
            }
            _ => bail!(
                "a perceptron from {n_in} to {n_out} features got {:?} and {:?}",
                layout.shape(),
                residual_layout.shape()
            ),
        }
        let mut out = zeros(residual.len());
        fill_rows(self.shared, n_out, &mut out, |first, out| {
            let x = &x[first * n_in..][..out.len() / n_out * n_in];
            let residual = &residual[first * n_out..][..out.len()];
            self.map_into(x, residual, n_inner, out);
        });
        Ok((out, dims.into()))
    }
}
