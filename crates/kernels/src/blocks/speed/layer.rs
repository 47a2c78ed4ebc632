//! One layer with random weights and an input, for `examples/hot_paths` of the facade.

use crate::KernelError;
use crate::blocks::{
    Activation, Convolution, DepthwiseConvolution, LayerNorm, Linear, Mlp, NoBias, SelfAttention, Sequences,
    log_softmax,
};
use candle_core::{Device, Result, Tensor};
use neurogauge_core::synthetic::parameter;

/// The computation of a [`Layer`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LayerKind {
    /// 3 x 3 with stride 1, from 32 channels to 32, on a map of 28 x 28.
    Convolution3x3,
    /// 7 x 7 with stride 2, from 3 channels to 32, on an image of 112 x 112.
    Convolution7x7,
    /// 3 x 3 on each of 96 channels of a map of 28 x 28.
    Depthwise,
    /// Eight heads over two sequences of 65 tokens of 256 features.
    SelfAttention,
    /// 130 rows of 768 features.
    LayerNorm,
    /// From 256 features to 1024, GELU, and back, for 65 rows.
    Mlp,
    /// 30,522 logits.
    LogSoftmax,
}

impl LayerKind {
    /// All kinds with their names.
    pub const ALL: [(&'static str, LayerKind); 7] = [
        ("convolution-3x3", LayerKind::Convolution3x3),
        ("convolution-7x7", LayerKind::Convolution7x7),
        ("depthwise-convolution", LayerKind::Depthwise),
        ("self-attention", LayerKind::SelfAttention),
        ("layer-norm", LayerKind::LayerNorm),
        ("mlp", LayerKind::Mlp),
        ("log-softmax", LayerKind::LogSoftmax),
    ];
}

type Forward = Box<dyn Fn(&Tensor) -> Result<Tensor>>;

/// A layer in f32 on the CPU, with random weights and an input.
pub struct Layer {
    forward: Forward,
    input: Tensor,
}

impl std::fmt::Debug for Layer {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Layer").field("input", &self.input.shape()).finish_non_exhaustive()
    }
}

impl Layer {
    /// Weights and input are the same every time.
    ///
    /// # Errors
    /// [`KernelError::Engine`].
    pub fn new(kind: LayerKind) -> std::result::Result<Self, KernelError> {
        Self::built(kind).map_err(KernelError::engine("a single layer", "the layer"))
    }

    /// Computes the layer once. Returns the first value of the output.
    ///
    /// # Errors
    /// [`KernelError::Engine`].
    ///
    /// ```
    /// use neurogauge_kernels::speed::{Layer, LayerKind};
    /// for (name, kind) in LayerKind::ALL {
    ///     let layer = Layer::new(kind)?;
    ///     let first = layer.first_value()?;
    ///     assert!(first.is_finite(), "{name}");
    ///     assert_eq!(layer.first_value()?, first, "{name}");
    /// }
    /// # Ok::<(), neurogauge_kernels::KernelError>(())
    /// ```
    pub fn first_value(&self) -> std::result::Result<f32, KernelError> {
        let first = || (self.forward)(&self.input)?.flatten_all()?.get(0)?.to_scalar();
        first().map_err(KernelError::engine("a single layer", "the layer"))
    }

    fn built(kind: LayerKind) -> Result<Self> {
        Ok(match kind {
            LayerKind::Convolution3x3 => {
                let convolution = convolution([32, 32, 3, 3], 1, (1, 1))?;
                Layer::of(&[1, 28, 28, 32], move |x| convolution.forward(x))?
            }
            LayerKind::Convolution7x7 => {
                let convolution = convolution([32, 3, 7, 7], 2, (3, 3))?;
                Layer::of(&[1, 112, 112, 3], move |x| convolution.forward(x))?
            }
            LayerKind::Depthwise => {
                let (weight, bias) = (random("weight", &[96, 1, 3, 3])?, random("bias", &[96])?);
                let convolution = DepthwiseConvolution::new(&weight, &bias, 1, 1, Activation::Relu)?;
                Layer::of(&[1, 28, 28, 96], move |x| convolution.forward(x))?
            }
            LayerKind::SelfAttention => {
                let map =
                    |name: &str| Ok::<_, candle_core::Error>((random(name, &[256, 256])?, random("bias", &[256])?));
                let maps = [map("query")?, map("key")?, map("value")?];
                let attention = SelfAttention::new(maps, linear("output", 256, 256)?, 8)?;
                let sequences = Sequences::new([65, 65]);
                Layer::of(&[130, 256], move |x| attention.forward_residual(x, &sequences, &NoBias, x))?
            }
            LayerKind::LayerNorm => {
                let (weight, bias) = (random("weight", &[768])?, random("bias", &[768])?);
                let norm = LayerNorm::new(&weight, &bias, 1e-5)?;
                Layer::of(&[130, 768], move |x| norm.forward(x))?
            }
            LayerKind::Mlp => {
                let (expand, contract) = (linear("expand", 256, 1024)?, linear("contract", 1024, 256)?);
                let mlp = Mlp::new(expand, Activation::Gelu, contract);
                Layer::of(&[65, 256], move |x| mlp.forward_residual(x, x))?
            }
            LayerKind::LogSoftmax => Layer::of(&[30_522], |x| {
                let mut logits = x.to_vec1::<f32>()?;
                log_softmax(&mut logits);
                Tensor::new(logits, &Device::Cpu)
            })?,
        })
    }

    fn of(shape: &[usize], forward: impl Fn(&Tensor) -> Result<Tensor> + 'static) -> Result<Self> {
        Ok(Layer {
            forward: Box::new(forward),
            input: random("input", shape)?,
        })
    }
}

fn random(name: &str, shape: &[usize]) -> Result<Tensor> {
    Tensor::from_vec(parameter(name, shape, 0), shape, &Device::Cpu)
}

fn linear(name: &str, n_in: usize, n_out: usize) -> Result<Linear> {
    Linear::new(&random(name, &[n_out, n_in])?, &random("bias", &[n_out])?)
}

fn convolution(shape: [usize; 4], stride: usize, padding: (usize, usize)) -> Result<Convolution> {
    let (weight, bias) = (random("weight", &shape)?, random("bias", &shape[..1])?);
    Convolution::new(&weight, &bias, stride, padding, 1)
}
