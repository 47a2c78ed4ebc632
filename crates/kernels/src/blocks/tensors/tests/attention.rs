//! Attention in all its forms.

use super::*;
use crate::blocks::attention::{NoBias, ScoreBias, SelfAttention, score_stride};
use crate::blocks::{Arrangement, AttentionPool, CausalMask, CrossAttention, Sequences};

/// A matrix for each of two kinds of sequences and each head, with a place that must not be looked at.
struct Biases {
    n_tokens: usize,
    matrices: Vec<Vec<f32>>,
}

impl Biases {
    fn new(n_tokens: usize, n_heads: usize) -> Self {
        let matrix = |index: usize| {
            let source = Synthetic::new("score-bias", index as u64);
            let values = (0..(n_tokens * score_stride(n_tokens)) as u64).map(|i| source.uniform(i));
            let mut values: Vec<f32> = values.collect();
            values[1] = f32::NEG_INFINITY;
            values
        };
        Biases {
            n_tokens,
            matrices: (0..2 * n_heads).map(matrix).collect(),
        }
    }
}

impl ScoreBias for Biases {
    fn kind(&self, sequence: usize) -> usize {
        // Not in order.
        [1, 0, 1, 1, 0][sequence]
    }

    fn of(&self, kind: usize, head: usize) -> Option<&[f32]> {
        let n_heads = self.matrices.len() / 2;
        let matrix = self.matrices.get(kind * n_heads + head)?;
        assert_eq!(matrix.len(), self.n_tokens * score_stride(self.n_tokens));
        Some(matrix)
    }
}

/// Self-attention of this width, packed and wide.
fn attentions(width: usize, n_heads: usize) -> [SelfAttention; 2] {
    let tensors = ["q", "k", "v", "o"].map(|name| {
        let weight = (synthetic(name, &[width, width]) * 2.0).unwrap();
        (weight, synthetic(&format!("{name}.bias"), &[width]))
    });
    let build = |[query, key, value, output]: [(Tensor, Tensor); 4]| {
        let output = Linear::new(&output.0, &output.1).unwrap();
        SelfAttention::new([query, key, value], output, n_heads).unwrap()
    };
    let wides = tensors.clone().map(|(weight, bias)| (elsewhere(&weight), elsewhere(&bias)));
    [build(tensors), build(wides)]
}

#[test]
fn attention_within_sequences() {
    let [packed, plain] = attentions(12, 3);
    let equal = Sequences::new([7; 5]);
    let mixed = Sequences::new([3, 3, 1, 17, 17, 17, 2]);
    let (biases, causal) = (Biases::new(7, 3), CausalMask::new(&mixed));
    let cases: [(&Sequences, &dyn ScoreBias); 4] =
        [(&equal, &NoBias), (&mixed, &NoBias), (&equal, &biases), (&mixed, &causal)];
    for (sequences, bias) in cases {
        let n_rows = sequences.rows().last().unwrap().end;
        let (x, residual) = (synthetic("x", &[n_rows, 12]), synthetic("residual", &[n_rows, 12]));
        let expected = packed.forward_residual(&x, sequences, bias, &residual);
        let y = plain.forward_residual(&elsewhere(&x), sequences, bias, &elsewhere(&residual));
        assert_close(&y.unwrap(), &expected.unwrap());
        // The core in f32.
        let projected = (synthetic("projected", &[n_rows, 36]) * 4.0).unwrap();
        let narrow = attend_sequences(&projected, sequences, 3, bias).unwrap();
        let wide = attend_sequences(&elsewhere(&projected), sequences, 3, bias).unwrap();
        assert_close(&narrow, &wide);
    }
}

#[test]
fn attention_within_arrangements() {
    let [packed, plain] = attentions(12, 2);
    // Two images of 2 x 2 places and two windows of three tokens for each; some are empty.
    let rows: Vec<Option<u32>> = [Some(2), Some(0), None, Some(1), Some(3), None]
        .into_iter()
        .chain([Some(7), Some(6), Some(5), None, None, Some(4)])
        .collect();
    let arrangement = Arrangement::new(Sequences::new([3; 4]), rows, 8);
    let x = synthetic("x", &[2, 2, 2, 12]);
    let residual = synthetic("residual", &[2, 2, 2, 12]);
    let biases = Biases::new(3, 2);
    for bias in [&NoBias as &dyn ScoreBias, &biases] {
        let expected = packed.forward_arranged_residual(&x, &arrangement, bias, &residual);
        let (x, residual) = (elsewhere(&x), elsewhere(&residual));
        let y = plain.forward_arranged_residual(&x, &arrangement, bias, &residual);
        assert_close(&y.unwrap(), &expected.unwrap());
    }
}

#[test]
fn attention_pools() {
    let tensors = ["q", "k", "v", "o"].map(|name| {
        let weight = synthetic(name, &[12, 12]);
        (weight, synthetic(&format!("{name}.bias"), &[12]))
    });
    let build = |[query, key, value, output]: [(Tensor, Tensor); 4]| {
        let output = Linear::new(&output.0, &output.1).unwrap();
        AttentionPool::new([query, key, value], output, 3).unwrap()
    };
    let wides = tensors.clone().map(|(weight, bias)| (elsewhere(&weight), elsewhere(&bias)));
    let x = synthetic("x", &[2, 5, 12]);
    let y = build(wides).forward(&elsewhere(&x)).unwrap();
    assert_close(&y, &build(tensors).forward(&x).unwrap());
}

#[test]
fn attention_to_sources() {
    let maps = |of: &dyn Fn(Tensor) -> Tensor| {
        let map = |name: &str, n_in: usize| {
            let bias = synthetic(&format!("{name}.bias"), &[12]);
            (of(synthetic(name, &[12, n_in])), of(bias))
        };
        let output = map("o", 12);
        let output = Linear::new(&output.0, &output.1).unwrap();
        ([map("q", 12), map("k", 7), map("v", 7)], output)
    };
    let [x, sources, values] =
        [synthetic("x", &[2, 5, 12]), synthetic("sources", &[2, 19, 7]), synthetic("values", &[2, 19, 7])];
    let [wide_x, wide_sources, wide_values] = [&x, &sources, &values].map(elsewhere);
    let together = |of: &dyn Fn(Tensor) -> Tensor| {
        let (maps, output) = maps(of);
        CrossAttention::new(maps, output, 3).unwrap()
    };
    let expected = together(&|tensor| tensor).forward_residual(&x, [&sources], &x);
    let y = together(&|tensor| elsewhere(&tensor)).forward_residual(&wide_x, [&wide_sources], &wide_x);
    assert_close(&y.unwrap(), &expected.unwrap());
    let apart = |of: &dyn Fn(Tensor) -> Tensor| {
        let (maps, output) = maps(of);
        CrossAttention::apart(maps, output, 3).unwrap()
    };
    let expected = apart(&|tensor| tensor).forward_residual(&x, [&sources, &values], &x);
    let wides = [&wide_sources, &wide_values];
    let y = apart(&|tensor| elsewhere(&tensor)).forward_residual(&wide_x, wides, &wide_x);
    assert_close(&y.unwrap(), &expected.unwrap());
}
