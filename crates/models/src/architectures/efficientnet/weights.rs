//! Builds the network from torchvision's tensor names.

use super::config::{EPSILON, HEAD_CHANNELS, N_CLASSES, SQUEEZE, STAGES, STEM_CHANNELS, Stage};
use super::model::EfficientNet;
use crate::ModelError;
use crate::checkpoint::Checkpoint;
use crate::checkpoint::layers::Kernel;
use crate::network::{Layer, LayerKind, Outline, Sides};
use neurogauge_kernels::blocks::{Activation, Convolution, InvertedBottleneck, SqueezeExcite};

impl EfficientNet {
    pub(crate) fn build(checkpoint: &mut Checkpoint) -> Result<Self, ModelError> {
        let map = |name: &str| Layer::new(name, LayerKind::Map);
        let mut layers = vec![map("features.0")];
        let stem = Kernel::square(3, STEM_CHANNELS, 3, 2, 1);
        let stem = convolution(checkpoint, "features.0", stem)?;
        let mut stages = Vec::new();
        let mut n_in = STEM_CHANNELS;
        for (index, stage) in STAGES.iter().enumerate() {
            let name = format!("features.{}", index + 1);
            let mut blocks = Vec::new();
            for block_index in 0..stage.n_blocks {
                let block_name = format!("{name}.{block_index}");
                let stride = if block_index == 0 { stage.stride } else { 1 };
                layers.push(map(&block_name));
                let block = block(checkpoint, &block_name, *stage, n_in, stride)?;
                blocks.push((block_name, block));
                n_in = stage.n_out;
            }
            layers.push(map(&name));
            stages.push(blocks);
        }
        let name = format!("features.{}", STAGES.len() + 1);
        let head = Kernel::square(n_in, HEAD_CHANNELS, 1, 1, 0);
        let head = convolution(checkpoint, &name, head)?;
        layers.push(map(&name));
        layers.push(Layer::new("avgpool", LayerKind::Vector));
        layers.push(Layer::new("classifier.1", LayerKind::Vector));
        Ok(EfficientNet {
            outline: Outline::new("EfficientNet-B1", Sides::AtLeast(1), layers),
            stem: stem.then(Activation::Silu),
            stages,
            head: head.then(Activation::Silu),
            classifier: checkpoint.linear("classifier.1", HEAD_CHANNELS, N_CLASSES)?,
        })
    }
}

fn block(
    checkpoint: &mut Checkpoint,
    name: &str,
    stage: Stage,
    n_in: usize,
    stride: usize,
) -> Result<InvertedBottleneck, ModelError> {
    let n_inner = n_in * stage.expansion;
    let mut n_parts = 0;
    let mut part = || {
        n_parts += 1;
        format!("{name}.block.{}", n_parts - 1)
    };
    let expand = if stage.expansion > 1 {
        let kernel = Kernel::square(n_in, n_inner, 1, 1, 0);
        Some(convolution(checkpoint, &part(), kernel)?.then(Activation::Silu))
    } else {
        None
    };
    let kernel = Kernel::square(n_inner, n_inner, stage.size, stride, stage.size / 2);
    let (weight, norm) = names(&part());
    let depthwise = checkpoint.depthwise_norm(&weight, &norm, kernel, EPSILON, Activation::Silu)?;
    let squeezing = part();
    let n_squeezed = (n_in / SQUEEZE).max(1);
    let squeeze = checkpoint.linear_of_point(&format!("{squeezing}.fc1"), n_inner, n_squeezed)?;
    let excite = checkpoint.linear_of_point(&format!("{squeezing}.fc2"), n_squeezed, n_inner)?;
    let weigh = SqueezeExcite::new(squeeze.then(Activation::Silu), excite.then(Activation::Sigmoid));
    let project = Kernel::square(n_inner, stage.n_out, 1, 1, 0);
    let project = convolution(checkpoint, &part(), project)?;
    let residual = stride == 1 && n_in == stage.n_out;
    checkpoint.arranged(|| InvertedBottleneck::new(expand, depthwise, weigh, project, residual))
}

/// `Conv2dNormActivation` without its activation.
fn convolution(checkpoint: &mut Checkpoint, name: &str, kernel: Kernel) -> Result<Convolution, ModelError> {
    let (weight, norm) = names(name);
    checkpoint.convolution_norm(&weight, &norm, kernel, EPSILON)
}

/// Names of the convolution and its normalisation.
fn names(name: &str) -> (String, String) {
    (format!("{name}.0"), format!("{name}.1"))
}
