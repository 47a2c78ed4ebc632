//! Root mean square normalisation.

use crate::blocks::slices::{Output, lane_sum, on_values, zeros};
use crate::blocks::tensors::is_packed;
use candle_core::{D, Layout, Result, Tensor, bail};

/// Divides every row by its root mean square, then scales each feature. No mean is subtracted, and there is no shift.
#[derive(Debug, Clone)]
pub struct RmsNorm {
    weight: Vec<f32>,
    /// Used on a GPU instead of the scale above.
    tensor: Option<Tensor>,
    epsilon: f64,
}

impl RmsNorm {
    /// Builds it from a scale of `n_features`. `epsilon` is added to the mean square.
    pub fn new(weight: &Tensor, epsilon: f64) -> Result<Self> {
        let packed = is_packed(weight);
        Ok(RmsNorm {
            weight: if packed { weight.to_vec1()? } else { Vec::new() },
            tensor: (!packed).then(|| weight.clone()),
            epsilon,
        })
    }

    /// Normalises every row of `x`, which is its last dimension.
    pub fn forward(&self, x: &Tensor) -> Result<Tensor> {
        let Some(weight) = &self.tensor else {
            return on_values([x], |[x], [layout]| self.computed(x, layout));
        };
        let mean_square = x.sqr()?.mean_keepdim(D::Minus1)?;
        let root = (mean_square + self.epsilon)?.sqrt()?;
        x.broadcast_div(&root)?.broadcast_mul(weight)
    }

    /// Normalises plain, concatenated rows; the norm must be packed.
    pub(super) fn rows(&self, x: &[f32], out: &mut [f32]) {
        normalise(x, out, &self.weight, self.epsilon as f32);
    }

    fn computed(&self, x: &[f32], layout: &Layout) -> Output {
        if layout.dims().last() != Some(&self.weight.len()) {
            bail!("a norm of {} features got {:?}", self.weight.len(), layout.shape());
        }
        let mut out = zeros(x.len());
        self.rows(x, &mut out);
        Ok((out, layout.shape().clone()))
    }
}

#[multiversion::multiversion(targets = "simd")]
fn normalise(rows: &[f32], out: &mut [f32], weight: &[f32], epsilon: f32) {
    let n = weight.len();
    for (row, out) in rows.chunks_exact(n).zip(out.chunks_exact_mut(n)) {
        let mean_square = lane_sum(row, |value| value * value) / n as f32;
        let scale = 1.0 / (mean_square + epsilon).sqrt();
        for ((out, value), w) in out.iter_mut().zip(row).zip(weight) {
            *out = value * scale * w;
        }
    }
}
