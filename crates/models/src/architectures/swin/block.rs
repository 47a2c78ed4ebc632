//! Attention within windows, then a perceptron.

use super::position_bias::PositionBias;
use candle_core::{Result, Tensor};
use neurogauge_kernels::blocks::{LayerNorm, Mlp, SelfAttention, Shift, Windows};

/// Attention and a perceptron: each has a norm before it, and its result is added to its input.
pub(super) struct Block {
    pub(super) attention_norm: LayerNorm,
    pub(super) attention: SelfAttention,
    pub(super) position_bias: PositionBias,
    pub(super) window: usize,
    pub(super) shift: Shift,
    /// The perceptron and its norm.
    pub(super) perceptron: Mlp,
}

impl Block {
    /// The block's output for maps of shape (image, row, column, channel), in the same shape.
    pub(super) fn forward(&self, x: &Tensor) -> Result<Tensor> {
        let (n_images, height, width, _) = x.dims4()?;
        let windows = Windows::new(n_images, (height, width), self.window, self.shift);
        let x = self.attention.forward_arranged_residual(
            &self.attention_norm.forward(x)?,
            &windows.arrangement,
            &self.position_bias.of(&windows),
            x,
        )?;
        self.perceptron.forward_residual(&x, &x)
    }
}

#[cfg(test)]
mod tests {
    use super::super::weights::BlockShape;
    use super::*;
    use crate::checkpoint::Checkpoint;
    use crate::goldens::{golden, read};
    use candle_core::Device;
    use neurogauge_core::synthetic::Synthetic;

    /// Maps and windows of sizes that Swin-T does not have at 224 pixels.
    #[test]
    fn windows_of_every_kind_equal_torchvision() {
        for case in golden("swin_blocks")["cases"].as_array().unwrap() {
            let n_channels = read(&case["channels"]);
            let shape = BlockShape {
                n_channels,
                n_heads: read(&case["heads"]),
                window: read(&case["window"]),
                shift: match read(&case["shifted"]) {
                    true => Shift::WhereThereAreSeveral,
                    false => Shift::None,
                },
            };
            let mut checkpoint = Checkpoint::synthetic(0, &[], "Swin");
            let block = Block::build(&mut checkpoint, "", shape).unwrap();
            let (n_images, height, width): (usize, usize, usize) = read(&case["map"]);
            let n = height * width * n_channels;
            let source = Synthetic::new("map", 0);
            let x: Vec<f32> = (0..(n_images * n) as u64).map(|i| source.uniform(i) * 2.0 - 1.0).collect();
            let shape = (n_images, height, width, n_channels);
            let x = Tensor::from_vec(x, shape, &Device::Cpu).unwrap();
            let y = block.forward(&x).unwrap().flatten_all().unwrap().to_vec1::<f32>().unwrap();
            let records = case["records"].as_array().unwrap();
            assert_eq!(records.len(), n_images);
            let probe = Synthetic::new("probe", 0);
            for (image, record) in y.chunks_exact(n).zip(records) {
                for (k, expected) in (0..).zip(read::<Vec<f32>>(&record["values"])) {
                    let value = image[(probe.bits(k) % n as u64) as usize];
                    let error = (value - expected).abs() / read::<f32>(&record["std"]);
                    assert!(error < 1e-5, "{}: {value}, not {expected}", case["name"]);
                }
            }
        }
    }
}
