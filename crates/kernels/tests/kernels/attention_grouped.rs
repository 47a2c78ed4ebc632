//! Tests of `blocks::attention::grouped`.

use candle_core::{Device, Tensor};
use neurogauge_core::synthetic::Synthetic;
use neurogauge_kernels::blocks::*;

const HEADS: GroupedHeads = GroupedHeads {
    n_heads: 4,
    n_key_heads: 2,
    head_width: 6,
};
const WIDTH: usize = 10;

fn noise(name: &str, shape: (usize, usize)) -> Vec<f64> {
    let source = Synthetic::new(name, 3);
    let n = (shape.0 * shape.1) as u64;
    (0..n).map(|i| f64::from(source.uniform(i)) - 0.5).collect()
}

fn tensor(name: &str, shape: (usize, usize)) -> Tensor {
    let values: Vec<f32> = noise(name, shape).into_iter().map(|v| v as f32).collect();
    Tensor::from_vec(values, shape, &Device::Cpu).unwrap()
}

/// Head `head` of token `token` by a map from `WIDTH` features, normalised, scaled and rotated, in f64.
fn placed(map: &str, scale: Option<&str>, head: usize, token: usize, x: &[f64]) -> Vec<f64> {
    let width = HEADS.head_width;
    let n_heads = if map == "q" { 4 } else { 2 };
    let weight = noise(map, (n_heads * width, WIDTH));
    let x = &x[token * WIDTH..][..WIDTH];
    let rows = weight.chunks(WIDTH).skip(head * width).take(width);
    let raw: Vec<f64> = rows.map(|row| row.iter().zip(x).map(|(w, x)| w * x).sum()).collect();
    let Some(scale) = scale else { return raw };
    let square = raw.iter().map(|v| v * v).sum::<f64>() / width as f64;
    let scales = noise(scale, (1, width));
    let normal: Vec<f64> = raw.iter().zip(scales).map(|(v, s)| v / (square + 1e-6).sqrt() * s).collect();
    let half = width / 2;
    let turned = |i: usize| {
        let angle = token as f64 / 50_f64.powf(2.0 * (i % half) as f64 / width as f64);
        let (sin, cos) = angle.sin_cos();
        if i < half {
            normal[i] * cos - normal[i + half] * sin
        } else {
            normal[i] * cos + normal[i - half] * sin
        }
    };
    (0..width).map(turned).collect()
}

/// Computed in f64: every query attends only to earlier tokens, and two successive heads share keys and values.
#[test]
fn heads_in_a_row_share_keys_and_values() {
    let width = HEADS.head_width;
    let n_tokens = 5;
    let projections = [tensor("q", (24, WIDTH)), tensor("k", (12, WIDTH)), tensor("v", (12, WIDTH))];
    let scales = [tensor("qs", (1, width)), tensor("ks", (1, width))].map(|scale| scale.flatten_all().unwrap());
    let eye = Tensor::eye(24, candle_core::DType::F32, &Device::Cpu).unwrap();
    let output = Linear::without_bias(&eye).unwrap();
    let scales = [&scales[0], &scales[1]];
    let attention = GroupedAttention::new(&projections, scales, 1e-6, output, HEADS).unwrap();

    // In a later sequence, positions begin again.
    let sequences = Sequences::new([3, n_tokens]);
    let x = tensor("x", (3 + n_tokens, WIDTH));
    let residual = Tensor::zeros((8, 24), candle_core::DType::F32, &Device::Cpu).unwrap();
    let turns = Rotary::new(width, 50.0).turns(n_tokens);
    let mask = CausalMask::new(&sequences);
    let found = attention.forward_residual(&x, &sequences, &turns, &mask, &residual);
    let found = host_values(&found.unwrap()).unwrap();

    let x = noise("x", (3 + n_tokens, WIDTH));
    let x = &x[3 * WIDTH..];
    for token in 0..n_tokens {
        for head in 0..4 {
            let query = placed("q", Some("qs"), head, token, x);
            let weights: Vec<f64> = (0..=token)
                .map(|other| {
                    let key = placed("k", Some("ks"), head / 2, other, x);
                    let score: f64 = query.iter().zip(key).map(|(a, b)| a * b).sum();
                    (score / (width as f64).sqrt()).exp()
                })
                .collect();
            let total: f64 = weights.iter().sum();
            for feature in 0..width {
                let value = |other: usize| placed("v", None, head / 2, other, x)[feature];
                let sum: f64 = (0..=token).map(|other| weights[other] * value(other)).sum();
                let value = found[(3 + token) * 24 + head * width + feature];
                assert!((f64::from(value) - sum / total).abs() < 1e-6, "{token} {head}");
            }
        }
    }
}
