//! Group normalisation.

use crate::blocks::host_values;
use crate::blocks::maps::MapShape;
use crate::blocks::slices::{values, zeros};
use crate::blocks::tensors::{TensorGroupNorm, is_packed};
use candle_core::{CpuStorage, CustomOp1, Layout, Result, Shape, Tensor, bail};

/// Brings each group of channels of a map to mean 0 and variance 1 (population) over all places, then scales and
/// shifts every channel.
#[derive(Debug, Clone)]
pub(crate) struct GroupNorm {
    weight: Vec<f32>,
    bias: Vec<f32>,
    /// In place of the two above, where they are elsewhere.
    tensors: Option<TensorGroupNorm>,
    n_groups: usize,
    epsilon: f64,
}

impl GroupNorm {
    /// From scale and shift of each channel.
    pub(crate) fn new(
        weight: &Tensor,
        bias: &Tensor,
        n_groups: usize,
        epsilon: f64,
    ) -> Result<Self> {
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

    /// Normalises maps of (image, row, column, channel), one by one.
    pub(crate) fn forward(&self, x: &Tensor) -> Result<Tensor> {
        match &self.tensors {
            Some(tensors) => tensors.forward(x),
            None => x.apply_op1_no_bwd(self),
        }
    }

    /// The factor and the summand of every channel of one map.
    fn affine(&self, map: &[f32]) -> (Vec<f32>, Vec<f32>) {
        let n_channels = self.weight.len();
        let group_width = n_channels / self.n_groups;
        let n = (map.len() / n_channels * group_width) as f64;
        // Column by column in wide numbers, in the order of the map.
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
}

impl CustomOp1 for GroupNorm {
    fn name(&self) -> &'static str {
        "group-norm"
    }

    fn cpu_fwd(&self, x: &CpuStorage, layout: &Layout) -> Result<(CpuStorage, Shape)> {
        let map = MapShape::of(layout, self.weight.len())?;
        let x = values(x, layout)?;
        let mut out = zeros(x.len());
        let length = map.image_len().max(1);
        for (x, out) in x.chunks_exact(length).zip(out.chunks_exact_mut(length)) {
            let (scales, shifts) = self.affine(x);
            let places = out.chunks_exact_mut(self.weight.len());
            for (out, place) in places.zip(x.chunks_exact(self.weight.len())) {
                for (((out, x), scale), shift) in
                    out.iter_mut().zip(place).zip(&scales).zip(&shifts)
                {
                    *out = x * scale + shift;
                }
            }
        }
        Ok((CpuStorage::F32(out), layout.shape().clone()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use candle_core::Device;

    /// Two places, two groups of two channels: (1, 3, 5, 7) and (10, 10, 10, 20).
    #[test]
    fn groups_are_normalised_over_all_places() -> Result<()> {
        let cpu = &Device::Cpu;
        let norm = GroupNorm::new(
            &Tensor::new(&[1_f32, 1.0, 1.0, 2.0], cpu)?,
            &Tensor::new(&[0_f32, 0.0, 0.0, 1.0], cpu)?,
            2,
            0.0,
        )?;
        let x = Tensor::new(&[1_f32, 3.0, 10.0, 10.0, 5.0, 7.0, 10.0, 20.0], cpu)?;
        let y = norm.forward(&x.reshape((1, 1, 2, 4))?)?;
        let (a, b) = (5_f32.sqrt(), 18.75_f32.sqrt());
        let expected = [
            -3.0 / a,
            -1.0 / a,
            -2.5 / b,
            -2.0 * 2.5 / b + 1.0,
            1.0 / a,
            3.0 / a,
            -2.5 / b,
            2.0 * 7.5 / b + 1.0,
        ];
        for (value, expected) in y.flatten_all()?.to_vec1::<f32>()?.iter().zip(expected) {
            assert!((value - expected).abs() < 1e-6, "{value} {expected}");
        }
        assert!(GroupNorm::new(&Tensor::new(&[1_f32; 3], cpu)?, &x, 2, 0.0).is_err());
        Ok(())
    }
}
