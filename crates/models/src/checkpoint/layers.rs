//! Builds layers from the tensors of a checkpoint, under the names that PyTorch modules give their parameters
//! (`NAME.weight`, `NAME.bias`, `NAME.running_mean`, ...).

use crate::ModelError;
use crate::checkpoint::Checkpoint;
use candle_core::{Result as EngineResult, Tensor, bail};
use neurogauge_kernels::blocks::{
    Activation, Convolution, DepthwiseConvolution, GroupNorm, LayerNorm, Linear, RmsNorm, WideLinear, host_values,
    scaled_rows,
};

/// The shape of a convolution.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Kernel {
    pub(crate) n_in: usize,
    pub(crate) n_out: usize,
    /// Rows and columns.
    pub(crate) size: (usize, usize),
    pub(crate) stride: usize,
    /// Rows and columns on each side.
    pub(crate) padding: (usize, usize),
}

impl Kernel {
    /// A kernel with as many rows as columns.
    pub(crate) const fn square(n_in: usize, n_out: usize, size: usize, stride: usize, padding: usize) -> Kernel {
        Kernel {
            n_in,
            n_out,
            size: (size, size),
            stride,
            padding: (padding, padding),
        }
    }
}

/// Is the tensor used only for training, so that it may be left over?
pub(crate) fn only_for_training(name: &str) -> bool {
    name.ends_with("num_batches_tracked")
}

impl Checkpoint {
    /// A convolution with a bias.
    pub(crate) fn convolution(&mut self, name: &str, kernel: Kernel) -> Result<Convolution, ModelError> {
        let weight = self.kernel(name, kernel)?;
        let bias = self.take(&format!("{name}.bias"), &[kernel.n_out])?;
        self.arranged(|| Convolution::new(&weight, &bias, kernel.stride, kernel.padding, 1))
    }

    pub(crate) fn convolution_without_bias(&mut self, name: &str, kernel: Kernel) -> Result<Convolution, ModelError> {
        let weight = self.kernel(name, kernel)?;
        let bias = vec![0.0_f32; kernel.n_out];
        self.arranged(|| {
            let bias = self.placement().tensor(bias, kernel.n_out)?;
            Convolution::new(&weight, &bias, kernel.stride, kernel.padding, 1)
        })
    }

    /// A convolution without a bias and the batch normalisation after it, folded into one.
    pub(crate) fn convolution_norm(
        &mut self,
        name: &str,
        norm: &str,
        kernel: Kernel,
        epsilon: f64,
    ) -> Result<Convolution, ModelError> {
        let weight = self.kernel(name, kernel)?;
        let (weight, bias) = self.folded(&weight, norm, epsilon)?;
        self.arranged(|| Convolution::new(&weight, &bias, kernel.stride, kernel.padding, 1))
    }

    /// Like `convolution_norm`, and folds in an affine map of each input channel (scale, shift) before the convolution.
    /// There must be no padding, since the map does not apply to its zeros.
    pub(crate) fn affine_convolution_norm(
        &mut self,
        input: &[(f64, f64)],
        name: &str,
        norm: &str,
        kernel: Kernel,
        epsilon: f64,
    ) -> Result<Convolution, ModelError> {
        let weight = self.kernel(name, kernel)?;
        let (weight, bias) = self.folded(&weight, norm, epsilon)?;
        self.arranged(|| {
            if kernel.padding != (0, 0) {
                bail!("an affine map cannot be folded into a convolution with padding");
            }
            let n_taps = kernel.size.0 * kernel.size.1;
            let (mut weight, mut bias) = (host_values(&weight)?, host_values(&bias)?);
            for (weights, bias) in weight.chunks_exact_mut(kernel.n_in * n_taps).zip(&mut bias) {
                let mut sum = f64::from(*bias);
                for (weights, (scale, shift)) in weights.chunks_exact_mut(n_taps).zip(input) {
                    for weight in weights {
                        let wide = f64::from(*weight);
                        sum += wide * shift;
                        *weight = (wide * scale) as f32;
                    }
                }
                *bias = sum as f32;
            }
            let shape = (kernel.n_out, kernel.n_in, kernel.size.0, kernel.size.1);
            let weight = self.placement().tensor(weight, shape)?;
            let bias = self.placement().tensor(bias, kernel.n_out)?;
            Convolution::new(&weight, &bias, kernel.stride, (0, 0), 1)
        })
    }

    /// A depthwise convolution without a bias, the batch normalisation after it, and an activation.
    pub(crate) fn depthwise_norm(
        &mut self,
        name: &str,
        norm: &str,
        kernel: Kernel,
        epsilon: f64,
        activation: Activation,
    ) -> Result<DepthwiseConvolution, ModelError> {
        let weight = self.kernel(name, Kernel { n_in: 1, ..kernel })?;
        let (weight, bias) = self.folded(&weight, norm, epsilon)?;
        let (stride, padding) = (kernel.stride, kernel.padding.0);
        self.arranged(|| DepthwiseConvolution::new(&weight, &bias, stride, padding, activation))
    }

    /// A depthwise convolution with a bias.
    pub(crate) fn depthwise(&mut self, name: &str, kernel: Kernel) -> Result<DepthwiseConvolution, ModelError> {
        let weight = self.kernel(name, Kernel { n_in: 1, ..kernel })?;
        let bias = self.take(&format!("{name}.bias"), &[kernel.n_out])?;
        let (stride, padding) = (kernel.stride, kernel.padding.0);
        let plain = Activation::Identity;
        self.arranged(|| DepthwiseConvolution::new(&weight, &bias, stride, padding, plain))
    }

    /// An affine map.
    pub(crate) fn linear(&mut self, name: &str, n_in: usize, n_out: usize) -> Result<Linear, ModelError> {
        let (weight, bias) = self.weight_and_bias(name, n_in, n_out)?;
        self.arranged(|| Ok(Linear::new(&weight, &bias)?.shared(self.shares_rows())))
    }

    /// An affine map that is computed in parts.
    pub(crate) fn wide_linear(&mut self, name: &str, n_in: usize, n_out: usize) -> Result<WideLinear, ModelError> {
        let (weight, bias) = self.weight_and_bias(name, n_in, n_out)?;
        self.arranged(|| WideLinear::new(&weight, &bias))
    }

    /// An affine map computed in parts of `part` output features each.
    pub(crate) fn wide_linear_in_parts(
        &mut self,
        name: &str,
        n_in: usize,
        n_out: usize,
        part: usize,
    ) -> Result<WideLinear, ModelError> {
        let (weight, bias) = self.weight_and_bias(name, n_in, n_out)?;
        self.arranged(|| WideLinear::in_parts(&weight, &bias, part))
    }

    /// An affine map that the checkpoint stores as a 1 x 1 convolution.
    pub(crate) fn linear_of_point(&mut self, name: &str, n_in: usize, n_out: usize) -> Result<Linear, ModelError> {
        let weight = self.kernel(name, Kernel::square(n_in, n_out, 1, 1, 0))?;
        let bias = self.take(&format!("{name}.bias"), &[n_out])?;
        self.arranged(|| Ok(Linear::new(&weight.flatten_from(1)?, &bias)?.shared(self.shares_rows())))
    }

    /// Weight and bias of an affine map.
    pub(crate) fn weight_and_bias(
        &mut self,
        name: &str,
        n_in: usize,
        n_out: usize,
    ) -> Result<(Tensor, Tensor), ModelError> {
        let weight = self.take(&format!("{name}.weight"), &[n_out, n_in])?;
        let bias = self.take(&format!("{name}.bias"), &[n_out])?;
        Ok((weight, bias))
    }

    pub(crate) fn layer_norm(&mut self, name: &str, n_features: usize, epsilon: f64) -> Result<LayerNorm, ModelError> {
        let weight = self.take(&format!("{name}.weight"), &[n_features])?;
        let bias = self.take(&format!("{name}.bias"), &[n_features])?;
        let epsilon = self.epsilon(name, epsilon);
        self.arranged(|| Ok(LayerNorm::new(&weight, &bias, epsilon)?.shared(self.shares_rows())))
    }

    /// A root mean square normalisation.
    pub(crate) fn rms_norm(&mut self, name: &str, n_features: usize, epsilon: f64) -> Result<RmsNorm, ModelError> {
        let weight = self.take(&format!("{name}.weight"), &[n_features])?;
        self.arranged(|| RmsNorm::new(&weight, epsilon))
    }

    pub(crate) fn group_norm(
        &mut self,
        name: &str,
        n_channels: usize,
        n_groups: usize,
        epsilon: f64,
    ) -> Result<GroupNorm, ModelError> {
        let weight = self.take(&format!("{name}.weight"), &[n_channels])?;
        let bias = self.take(&format!("{name}.bias"), &[n_channels])?;
        self.arranged(|| GroupNorm::new(&weight, &bias, n_groups, epsilon))
    }

    /// Do all threads share the rows of each layer?
    pub(crate) fn shares_rows(&self) -> bool {
        self.placement().shares_rows()
    }

    /// Arranges tensors into layers. Errors get the architecture's name; maps multiply in the checkpoint's precision.
    pub(crate) fn arranged<T>(&self, arrange: impl FnOnce() -> EngineResult<T>) -> Result<T, ModelError> {
        self.products()
            .arranging(arrange)
            .map_err(ModelError::engine(self.architecture(), "arranging the weights"))
    }

    fn kernel(&mut self, name: &str, kernel: Kernel) -> Result<Tensor, ModelError> {
        let (height, width) = kernel.size;
        let shape = [kernel.n_out, kernel.n_in, height, width];
        self.take(&format!("{name}.weight"), &shape)
    }

    /// Folds a convolution without bias and its batch normalisation into one weight and bias.
    fn folded(&mut self, weight: &Tensor, norm: &str, epsilon: f64) -> Result<(Tensor, Tensor), ModelError> {
        let n_out = weight.dims()[0];
        let mut vector =
            |part: &str| -> Result<Vec<f32>, ModelError> { self.take_values(&format!("{norm}.{part}"), &[n_out]) };
        let (gain, shift) = (vector("weight")?, vector("bias")?);
        let (mean, variance) = (vector("running_mean")?, vector("running_var")?);
        let epsilon = self.epsilon(norm, epsilon);
        let scale: Vec<f64> = (gain.iter().zip(&variance))
            .map(|(&gain, &variance)| f64::from(gain) / (f64::from(variance) + epsilon).sqrt())
            .collect();
        let bias: Vec<f32> = (shift.iter().zip(&mean).zip(&scale))
            .map(|((&shift, &mean), scale)| (f64::from(shift) - f64::from(mean) * scale) as f32)
            .collect();
        self.arranged(|| {
            let scale: Vec<f32> = scale.iter().map(|&scale| scale as f32).collect();
            let scale = self.placement().tensor(scale, n_out)?;
            let bias = self.placement().tensor(bias, n_out)?;
            Ok((scaled_rows(weight, &scale)?, bias))
        })
    }
}
