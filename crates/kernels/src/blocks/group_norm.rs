//! Group normalisation.

use crate::blocks::host_values;
use crate::blocks::maps::MapShape;
use crate::blocks::slices::{Output, on_values, zeros};
use crate::blocks::tensors::{TensorGroupNorm, is_packed};
use candle_core::{Layout, Result, Tensor, bail};

/// Normalises each group of channels of a map to mean 0 and variance 1 (population) over all positions, then scales and
/// shifts every channel.
#[derive(Debug, Clone)]
pub struct GroupNorm {
    weight: Vec<f32>,
    bias: Vec<f32>,
    /// Used on a GPU instead of the two above.
    tensors: Option<TensorGroupNorm>,
    n_groups: usize,
    epsilon: f64,
}

impl GroupNorm {
    /// Builds it from scale and shift of each channel.
    pub fn new(weight: &Tensor, bias: &Tensor, n_groups: usize, epsilon: f64) -> Result<Self> {
        let n_channels = weight.dim(0)?;
        if n_groups == 0 || !n_channels.is_multiple_of(n_groups) {
            bail!("{n_channels} channels in {n_groups} groups");
        }
        let tensors = (!is_packed(weight)).then(|| TensorGroupNorm {
            weight: weight.clone(),
            bias: bias.clone(),
            n_groups,
            epsilon,
        });
        Ok(GroupNorm {
            weight: host_values(weight)?,
            bias: host_values(bias)?,
            tensors,
            n_groups,
            epsilon,
        })
    }

    /// Normalises maps of shape (image, row, column, channel), one by one.
    pub fn forward(&self, x: &Tensor) -> Result<Tensor> {
        match &self.tensors {
            Some(tensors) => tensors.forward(x),
            None => on_values([x], |[x], [layout]| self.computed(x, layout)),
        }
    }

    /// The factor and summand of every channel of a map.
    fn affine(&self, map: &[f32]) -> (Vec<f32>, Vec<f32>) {
        let n_channels = self.weight.len();
        let group_width = n_channels / self.n_groups;
        let n = (map.len() / n_channels * group_width) as f64;
        // Column by column in f64, in the order of the map.
        let mut means = vec![0.0_f64; n_channels];
        for place in map.chunks_exact(n_channels) {
            for (sum, &value) in means.iter_mut().zip(place) {
                *sum += f64::from(value);
            }
        }
        for group in means.chunks_exact_mut(group_width) {
            let mean = group.iter().sum::<f64>() / n;
            group.fill(mean);
        }
        let mut squares = vec![0.0_f64; n_channels];
        for place in map.chunks_exact(n_channels) {
            for ((sum, &value), mean) in squares.iter_mut().zip(place).zip(&means) {
                let apart = f64::from(value) - mean;
                *sum += apart * apart;
            }
        }
        for group in squares.chunks_exact_mut(group_width) {
            let variance = group.iter().sum::<f64>() / n;
            group.fill(variance);
        }
        let scales: Vec<f64> = (squares.iter().zip(&self.weight))
            .map(|(variance, &weight)| f64::from(weight) / (variance + self.epsilon).sqrt())
            .collect();
        let shifts = (scales.iter().zip(&means).zip(&self.bias))
            .map(|((scale, mean), &bias)| (f64::from(bias) - mean * scale) as f32)
            .collect();
        (scales.iter().map(|&scale| scale as f32).collect(), shifts)
    }

    fn computed(&self, x: &[f32], layout: &Layout) -> Output {
        let map = MapShape::of(layout, self.weight.len())?;
        let mut out = zeros(x.len());
        let length = map.image_len().max(1);
        for (x, out) in x.chunks_exact(length).zip(out.chunks_exact_mut(length)) {
            let (scales, shifts) = self.affine(x);
            let places = out.chunks_exact_mut(self.weight.len());
            for (out, place) in places.zip(x.chunks_exact(self.weight.len())) {
                for (((out, x), scale), shift) in out.iter_mut().zip(place).zip(&scales).zip(&shifts) {
                    *out = x * scale + shift;
                }
            }
        }
        Ok((out, layout.shape().clone()))
    }
}
