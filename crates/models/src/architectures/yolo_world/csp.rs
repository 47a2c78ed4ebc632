//! Layers that split their channels, refine one half step by step, and concatenate all steps.

use super::EPSILON;
use super::attention::TextAttention;
use crate::ModelError;
use crate::checkpoint::Checkpoint;
use crate::checkpoint::layers::Kernel;
use candle_core::{Result, Tensor};
use neurogauge_kernels::blocks::{Activation, Convolution, Window, max_pool, sum};

/// A convolution without a bias, its normalisation, and an activation. Its shape is read off the checkpoint.
pub(super) fn convolution(
    checkpoint: &mut Checkpoint,
    name: &str,
    stride: usize,
    activation: Activation,
) -> std::result::Result<Convolution, ModelError> {
    let (weight, norm) = (format!("{name}.conv"), format!("{name}.bn"));
    let kernel = kernel(checkpoint, &weight, stride);
    Ok(checkpoint.convolution_norm(&weight, &norm, kernel, EPSILON)?.then(activation))
}

/// The shape of a convolution. If the tensor is missing, the shape is empty, and taking the tensor reports its name.
pub(super) fn kernel(checkpoint: &Checkpoint, name: &str, stride: usize) -> Kernel {
    match checkpoint.shape_of(&format!("{name}.weight")) {
        Some(&[n_out, n_in, size, _]) => Kernel::square(n_in, n_out, size, stride, size / 2),
        _ => Kernel::square(1, 1, 1, stride, 0),
    }
}

/// Two convolutions, and an optional residual around them.
struct Bottleneck {
    layers: [Convolution; 2],
    is_residual: bool,
}

/// The channels are split in two halves. Bottlenecks refine the second half one after the other, optionally with
/// attention to the names after the last; all results are concatenated.
pub(super) struct Csp {
    main: Convolution,
    bottlenecks: Vec<Bottleneck>,
    attention: Option<TextAttention>,
    last: Convolution,
}

impl Csp {
    pub(super) fn build(
        checkpoint: &mut Checkpoint,
        name: &str,
        attends: bool,
    ) -> std::result::Result<Self, ModelError> {
        let mut part = |part: &str| convolution(checkpoint, &format!("{name}.{part}"), 1, Activation::Silu);
        let main = part("main_conv")?;
        let last = part("final_conv")?;
        let mut bottlenecks = Vec::new();
        for index in 0.. {
            let block = format!("{name}.blocks.{index}");
            if checkpoint.shape_of(&format!("{block}.conv1.conv.weight")).is_none() {
                break;
            }
            let mut layer = |layer: &str| convolution(checkpoint, &format!("{block}.{layer}"), 1, Activation::Silu);
            bottlenecks.push(Bottleneck {
                layers: [layer("conv1")?, layer("conv2")?],
                is_residual: !attends,
            });
        }
        let attention = match attends {
            true => Some(TextAttention::build(checkpoint, &format!("{name}.attn_block"))?),
            false => None,
        };
        Ok(Csp {
            main,
            bottlenecks,
            attention,
            last,
        })
    }

    /// The layer's output for maps whose channels are concatenated.
    pub(super) fn forward(&self, maps: &[Tensor], names: &Tensor) -> Result<Tensor> {
        let x = self.main.forward_beside(maps)?;
        let mut parts = x.chunk(2, 3)?;
        let mut latest = parts[1].contiguous()?;
        for Bottleneck {
            layers: [first, second],
            is_residual,
        } in &self.bottlenecks
        {
            let inner = second.forward(&first.forward(&latest)?)?;
            latest = if *is_residual { sum(&latest, &inner)? } else { inner };
            parts.push(latest.clone());
        }
        if let Some(attention) = &self.attention {
            parts.push(attention.forward(&latest, names)?);
        }
        self.last.forward_beside(&parts)
    }
}

/// Concatenates the map with its maxima over windows of 5, 9 and 13 positions.
pub(super) struct PyramidPool {
    first: Convolution,
    last: Convolution,
}

impl PyramidPool {
    pub(super) fn build(checkpoint: &mut Checkpoint, name: &str) -> std::result::Result<Self, ModelError> {
        let mut part = |part: &str| convolution(checkpoint, &format!("{name}.{part}"), 1, Activation::Silu);
        Ok(PyramidPool {
            first: part("conv1")?,
            last: part("conv2")?,
        })
    }

    pub(super) fn forward(&self, x: &Tensor) -> Result<Tensor> {
        let mut parts = vec![self.first.forward(x)?];
        for step in 0..3 {
            parts.push(max_pool(&parts[step], Window::square(5, 1, 2))?);
        }
        self.last.forward_beside(&parts)
    }
}
