//! Tests of `blocks::attention::pasts`.

use candle_core::{Device, Tensor};
use neurogauge_core::synthetic::Synthetic;
use neurogauge_kernels::blocks::*;

fn columns(tokens: &Tensor, first: usize) -> TokenColumns<'_> {
    TokenColumns { tokens, first }
}

/// Attention over whole sequences and token by token agree up to the last places.
#[test]
fn the_last_token_of_a_causal_sequence_sees_the_same() {
    for (n_tokens, n_heads, head_width) in [(1, 1, 1), (5, 2, 7), (37, 3, 32), (300, 2, 64)] {
        let width = n_heads * head_width;
        let source = Synthetic::new("projected", n_tokens as u64);
        let rows: Vec<f32> = (0..n_tokens * 3 * width).map(|i| source.uniform(i as u64) - 0.5).collect();
        let projected = Tensor::from_slice(&rows, (n_tokens, 3 * width), &Device::Cpu).unwrap();
        let sequences = Sequences::new([n_tokens]);
        let mask = CausalMask::new(&sequences);
        let whole = attend_rows(&projected, &sequences, n_heads, &mask).unwrap().to_vec2::<f32>().unwrap();

        let heads = GroupedHeads::each_own(n_heads, width);
        let mut pasts = [(); 2].map(|()| Pasts::none(1, &projected));
        for token in 0..n_tokens {
            let row = projected.narrow(0, token, 1).unwrap();
            // The first tokens have their own past, as an image's tokens do.
            pasts[usize::from(token > 2)].extend(columns(&row, width), heads).unwrap();
            let both = pasts.each_ref();
            let out = attend_to_pasts(columns(&row, 0), heads, &both, &[], false).unwrap();
            let out = &out.to_vec2::<f32>().unwrap()[0];
            assert_eq!(out.len(), width);
            for (a, b) in out.iter().zip(&whole[token]) {
                assert!((a - b).abs() < 2e-6, "token {token} of {n_tokens}: {a} {b}");
            }
        }
    }
}

#[test]
fn a_bias_is_added_to_the_scores_of_its_head() {
    let heads = GroupedHeads::each_own(2, 2);
    let tokens = Tensor::new(&[[0_f32, 0.0, 1.0, 10.0], [0.0, 0.0, 3.0, 30.0]], &Device::Cpu).unwrap();
    let past = Pasts::of_sequences(columns(&tokens, 0), heads, &Sequences::new([2])).unwrap();
    let bias = [0.0, f32::NEG_INFINITY, 3.0_f32.ln(), 0.0];
    let query = Tensor::new(&[[5_f32, 5.0]], &Device::Cpu).unwrap();
    let out = attend_to_pasts(columns(&query, 0), heads, &[&past], &bias, false).unwrap();
    let out = &out.to_vec2::<f32>().unwrap()[0];
    assert!((out[0] - 1.0).abs() < 1e-6 && (out[1] - 15.0).abs() < 1e-5, "{out:?}");
}
