//! Builds the layers from the tensors of a checkpoint.

use super::model::{BLOCKS, Block, CLASSIFIER, GRID, NORM, PATCH_PX, PATCHES, TUBELET_FRAMES, VideoMae, outline};
use crate::ModelError;
use crate::checkpoint::Checkpoint;
use crate::checkpoint::transformer::Projections;
use candle_core::{Result as EngineResult, Tensor};
use neurogauge_kernels::blocks::device::Placement;
use neurogauge_kernels::blocks::{Activation, Linear, Mlp, transposed};

const WIDTH: usize = 768;
const N_HEADS: usize = 12;
const N_INNER: usize = 3072;
const N_CLASSES: usize = 400;
const N_CHANNELS: usize = 3;
/// Epsilon of the norms in the blocks. The norm after them has PyTorch's default.
const EPSILON: f64 = 1e-12;
const LAST_EPSILON: f64 = 1e-5;
/// Frames of the clips in training.
const N_FRAMES: usize = 16;
const BASE: f64 = 10_000.0;

const PROJECTIONS: Projections = Projections::SeparateKeysWithoutBias([
    "attention.attention.query",
    "attention.attention.key",
    "attention.attention.value",
]);

impl VideoMae {
    /// A ViT-B/16 with `n_blocks` blocks; the published one has 12.
    pub(crate) fn build(checkpoint: &mut Checkpoint, n_blocks: usize) -> Result<Self, ModelError> {
        checkpoint.share_rows();
        let blocks = (0..n_blocks).map(|index| block(checkpoint, &format!("{BLOCKS}.{index}")));
        let blocks = blocks.collect::<Result<Vec<_>, ModelError>>()?;
        let placement = checkpoint.placement().clone();
        let n_positions = N_FRAMES / TUBELET_FRAMES * GRID * GRID;
        Ok(VideoMae {
            outline: outline(n_blocks),
            tubelets: tubelets(checkpoint)?,
            positions: checkpoint.arranged(|| positions(n_positions, WIDTH, &placement))?,
            width: WIDTH,
            blocks,
            norm: checkpoint.layer_norm(NORM, WIDTH, LAST_EPSILON)?,
            classifier: checkpoint.linear(CLASSIFIER, WIDTH, N_CLASSES)?,
            placement,
        })
    }
}

/// The convolution over tubelets, which do not overlap, as an affine map of a token's pixels.
fn tubelets(checkpoint: &mut Checkpoint) -> Result<Linear, ModelError> {
    let name = format!("{PATCHES}.projection");
    let shape = [WIDTH, N_CHANNELS, TUBELET_FRAMES, PATCH_PX, PATCH_PX];
    let weight = checkpoint.take(&format!("{name}.weight"), &shape)?;
    let bias = checkpoint.take(&format!("{name}.bias"), &[WIDTH])?;
    checkpoint.arranged(|| {
        let weight = transposed(&weight.flatten_from(2)?)?;
        Ok(Linear::new(&weight.flatten_from(1)?, &bias)?.shared(checkpoint.shares_rows()))
    })
}

fn block(checkpoint: &mut Checkpoint, name: &str) -> Result<Block, ModelError> {
    let part = |part: &str| format!("{name}.{part}");
    let norm = checkpoint.layer_norm(&part("layernorm_before"), WIDTH, EPSILON)?;
    let projections = checkpoint.projections(name, PROJECTIONS, WIDTH)?;
    let scale = 1.0 / ((WIDTH / N_HEADS) as f64).sqrt();
    let query_key_value = checkpoint
        .arranged(|| Ok(Linear::fused_scaling_first(&projections, scale)?.shared(checkpoint.shares_rows())))?;
    let output = checkpoint.linear(&part("attention.output.dense"), WIDTH, WIDTH)?;
    let perceptron_norm = checkpoint.layer_norm(&part("layernorm_after"), WIDTH, EPSILON)?;
    let expand = checkpoint.linear(&part("intermediate.dense"), WIDTH, N_INNER)?;
    let contract = checkpoint.linear(&part("output.dense"), N_INNER, WIDTH)?;
    Ok(Block {
        norm,
        query_key_value,
        output,
        perceptron: Mlp::new(expand, Activation::Gelu, contract).after(perceptron_norm),
        n_heads: N_HEADS,
        is_shared: checkpoint.shares_rows(),
    })
}

/// The sines and cosines of the first `n` positions, in f64 as the reference computes them: features 2i and 2i + 1 of
/// position p are sine and cosine of p / 10000^(2i / `width`).
pub(super) fn positions(n: usize, width: usize, placement: &Placement) -> EngineResult<Tensor> {
    let pairs = (0..width.div_ceil(2)).map(|pair| (2 * pair) as f64 / width as f64);
    let periods: Vec<f64> = pairs.map(|exponent| libm::pow(BASE, exponent)).collect();
    let angles = (0..n).flat_map(|place| periods.iter().map(move |period| place as f64 / period));
    let values = angles.flat_map(|angle| {
        let (sine, cosine) = libm::sincos(angle);
        [sine as f32, cosine as f32]
    });
    placement.tensor(values.collect(), (n, width))
}
