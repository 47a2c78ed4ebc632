//! Layer normalisation.

use crate::blocks::Activation;
use crate::blocks::shared_rows::fill_rows;
use crate::blocks::slices::{Output, lane_sum, on_values, zeros};
use crate::blocks::tensors::{TensorNorm, activate, is_packed};
use candle_core::{Layout, Result, Tensor, bail};

/// Normalises every row to mean 0 and variance 1 (population), then scales and shifts each feature; an activation may
/// follow.
#[derive(Debug, Clone)]
pub struct LayerNorm {
    weight: Vec<f32>,
    bias: Vec<f32>,
    /// Used on a GPU instead of the two above.
    tensors: Option<TensorNorm>,
    epsilon: f32,
    activation: Activation,
    /// Do all threads share the rows?
    shared: bool,
}

impl LayerNorm {
    /// Builds it from scale and shift, `n_features` each.
    pub fn new(weight: &Tensor, bias: &Tensor, epsilon: f64) -> Result<Self> {
        let mut norm = LayerNorm {
            weight: Vec::new(),
            bias: Vec::new(),
            tensors: None,
            epsilon: epsilon as f32,
            activation: Activation::Identity,
            shared: false,
        };
        if is_packed(weight) {
            (norm.weight, norm.bias) = (weight.to_vec1()?, bias.to_vec1()?);
        } else {
            norm.tensors = Some(TensorNorm {
                weight: weight.clone(),
                bias: bias.clone(),
                epsilon,
            });
        }
        Ok(norm)
    }

    /// Lets all threads share the rows.
    pub fn shared(self, shared: bool) -> Self {
        LayerNorm { shared, ..self }
    }

    /// Applies this activation to the output.
    pub fn then(self, activation: Activation) -> Self {
        LayerNorm { activation, ..self }
    }

    /// Normalises every row of `x`, which is its last dimension.
    pub fn forward(&self, x: &Tensor) -> Result<Tensor> {
        match &self.tensors {
            Some(tensors) => activate(&tensors.forward(x)?, self.activation),
            None => on_values([x], |[x], [layout]| self.computed(x, layout)),
        }
    }

    /// Normalises concatenated rows.
    pub(super) fn normalise(&self, rows: &[f32], out: &mut [f32]) {
        normalise(rows, out, &self.weight, &self.bias, self.epsilon);
        if self.activation != Activation::Identity {
            activated(out, self.activation);
        }
    }

    fn computed(&self, x: &[f32], layout: &Layout) -> Output {
        if layout.dims().last() != Some(&self.weight.len()) {
            bail!("a norm of {} features got {:?}", self.weight.len(), layout.shape());
        }
        let mut out = zeros(x.len());
        let width = self.weight.len();
        fill_rows(self.shared, width, &mut out, |first, out| {
            self.normalise(&x[first * width..][..out.len()], out);
        });
        Ok((out, layout.shape().clone()))
    }
}

#[multiversion::multiversion(targets = "simd")]
fn normalise(rows: &[f32], out: &mut [f32], weight: &[f32], bias: &[f32], epsilon: f32) {
    let n = weight.len();
    for (row, out) in rows.chunks_exact(n).zip(out.chunks_exact_mut(n)) {
        let mean = lane_sum(row, |value| value) / n as f32;
        // In two passes, since the difference of two large sums would lose precision.
        let variance = lane_sum(row, |value| (value - mean) * (value - mean)) / n as f32;
        let scale = 1.0 / (variance + epsilon).sqrt();
        for (((out, value), w), b) in out.iter_mut().zip(row).zip(weight).zip(bias) {
            *out = (value - mean) * scale * w + b;
        }
    }
}

#[multiversion::multiversion(targets = "simd")]
fn activated(values: &mut [f32], activation: Activation) {
    const FUSED: bool = multiversion::target::target_cfg_f!(target_feature = "fma");
    activation.apply::<FUSED>(values);
}
