//! Tests of attention in all its forms.

use super::*;
use neurogauge_core::synthetic::Synthetic;

/// A matrix for each of two kinds of sequences and each head, with a position that must not be attended to.
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
        // Kinds are not in order.
        [1, 0, 1, 1, 0][sequence]
    }

    fn of(&self, kind: usize, head: usize) -> Option<&[f32]> {
        let n_heads = self.matrices.len() / 2;
        let matrix = self.matrices.get(kind * n_heads + head)?;
        assert_eq!(matrix.len(), self.n_tokens * score_stride(self.n_tokens));
        Some(matrix)
    }
}

/// Weight and bias of the maps to queries, keys and values of these widths, and the output map.
fn maps(to: fn(&Tensor) -> Tensor, widths: [usize; 3], scale: f64) -> ([(Tensor, Tensor); 3], Linear) {
    let map = |name: &str, n_in: usize| {
        let weight = (synthetic(name, &[12, n_in]) * scale).unwrap();
        (to(&weight), to(&synthetic(&format!("{name}.bias"), &[12])))
    };
    let (weight, bias) = map("o", 12);
    let [q, k, v] = widths;
    ([map("q", q), map("k", k), map("v", v)], Linear::new(&weight, &bias).unwrap())
}

#[test]
fn attention_within_sequences() {
    let equal = Sequences::new([7; 5]);
    let mixed = Sequences::new([3, 3, 1, 17, 17, 17, 2]);
    let (biases, causal) = (Biases::new(7, 3), CausalMask::new(&mixed));
    let cases: [(&Sequences, &dyn ScoreBias); 4] =
        [(&equal, &NoBias), (&mixed, &NoBias), (&equal, &biases), (&mixed, &causal)];
    for (sequences, bias) in cases {
        let n_rows = sequences.rows().last().unwrap().end;
        assert_alike(|to| {
            let (maps, output) = maps(to, [12; 3], 2.0);
            let [x, residual] = ["x", "residual"].map(|name| to(&synthetic(name, &[n_rows, 12])));
            let attention = SelfAttention::new(maps, output, 3).unwrap();
            attention.forward_residual(&x, sequences, bias, &residual).unwrap()
        });
        // Only the core, in f32.
        let projected = (synthetic("projected", &[n_rows, 36]) * 4.0).unwrap();
        assert_alike(|to| attend_sequences(&to(&projected), sequences, 3, bias).unwrap());
    }
}

#[test]
fn attention_within_arrangements() {
    // Two images of 2 x 2 positions, with two windows of three tokens each; some tokens are empty.
    let rows: Vec<Option<u32>> = [Some(2), Some(0), None, Some(1), Some(3), None]
        .into_iter()
        .chain([Some(7), Some(6), Some(5), None, None, Some(4)])
        .collect();
    let arrangement = Arrangement::new(Sequences::new([3; 4]), rows, 8);
    let biases = Biases::new(3, 2);
    for bias in [&NoBias as &dyn ScoreBias, &biases] {
        assert_alike(|to| {
            let (maps, output) = maps(to, [12; 3], 2.0);
            let [x, residual] = ["x", "residual"].map(|name| to(&synthetic(name, &[2, 2, 2, 12])));
            let attention = SelfAttention::new(maps, output, 2).unwrap();
            attention.forward_arranged_residual(&x, &arrangement, bias, &residual).unwrap()
        });
    }
}

#[test]
fn attention_pools() {
    assert_alike(|to| {
        let (maps, output) = maps(to, [12; 3], 1.0);
        AttentionPool::new(maps, output, 3).unwrap().forward(&to(&synthetic("x", &[2, 5, 12]))).unwrap()
    });
}

#[test]
fn attention_to_sources() {
    let x = synthetic("x", &[2, 5, 12]);
    let [sources, values] = ["sources", "values"].map(|name| synthetic(name, &[2, 19, 7]));
    assert_alike(|to| {
        let (maps, output) = maps(to, [12, 7, 7], 1.0);
        let attention = CrossAttention::new(maps, output, 3).unwrap();
        attention.forward_residual(&to(&x), [&to(&sources)], &to(&x)).unwrap()
    });
    assert_alike(|to| {
        let (maps, output) = maps(to, [12, 7, 7], 1.0);
        let attention = CrossAttention::apart(maps, output, 3).unwrap();
        attention.forward_residual(&to(&x), [&to(&sources), &to(&values)], &to(&x)).unwrap()
    });
}
