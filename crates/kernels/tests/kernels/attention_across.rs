//! Tests of `blocks::attention::across`.

use candle_core::{Device, Result, Tensor};
use neurogauge_core::synthetic::Synthetic;
use neurogauge_kernels::blocks::*;

fn tokens(name: &str, shape: &[usize]) -> Tensor {
    let source = Synthetic::new(name, 0);
    let n: usize = shape.iter().product();
    let values: Vec<f32> = (0..n as u64).map(|i| source.uniform(i) * 4.0 - 2.0).collect();
    Tensor::from_vec(values, shape, &Device::Cpu).unwrap()
}

fn firsts(parts: [&Tensor; 3]) -> [TokenColumns<'_>; 3] {
    parts.map(|tokens| TokenColumns { tokens, first: 0 })
}

/// Self-attention over sequences, with queries, keys and values as columns of one matrix.
#[test]
fn tokens_that_look_at_themselves_are_a_sequence() {
    for n_sequences in [1, 3] {
        let projected = tokens("projected", &[n_sequences, 601, 36]);
        let rows = projected.flatten_to(1).unwrap();
        let sequences = Sequences::new(vec![601; n_sequences]);
        let expected = attend_rows(&rows, &sequences, 3, &NoBias).unwrap().to_vec2::<f32>().unwrap();
        let columns = [0, 12, 24].map(|first| TokenColumns {
            tokens: &projected,
            first,
        });
        for (n_threads, shared) in [(2, false), (1, true), (2, true), (7, true), (16, true)] {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(n_threads);
            let found = pool.build().unwrap().install(|| attend_across(columns, 12, 3, shared).unwrap());
            let found = found.flatten_to(1).unwrap();
            assert_eq!(found.to_vec2::<f32>().unwrap(), expected);
        }
    }
}

#[test]
fn one_key_gives_its_value_to_every_query() {
    let [queries, keys, values] = [("q", 5), ("k", 1), ("v", 1)].map(|(name, n)| tokens(name, &[n, 4]));
    let found = attend_across(firsts([&queries, &keys, &values]), 4, 2, true).unwrap();
    for row in found.to_vec2::<f32>().unwrap() {
        assert_eq!(row, values.to_vec2::<f32>().unwrap()[0]);
    }
}

#[test]
fn heads_are_apart() -> Result<()> {
    let query = Tensor::new(&[[[0_f32, 100.0]]], &Device::Cpu)?;
    let key_value = [[[0_f32, 0.0, 1.0, 1.0], [1.0, 1.0, 3.0, 3.0]]];
    let key_value = Tensor::new(&key_value, &Device::Cpu)?;
    let [query, keys, mut values] = firsts([&query, &key_value, &key_value]);
    values.first = 2;
    let pooled = attend_across([query, keys, values], 2, 2, false)?;
    assert_eq!(pooled.to_vec3::<f32>()?, [[[2.0, 3.0]]]);
    Ok(())
}

#[test]
fn what_does_not_belong_together_is_refused() {
    let refused = |query: &[usize], key: &[usize], value: &[usize], width| {
        let parts = [tokens("q", query), tokens("k", key), tokens("v", value)];
        attend_across(firsts(parts.each_ref()), width, 2, false).is_err()
    };
    assert!(!refused(&[2, 3, 4], &[2, 5, 4], &[2, 5, 4], 4));
    // Other numbers of sequences or of keys and values; too few columns; heads whose width is not an integer.
    assert!(refused(&[2, 3, 4], &[1, 5, 4], &[1, 5, 4], 4));
    assert!(refused(&[2, 3, 4], &[2, 5, 4], &[1, 5, 4], 4));
    assert!(refused(&[3, 4], &[5, 4], &[6, 4], 4));
    assert!(refused(&[2, 3, 4], &[2, 5, 3], &[2, 5, 4], 4));
    assert!(refused(&[2, 3, 3], &[2, 5, 3], &[2, 5, 3], 3));
    assert!(refused(&[3], &[5, 4], &[5, 4], 3));
}
