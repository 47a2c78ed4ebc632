//! Depthwise convolution with squeeze and excitation.

use crate::blocks::depthwise::DepthwiseConvolution;
use crate::blocks::linear::Linear;
use crate::blocks::maps::MapShape;
use crate::blocks::slices::{values, zeros};
use candle_core::{CpuStorage, CustomOp1, Layout, Result, Shape, Tensor};

/// A depthwise convolution whose output channels are weighted by what two affine maps make of their
/// means over the map (Hu et al. 2018).
#[derive(Debug, Clone)]
pub(crate) struct SqueezeExcite {
    depthwise: DepthwiseConvolution,
    squeeze: Linear,
    excite: Linear,
}

impl SqueezeExcite {
    /// The maps with their activations.
    pub(crate) fn new(depthwise: DepthwiseConvolution, squeeze: Linear, excite: Linear) -> Self {
        SqueezeExcite {
            depthwise,
            squeeze,
            excite,
        }
    }

    /// The output for maps of (image, row, column, channel).
    pub(crate) fn forward(&self, x: &Tensor) -> Result<Tensor> {
        x.apply_op1_no_bwd(self)
    }
}

impl CustomOp1 for SqueezeExcite {
    fn name(&self) -> &'static str {
        "squeeze-excite"
    }

    fn cpu_fwd(&self, x: &CpuStorage, layout: &Layout) -> Result<(CpuStorage, Shape)> {
        let n = self.depthwise.n_channels();
        let map = MapShape::of(layout, n)?;
        let output = self.depthwise.output(&map)?;
        let x = values(x, layout)?;
        let mut out = zeros(output.len());
        if output.len() > 0 {
            let mut row_sums = zeros(n);
            let images = x.chunks_exact(map.image_len());
            for (image, out) in images.zip(out.chunks_exact_mut(output.image_len())) {
                let mut means = zeros(n);
                let count = |row: &[f32]| add_row(row, &mut row_sums, &mut means);
                self.depthwise.image(&map, &output, image, out, count);
                let n_places = (output.height * output.width) as f32;
                for mean in &mut means {
                    *mean /= n_places;
                }
                let squeezed = self.squeeze.rows(&means, None);
                scale(out, &self.excite.rows(&squeezed, None));
            }
        }
        Ok((CpuStorage::F32(out), output.dims().into()))
    }
}

/// Adds the pixels of a row up, and the result to `sums`: so rounding errors grow with the sides of the
/// map, not with its area.
#[multiversion::multiversion(targets = "simd")]
fn add_row(row: &[f32], row_sums: &mut [f32], sums: &mut [f32]) {
    row_sums.fill(0.0);
    for pixel in row.chunks_exact(row_sums.len()) {
        for (sum, value) in row_sums.iter_mut().zip(pixel) {
            *sum += value;
        }
    }
    for (sum, value) in sums.iter_mut().zip(row_sums) {
        *sum += *value;
    }
}

/// Multiplies every pixel by the weights of the channels.
#[multiversion::multiversion(targets = "simd")]
fn scale(pixels: &mut [f32], weights: &[f32]) {
    for pixel in pixels.chunks_exact_mut(weights.len()) {
        for (value, weight) in pixel.iter_mut().zip(weights) {
            *value *= weight;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::blocks::Activation;
    use candle_core::Device;

    /// Two channels, a window of one pixel: the weights of the channels follow from their means by hand.
    #[test]
    fn channels_are_weighted_by_their_means() {
        let tensor = |values: &[f32], shape: &[usize]| {
            Tensor::from_slice(values, shape, &Device::Cpu).unwrap()
        };
        let depthwise = DepthwiseConvolution::new(
            &tensor(&[1.0, 2.0], &[2, 1, 1, 1]),
            &tensor(&[0.0, 1.0], &[2]),
            1,
            0,
            Activation::Identity,
        );
        let squeeze = Linear::without_bias(&tensor(&[1.0, 1.0], &[1, 2])).unwrap();
        let excite = Linear::new(&tensor(&[1.0, -1.0], &[2, 1]), &tensor(&[0.0, 12.0], &[2]));
        let layer = SqueezeExcite::new(depthwise.unwrap(), squeeze, excite.unwrap());
        // Channel 0 is 1 and 3, channel 1 is 2 * (2 and 4) + 1: means 2 and 7, of which the sum is 9.
        let x = tensor(&[1.0, 2.0, 3.0, 4.0], &[1, 1, 2, 2]);
        let y = layer.forward(&x).unwrap().flatten_all().unwrap();
        assert_eq!(y.to_vec1::<f32>().unwrap(), [9.0, 15.0, 27.0, 27.0]);
    }
}
