//! Tests of `blocks::causal_mask` and `blocks::distance_bias`.

use candle_core::{Device, Tensor};
use neurogauge_kernels::blocks::*;

#[test]
fn a_token_sees_itself_and_what_is_before_it() {
    let mask = CausalMask::new(&Sequences::new([1, 3, 1]));
    let back = f32::NEG_INFINITY;
    let rows: Vec<&[f32]> = mask.of(mask.kind(1), 7).unwrap().chunks(score_stride(3)).collect();
    assert_eq!(rows.len(), 3);
    assert_eq!(rows[0][..3], [0.0, back, back]);
    assert_eq!(rows[1][..3], [0.0, 0.0, back]);
    assert_eq!(rows[2][..3], [0.0, 0.0, 0.0]);
    assert_eq!(mask.of(mask.kind(2), 0).unwrap()[0], 0.0);
}

/// Includes 16, 32 and 64 of 128, and all other distances whose logarithm is a whole number of buckets.
#[test]
fn buckets_are_those_of_the_reference() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../reference/golden/models/t5_buckets.json");
    let golden: serde_json::Value = serde_json::from_slice(&std::fs::read(path).unwrap()).unwrap();
    for case in golden["cases"].as_array().unwrap() {
        let number = |key: &str| case[key].as_u64().unwrap() as usize;
        let expected: Vec<usize> = serde_json::from_value(case["buckets"].clone()).unwrap();
        // A table that holds the number of each bucket.
        let buckets = Tensor::arange(0_f32, number("n_buckets") as f32, &Device::Cpu).unwrap();
        let bias = DistanceBias::new(&buckets.unsqueeze(1).unwrap(), number("max_distance")).unwrap();
        let own: Vec<usize> = bias.back(expected.len()).iter().rev().map(|bucket| *bucket as usize).collect();
        assert_eq!(own, expected, "{} {}", case["n_buckets"], case["max_distance"]);
    }
}
