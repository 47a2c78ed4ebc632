//! One layer with random weights and an input, for `examples/hot_paths` of the facade.

use crate::KernelError;
use crate::blocks::{
    Activation, Convolution, DepthwiseConvolution, LayerNorm, Linear, Mlp, NoBias, SelfAttention, Sequences,
    log_softmax,
};
use candle_core::{Device, Result, Tensor};
use neurogauge_core::synthetic::parameter;

/// A convolution of square maps with a square kernel, padded so that stride 1 keeps their size.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct MapLayer {
    pub kernel: usize,
    pub stride: usize,
    pub n_in: usize,
    /// As many as `n_in` for a depthwise convolution.
    pub n_out: usize,
    pub size_px: usize,
    pub n_images: usize,
}

/// The computation of a [`Layer`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LayerKind {
    Convolution(MapLayer),
    /// On each channel alone.
    Depthwise(MapLayer),
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
        ("convolution-3x3", LayerKind::Convolution(of_one_image(3, 1, 32, 32, 28))),
        ("convolution-7x7", LayerKind::Convolution(of_one_image(7, 2, 3, 32, 112))),
        ("depthwise-convolution", LayerKind::Depthwise(of_one_image(3, 1, 96, 96, 28))),
        ("self-attention", LayerKind::SelfAttention),
        ("layer-norm", LayerKind::LayerNorm),
        ("mlp", LayerKind::Mlp),
        ("log-softmax", LayerKind::LogSoftmax),
    ];
}

const fn of_one_image(kernel: usize, stride: usize, n_in: usize, n_out: usize, size_px: usize) -> MapLayer {
    MapLayer {
        kernel,
        stride,
        n_in,
        n_out,
        size_px,
        n_images: 1,
    }
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
            LayerKind::Convolution(of) => {
                let (weight, bias) = of.parameters(of.n_in)?;
                let convolution = Convolution::new(&weight, &bias, of.stride, (of.kernel / 2, of.kernel / 2), 1)?;
                Layer::of(&of.input(), move |x| convolution.forward(x))?
            }
            LayerKind::Depthwise(of) => {
                let (weight, bias) = of.parameters(1)?;
                let convolution =
                    DepthwiseConvolution::new(&weight, &bias, of.stride, of.kernel / 2, Activation::Relu)?;
                Layer::of(&of.input(), move |x| convolution.forward(x))?
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

impl MapLayer {
    /// Weights that read this many channels, and biases.
    fn parameters(&self, n_read: usize) -> Result<(Tensor, Tensor)> {
        let weight = random("weight", &[self.n_out, n_read, self.kernel, self.kernel])?;
        Ok((weight, random("bias", &[self.n_out])?))
    }

    fn input(&self) -> [usize; 4] {
        [self.n_images, self.size_px, self.size_px, self.n_in]
    }
}

fn random(name: &str, shape: &[usize]) -> Result<Tensor> {
    Tensor::from_vec(parameter(name, shape, 0), shape, &Device::Cpu)
}

fn linear(name: &str, n_in: usize, n_out: usize) -> Result<Linear> {
    Linear::new(&random(name, &[n_out, n_in])?, &random("bias", &[n_out])?)
}
