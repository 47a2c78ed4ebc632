//! Tests of `blocks::attention::self_attention`.

use candle_core::{Device, Result, Tensor};
use neurogauge_kernels::blocks::*;

struct Mask(Vec<f32>);

impl ScoreBias for Mask {
    fn kind(&self, _: usize) -> usize {
        0
    }

    fn of(&self, _: usize, _: usize) -> Option<&[f32]> {
        Some(&self.0)
    }
}

fn attention(projected: &[[f32; 6]], lengths: &[usize], n_heads: usize) -> Vec<Vec<f32>> {
    let shape = (projected.len(), 6);
    let projected = Tensor::from_slice(projected.as_flattened(), shape, &Device::Cpu).unwrap();
    let sequences = Sequences::new(lengths.iter().copied());
    attend_rows(&projected, &sequences, n_heads, &NoBias).unwrap().to_vec2().unwrap()
}

#[test]
fn equal_keys_give_the_mean_of_the_values_of_the_own_sequence() {
    let rows = [[1.0, 0.0, 1.0, 1.0, 2.0, 4.0], [0.0, 1.0, 1.0, 1.0, 4.0, 8.0], [5.0, 5.0, 1.0, 1.0, 7.0, 7.0]];
    assert_eq!(attention(&rows, &[2, 1], 2), [[3.0, 6.0], [3.0, 6.0], [7.0, 7.0]]);
}

#[test]
fn scores_weigh_the_values_by_their_exponentials() {
    let score = 3.0_f32;
    let rows = [[score, 0.0, 1.0, 0.0, 1.0, 0.0], [0.0, 0.0, 0.0, 0.0, 0.0, 1.0]];
    let attended = attention(&rows, &[2], 1);
    let expected = 1.0 / (1.0 + (-score).exp());
    assert!((attended[0][0] - expected).abs() < 1e-6);
    assert!((attended[0][1] - (1.0 - expected)).abs() < 1e-6);
    assert_eq!(attended[1], [0.5, 0.5]);
}

#[test]
fn queries_are_scaled_by_the_root_of_the_head_width() -> Result<()> {
    let cpu = &Device::Cpu;
    let eye = Tensor::new(&[[1_f32, 0.0], [0.0, 1.0]], cpu)?;
    let zero = Tensor::zeros(2, candle_core::DType::F32, cpu)?;
    let map = || (eye.clone(), zero.clone());
    let output = Linear::new(&eye, &zero)?;
    let attention = SelfAttention::new([map(), map(), map()], output, 1)?;
    let x = Tensor::new(&[[1_f32, 0.0], [0.0, 1.0]], cpu)?;
    let residual = Tensor::new(&[[0_f32, 0.0], [10.0, 10.0]], cpu)?;
    let sequences = Sequences::new([2]);
    // The first token must not attend to the second.
    let mut mask = vec![0.0; 2 * score_stride(2)];
    mask[1] = f32::NEG_INFINITY;
    let y = attention.forward_residual(&x, &sequences, &Mask(mask), &residual)?.to_vec2::<f32>()?;
    let own = 1.0 / (1.0 + (-0.5_f32.sqrt()).exp());
    assert_eq!(y[0], [1.0, 0.0]);
    assert!((y[1][1] - 10.0 - own).abs() < 1e-6 && (y[1][0] - 11.0 + own).abs() < 1e-6);
    Ok(())
}

#[test]
fn a_sequence_longer_than_the_lanes_is_whole() {
    let rows: Vec<[f32; 6]> = (0..37).map(|i| [0.0, 0.0, i as f32, 1.0, i as f32, 1.0]).collect();
    for row in attention(&rows, &[37], 1) {
        assert!((row[0] - 18.0).abs() < 1e-5 && (row[1] - 1.0).abs() < 1e-6);
    }
}
