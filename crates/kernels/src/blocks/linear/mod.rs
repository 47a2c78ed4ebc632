//! An affine map.

mod scaled;

use crate::blocks::activation::Activation;
use crate::blocks::packed::{Epilogue, PackedMatrix, matrix_rows};
use crate::blocks::products::Products;
use crate::blocks::shared_rows::fill_rows;
use crate::blocks::slices::{Output, on_values, values, zeros};
use crate::blocks::tensors::{TensorLinear, is_packed, picked};
use candle_core::{Result, Shape, Storage, Tensor, bail};
pub use scaled::factors_of_first;
use scaled::scale_rows;

/// `y = f(x Wᵀ + b)` for every row of `x`.
#[derive(Debug, Clone)]
pub struct Linear {
    weight: PackedMatrix,
    bias: Vec<f32>,
    /// One factor per output feature, or empty if the weights include it.
    factors: Vec<f32>,
    /// Used on a GPU instead of the three above.
    tensors: Option<TensorLinear>,
    n_in: usize,
    n_out: usize,
    activation: Activation,
    /// Do all threads share the rows?
    shared: bool,
}

impl Linear {
    /// Builds it from a weight of shape (`n_out`, `n_in`), as in checkpoints, and a bias of `n_out`.
    pub fn new(weight: &Tensor, bias: &Tensor) -> Result<Self> {
        let (n_out, n_in) = weight.dims2()?;
        let mut linear = Linear {
            weight: PackedMatrix::default(),
            bias: Vec::new(),
            factors: Vec::new(),
            tensors: None,
            n_in,
            n_out,
            activation: Activation::Identity,
            shared: false,
        };
        if is_packed(weight) {
            linear.pack(weight, bias)?;
        } else {
            let products = Products::of_arrangement();
            linear.tensors = Some(TensorLinear::new(weight, bias, products)?);
        }
        Ok(linear)
    }

    fn pack(&mut self, weight: &Tensor, bias: &Tensor) -> Result<()> {
        let (n_out, n_in) = (self.n_out, self.n_in);
        let weight = weight.contiguous()?;
        let (storage, layout) = weight.storage_and_layout();
        let Storage::Cpu(storage) = &*storage else {
            bail!("weights are packed in main memory");
        };
        let rows = values(storage, layout)?;
        let row = |o| &rows[o * n_in..(o + 1) * n_in];
        self.weight = PackedMatrix::of_weights(n_in, n_out, row, Products::of_arrangement());
        self.bias = bias.to_vec1()?;
        Ok(())
    }

    pub fn without_bias(weight: &Tensor) -> Result<Self> {
        let (n_out, _) = weight.dims2()?;
        let bias = Tensor::zeros(n_out, weight.dtype(), weight.device())?;
        Linear::new(weight, &bias)
    }

    /// Several maps without biases, whose outputs are concatenated.
    pub fn fused_without_bias(weights: &[Tensor]) -> Result<Self> {
        Linear::without_bias(&Tensor::cat(weights, 0)?)
    }

    /// Several maps of the same input, whose outputs are concatenated.
    pub fn fused(parts: &[(Tensor, Tensor)]) -> Result<Self> {
        let weights: Vec<&Tensor> = parts.iter().map(|(weight, _)| weight).collect();
        let biases: Vec<&Tensor> = parts.iter().map(|(_, bias)| bias).collect();
        Linear::new(&Tensor::cat(&weights, 0)?, &Tensor::cat(&biases, 0)?)
    }

    /// Applies this activation to the output.
    pub fn then(self, activation: Activation) -> Self {
        Linear { activation, ..self }
    }

    /// Lets all threads share the rows.
    pub fn shared(self, shared: bool) -> Self {
        Linear { shared, ..self }
    }

    /// Do all threads share the rows?
    pub(super) fn is_shared(&self) -> bool {
        self.shared
    }

    /// Maps the rows of `x`: the last dimension changes from `n_in` to `n_out`.
    pub fn forward(&self, x: &Tensor) -> Result<Tensor> {
        match &self.tensors {
            Some(tensors) => tensors.forward(x, None, self.activation),
            None => on_values([x], |[x], [layout]| self.map(x, layout.shape(), None)),
        }
    }

    /// Maps the rows of `x` and adds a residual (before the activation).
    pub fn forward_residual(&self, x: &Tensor, residual: &Tensor) -> Result<Tensor> {
        match &self.tensors {
            Some(tensors) => tensors.forward(x, Some(residual), self.activation),
            None => on_values([x, residual], |[x, residual], [layout, _]| self.map(x, layout.shape(), Some(residual))),
        }
    }

    /// Are the weights packed, so that they can be used with plain slices?
    pub fn is_packed(&self) -> bool {
        self.tensors.is_none()
    }

    /// Maps plain rows.
    pub(super) fn rows(&self, x: &[f32], residual: Option<&[f32]>) -> Vec<f32> {
        let mut out = zeros(x.len() / self.n_in * self.n_out());
        self.map_into(x, residual, &mut out);
        out
    }

    /// Maps rows of `x` in another order: row `i` of the resulting matrix comes from row `rows[i]`, or from zeros.
    pub fn forward_picked(&self, x: &Tensor, rows: &[Option<u32>]) -> Result<Tensor> {
        match &self.tensors {
            Some(tensors) => tensors.forward(&picked(x, rows)?, None, self.activation),
            None => on_values([x], |[x], [layout]| self.map_picked(x, layout.shape(), rows, None)),
        }
    }

    /// Like `forward_picked`, plus a residual, whose shape the result has.
    pub fn forward_picked_residual(&self, x: &Tensor, rows: &[Option<u32>], residual: &Tensor) -> Result<Tensor> {
        match &self.tensors {
            Some(tensors) => tensors.forward(&picked(x, rows)?, Some(residual), self.activation),
            None => on_values([x, residual], |[x, residual], [layout, of_residual]| {
                let (out, _) = self.map_picked(x, layout.shape(), rows, Some(residual))?;
                Ok((out, of_residual.shape().clone()))
            }),
        }
    }

    fn map(&self, x: &[f32], shape: &Shape, residual: Option<&[f32]>) -> Output {
        let mut dims = shape.dims().to_vec();
        match dims.last_mut() {
            Some(last) if *last == self.n_in => *last = self.n_out(),
            _ => bail!("a map of {} features got {shape:?}", self.n_in),
        }
        let out = self.rows(x, residual);
        Ok((out, dims.into()))
    }

    /// Number of input features.
    pub(super) fn n_in(&self) -> usize {
        self.n_in
    }

    /// Number of output features.
    pub(super) fn n_out(&self) -> usize {
        self.n_out
    }

    /// Maps concatenated rows.
    pub(super) fn map_into(&self, x: &[f32], residual: Option<&[f32]>, out: &mut [f32]) {
        let rows = matrix_rows(x, self.n_in);
        self.map_rows(rows, residual, out);
    }

    fn map_rows<'a>(&self, row: impl Fn(usize, usize) -> &'a [f32] + Sync, residual: Option<&[f32]>, out: &mut [f32]) {
        let width = self.n_out();
        fill_rows(self.shared, width, out, |first, out| {
            let place = first * width;
            let whole = Epilogue {
                bias: &self.bias,
                residual: residual.map(|residual| &residual[place..][..out.len()]),
                activation: self.activation,
            };
            let n_rows = out.len() / width;
            let row = |index, run| row(first + index, run);
            if self.factors.is_empty() {
                self.weight.multiply(n_rows, 1, row, out, width, whole);
                return;
            }
            let unscaled = Epilogue {
                residual: None,
                activation: Activation::Identity,
                ..whole
            };
            self.weight.multiply(n_rows, 1, row, out, width, unscaled);
            scale_rows(out, &self.factors, whole.residual, self.activation);
        });
    }

    /// Maps selected rows of `x`: see [`Linear::forward_picked`].
    fn map_picked(&self, x: &[f32], shape: &Shape, rows: &[Option<u32>], residual: Option<&[f32]>) -> Output {
        let (n_in, n_out) = (self.n_in, self.n_out);
        let beyond = |row: &Option<u32>| row.is_some_and(|row| row as usize >= x.len() / n_in);
        if shape.dims().last() != Some(&n_in) || rows.iter().any(beyond) {
            bail!("a map of {n_in} features of picked rows got {shape:?}");
        }
        let mut out = zeros(rows.len() * n_out);
        if let Some(residual) = residual
            && residual.len() != out.len()
        {
            bail!("a residual of {} values for {} rows of {n_out}", residual.len(), rows.len());
        }
        let nothing = zeros(n_in);
        let row = |index: usize, _| match rows[index] {
            Some(row) => &x[row as usize * n_in..][..n_in],
            None => &nothing,
        };
        self.map_rows(row, residual, &mut out);
        Ok((out, (rows.len(), n_out).into()))
    }
}
