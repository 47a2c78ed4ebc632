//! Tests of `blocks::attention::prefixed`.

use candle_core::{Device, Tensor};
use neurogauge_core::synthetic::Synthetic;
use neurogauge_kernels::blocks::*;

#[test]
fn prefixes_and_texts_are_one_causal_sequence() {
    check(GroupedHeads::each_own(2, 14));
    check(GroupedHeads {
        n_heads: 6,
        n_key_heads: 2,
        head_width: 5,
    });
}

/// Two prefixes of three tokens, each followed by two tokens, equal a causal sequence of five.
fn check(heads: GroupedHeads) {
    let width = heads.columns();
    let source = Synthetic::new("projected", 5);
    let row = |sequence: usize, token: usize| -> Vec<f32> {
        let first = (sequence * 5 + token) * width;
        let places = first..first + width;
        places.map(|i| source.uniform(i as u64) - 0.5).collect()
    };
    let tensor = |rows: Vec<Vec<f32>>| {
        let shape = (rows.len(), width);
        Tensor::from_vec(rows.concat(), shape, &Device::Cpu).unwrap()
    };
    let begin = |is_causal| {
        let rows = tensor((0..6).map(|i| row(i / 3, i % 3)).collect());
        let mut prefixes = Prefixes::new(6, 3, heads, is_causal);
        prefixes.keep(&rows).unwrap();
        let attended = prefixes.attend(&rows).unwrap().to_vec2::<f32>().unwrap();
        (prefixes.into_texts(), attended)
    };
    let (mut texts, of_prefixes) = begin(true);
    assert_eq!((texts.n_prefix_tokens(), texts.n_written()), (3, 0));
    let whole = |sequence: usize| {
        let rows = tensor((0..5).map(|token| row(sequence, token)).collect());
        let sequences = Sequences::new([5]);
        let mask = CausalMask::new(&sequences);
        attend_grouped(&rows, &sequences, heads, &mask, false).unwrap().to_vec2::<f32>().unwrap()
    };
    let close = |a: &[f32], b: &[f32]| {
        assert!(a.iter().zip(b).all(|(a, b)| (a - b).abs() < 2e-6), "{a:?} {b:?}");
    };
    for sequence in 0..2 {
        for token in 0..3 {
            close(&of_prefixes[3 * sequence + token], &whole(sequence)[token]);
        }
    }
    let first = tensor(vec![row(0, 3), row(1, 3)]);
    let attended = texts.attend(0, &first).unwrap().to_vec2::<f32>().unwrap();
    texts.advance();
    close(&attended[0], &whole(0)[3]);
    close(&attended[1], &whole(1)[3]);
    // Two rows continue the second sequence; one of them with the same tokens as before.
    texts.reorder(&[1, 1]).unwrap();
    let second = tensor(vec![row(1, 4), row(0, 4)]);
    let attended = texts.attend(0, &second).unwrap().to_vec2::<f32>().unwrap();
    close(&attended[0], &whole(1)[4]);
    assert!((attended[1][0] - attended[0][0]).abs() > 1e-4);
    assert_eq!(texts.n_written(), 1);

    // If tokens of a prefix attend to all of it, the last one's output does not change.
    let (_, together) = begin(false);
    close(&together[2], &whole(0)[2]);
    assert!((together[0][0] - whole(0)[0][0]).abs() > 1e-4);
}
