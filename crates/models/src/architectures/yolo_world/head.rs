//! The head: how well each position fits each name, and the box of each position.

use super::EPSILON;
use super::csp::{convolution, kernel};
use crate::ModelError;
use crate::checkpoint::Checkpoint;
use candle_core::{D, Result, Tensor};
use neurogauge_kernels::blocks::{Activation, Convolution, host_values};

/// The distance to a side is the mean of a distribution over 0 to 15 steps of the map.
const N_BINS: usize = 16;

/// The outputs of all positions of an image, level by level and row by row.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Places {
    /// One logit for each position and name.
    pub(super) logits: Vec<f32>,
    pub(super) n_names: usize,
    /// Steps of the map from the position's centre to the left, upper, right and lower side of its box.
    pub(super) distances: Vec<[f32; 4]>,
    /// Rows and columns of each level's map.
    pub(super) maps: Vec<(usize, usize)>,
}

/// Two convolutions, and a third that gives the output.
struct Branch {
    layers: [Convolution; 2],
    last: Convolution,
}

impl Branch {
    fn build(checkpoint: &mut Checkpoint, name: &str) -> std::result::Result<Self, ModelError> {
        let mut layer = |index: usize| convolution(checkpoint, &format!("{name}.{index}"), 1, Activation::Silu);
        let layers = [layer(0)?, layer(1)?];
        let last = format!("{name}.2");
        let shape = kernel(checkpoint, &last, 1);
        Ok(Branch {
            layers,
            last: checkpoint.convolution(&last, shape)?,
        })
    }

    /// Shape (position, channel).
    fn forward(&self, x: &Tensor) -> Result<Tensor> {
        let [first, second] = &self.layers;
        self.last.forward(&second.forward(&first.forward(x)?)?)?.flatten_to(2)
    }
}

/// The normalisation of a position's embedding, and the scale and shift of its product with a name. Both are applied to
/// the names, because there are fewer names than positions.
struct Contrast {
    /// The scale of each feature, including the factor of the products.
    scale: Vec<f32>,
    /// The shift of each feature, including the factor of the products.
    shift: Vec<f32>,
    bias: f32,
}

impl Contrast {
    fn build(checkpoint: &mut Checkpoint, name: &str) -> std::result::Result<Self, ModelError> {
        let norm = format!("{name}.norm");
        let n = match checkpoint.shape_of(&format!("{norm}.weight")) {
            Some(&[n]) => n,
            _ => 1,
        };
        let mut part = |part: &str| checkpoint.take_values(&format!("{norm}.{part}"), &[n]);
        let (weight, bias) = (part("weight")?, part("bias")?);
        let (mean, variance) = (part("running_mean")?, part("running_var")?);
        let factor = checkpoint.take_values(&format!("{name}.logit_scale"), &[])?;
        let factor = f64::from(factor.first().copied().unwrap_or_default()).exp();
        let own = checkpoint.take_values(&format!("{name}.bias"), &[])?;
        let scales = weight.iter().zip(&variance);
        let scales: Vec<f64> = scales
            .map(|(&weight, &variance)| f64::from(weight) / (f64::from(variance) + EPSILON).sqrt())
            .collect();
        let shifts = bias.iter().zip(&mean).zip(&scales);
        let shift = |((&bias, &mean), scale): ((&f32, &f32), &f64)| {
            (factor * (f64::from(bias) - f64::from(mean) * scale)) as f32
        };
        Ok(Contrast {
            shift: shifts.map(shift).collect(),
            scale: scales.iter().map(|scale| (factor * scale) as f32).collect(),
            bias: own.first().copied().unwrap_or_default(),
        })
    }

    /// Logits of shape (position, name), from features of shape (position, feature) and the names.
    fn forward(&self, x: &Tensor, names: &Tensor) -> Result<Tensor> {
        let like = |values: &[f32]| Tensor::new(values, x.device())?.to_dtype(names.dtype());
        let scaled = names.broadcast_mul(&like(&self.scale)?)?;
        let moved = names.broadcast_mul(&like(&self.shift)?)?.sum(D::Minus1)?;
        let moved = (moved + f64::from(self.bias))?;
        x.matmul(&scaled.t()?)?.broadcast_add(&moved)
    }
}

/// The heads of the three levels.
pub(super) struct Head {
    levels: Vec<(Branch, Contrast, Branch)>,
}

impl Head {
    pub(super) fn build(checkpoint: &mut Checkpoint) -> std::result::Result<Self, ModelError> {
        let mut levels = Vec::new();
        for level in 0..3 {
            let name = |part: &str| format!("bbox_head.head_module.{part}.{level}");
            levels.push((
                Branch::build(checkpoint, &name("cls_preds"))?,
                Contrast::build(checkpoint, &name("cls_contrasts"))?,
                Branch::build(checkpoint, &name("reg_preds"))?,
            ));
        }
        Ok(Head { levels })
    }

    pub(super) fn forward(&self, maps: &[Tensor], names: &Tensor) -> Result<Places> {
        let mut places = Places {
            logits: Vec::new(),
            n_names: names.dim(0)?,
            distances: Vec::new(),
            maps: Vec::new(),
        };
        for (map, (classes, contrast, boxes)) in maps.iter().zip(&self.levels) {
            let (_, height, width, _) = map.dims4()?;
            places.maps.push((height, width));
            let logits = contrast.forward(&classes.forward(map)?, names)?;
            places.logits.extend(host_values(&logits)?);
            let sides = boxes.forward(map)?.reshape((height * width * 4, N_BINS))?;
            let sides = host_values(&sides)?;
            let means: Vec<f32> = sides.chunks_exact(N_BINS).map(mean_bin).collect();
            let (sides, _) = means.as_chunks::<4>();
            places.distances.extend(sides);
        }
        Ok(places)
    }
}

/// The mean bin number under the softmax of the bins' logits.
fn mean_bin(logits: &[f32]) -> f32 {
    let highest = logits.iter().copied().fold(f32::NEG_INFINITY, f32::max);
    let (mut sum, mut total) = (0.0, 0.0);
    for (bin, logit) in (0_u8..).zip(logits) {
        let share = (logit - highest).exp();
        sum += f32::from(bin) * share;
        total += share;
    }
    sum / total
}
