//! Random numbers and untrained models against torch and torchvision: reference/torch_random.py.
#![allow(unsafe_code)] // for the bytes of hundreds of millions of values

use crate::parity::{self, on_threads};
use neurogauge_formats::content_hash;
use neurogauge_models::torch_random::{NamedTensor, TorchGenerator, TruncatedNormal, Untrained};
use serde_json::Value;

const HASH_DIGITS: usize = 12;
/// Two roundings in single precision: of torch's inverse error function, and of its product.
const INVERSE_ERF_TOLERANCE: f64 = 2.4e-7;

fn golden() -> Value {
    parity::golden("../torch_random")
}

fn singles(value: &Value) -> Vec<f32> {
    value.as_array().unwrap().iter().map(|value| value.as_f64().unwrap() as f32).collect()
}

/// Largest difference of an element, relative to the element; 0 only if all bits are equal.
fn largest_relative_difference(ours: &[f32], theirs: &[f32]) -> f64 {
    assert_eq!(ours.len(), theirs.len());
    let pairs = ours.iter().zip(theirs);
    pairs
        .filter(|(a, b)| a.to_bits() != b.to_bits())
        .map(|(&a, &b)| (f64::from(a) - f64::from(b)).abs() / f64::from(b).abs())
        .fold(0.0, f64::max)
}

#[test]
fn draws_follow_one_another_as_in_torch() {
    let golden = golden();
    let streams = golden["streams"].as_array().unwrap();
    assert!(streams.len() > 15);
    for stream in streams {
        let seed = stream["seed"].as_u64().unwrap();
        let mut generator = TorchGenerator::manual_seed(seed);
        for draw in stream["draws"].as_array().unwrap() {
            let n = draw[1].as_u64().unwrap() as usize;
            let first = draw[2][0].as_f64().unwrap();
            let second = || draw[2][1].as_f64().unwrap();
            let inverse = TruncatedNormal::InverseErf;
            let (values, tolerance) = match draw[0].as_str().unwrap() {
                "uniform" => (generator.uniform(n, first, second()), 0.0),
                "normal" => (generator.normal(n, first, second()), 0.0),
                "rejection" => {
                    let method = TruncatedNormal::Rejection;
                    (generator.truncated_normal(n, first, method), 0.0)
                }
                "inverse_erf" => (generator.truncated_normal(n, first, inverse), INVERSE_ERF_TOLERANCE),
                other => panic!("unknown draw {other}"),
            };
            let difference = largest_relative_difference(&values, &singles(&draw[3]));
            assert!(difference <= tolerance, "seed {seed}, {n} values, {}: {difference}", draw[0]);
        }
    }
}

/// The tensors that are not constant, sorted by name; the others are checked here.
fn random_tensors(model: Untrained, seed: u64, method: TruncatedNormal, golden: &Value) -> Vec<NamedTensor> {
    let mut tensors = model.tensors(seed, method);
    let shapes = tensors.iter().map(|tensor| (tensor.name.clone(), tensor.shape.clone()));
    assert_eq!(model.shapes(), shapes.collect::<Vec<_>>());
    tensors.sort_by(|a, b| a.name.cmp(&b.name));
    let expected = golden["tensors"].as_array().unwrap();
    let names: Vec<&str> = tensors.iter().map(|tensor| tensor.name.as_str()).collect();
    let expected_names: Vec<&str> = expected.iter().map(|e| e[0].as_str().unwrap()).collect();
    assert_eq!(names, expected_names);
    let mut random = Vec::new();
    for (tensor, expected) in tensors.into_iter().zip(expected) {
        let name = &tensor.name;
        assert_eq!(serde_json::json!(tensor.shape), expected[1], "{name}");
        let n: usize = tensor.shape.iter().product();
        assert_eq!(tensor.values.len(), n, "{name}");
        match expected[2].as_f64() {
            Some(constant) => {
                let constant = constant as f32;
                assert!(tensor.values.iter().all(|&v| v == constant), "{name}");
            }
            None => random.push(tensor),
        }
    }
    random
}

/// Differences from six values of the reference, and from the sum of squares.
fn differences(tensor: &NamedTensor, probe: &Value) -> (f64, f64) {
    let n = tensor.values.len();
    let sample: Vec<f32> = (0..6).map(|i| tensor.values[i * (n - 1) / 5]).collect();
    let expected = probe.as_array().unwrap();
    let values = singles(&Value::from(expected[..6].to_vec()));
    let mut squares = 0.0;
    for &value in &tensor.values {
        squares += f64::from(value) * f64::from(value);
    }
    let expected_squares = expected[6].as_f64().unwrap();
    (largest_relative_difference(&sample, &values), (squares - expected_squares).abs() / expected_squares)
}

/// Compares all bits of all tensors.
fn assert_equal_to_torchvision(model: Untrained, seeds: &[u64]) {
    let golden = &golden()["models"][model.name()];
    for &seed in seeds {
        let tensors = random_tensors(model, seed, TruncatedNormal::Rejection, golden);
        let key = seed.to_string();
        if let Some(probes) = golden["probes"][&key].as_array() {
            assert_eq!(probes.len(), tensors.len());
            for (tensor, probe) in tensors.iter().zip(probes) {
                let (values, squares) = differences(tensor, probe);
                assert!(values == 0.0, "{}: {values}", tensor.name);
                assert!(squares <= 1e-9, "{}: {squares}", tensor.name);
            }
        }
        let hashes = golden["sha256"][&key].as_str().unwrap();
        assert_eq!(hashes.len(), HASH_DIGITS * tensors.len());
        for (i, tensor) in tensors.iter().enumerate() {
            // SAFETY: they are only read, and every byte is a `u8`.
            let (_, bytes, _) = unsafe { tensor.values.align_to::<u8>() };
            let hash = content_hash::of_bytes(bytes);
            let expected = &hashes[i * HASH_DIGITS..][..HASH_DIGITS];
            assert_eq!(&hash[..HASH_DIGITS], expected, "{} seed {seed}", tensor.name);
        }
    }
}

/// Compares with the draws of torch up to 2.11.
fn assert_equal_to_earlier_torch(model: Untrained, seed: u64) {
    let golden = &golden()["models"][model.name()];
    let tensors = random_tensors(model, seed, TruncatedNormal::InverseErf, golden);
    let probes = golden["inverse_erf"][&seed.to_string()].as_array().unwrap();
    assert_eq!(probes.len(), tensors.len());
    for (tensor, probe) in tensors.iter().zip(probes) {
        let (values, squares) = differences(tensor, probe);
        assert!(values <= INVERSE_ERF_TOLERANCE, "{}: {values}", tensor.name);
        assert!(squares <= 1e-8, "{}: {squares}", tensor.name);
    }
}

#[test]
fn every_model_equals_torchvision() {
    for model in Untrained::all() {
        assert_equal_to_torchvision(model, &[0]);
    }
    assert_equal_to_torchvision(Untrained::ResNet50, &[42]);
}

#[test]
fn models_of_truncated_normals_equal_those_of_earlier_torch() {
    for model in [Untrained::ConvNextTiny, Untrained::SwinTiny] {
        assert_equal_to_earlier_torch(model, 42);
    }
}

#[test]
#[ignore = "36 models, some of half a gigabyte: make test-large"]
fn every_model_equals_torchvision_under_every_seed() {
    for model in Untrained::all() {
        assert_equal_to_torchvision(model, &[0, 1, 2, 42]);
    }
    for model in [Untrained::ConvNextTiny, Untrained::InceptionV3, Untrained::SwinTiny, Untrained::VitB16] {
        assert_equal_to_earlier_torch(model, 0);
        assert_equal_to_earlier_torch(model, 42);
    }
}

#[test]
fn the_same_bits_on_any_number_of_threads() {
    let draw = || {
        let mut generator = TorchGenerator::manual_seed(5);
        let mut values = generator.normal(300_001, 0.0, 1.0);
        values.extend(generator.truncated_normal(99_999, 0.02, TruncatedNormal::InverseErf));
        values
    };
    assert_eq!(largest_relative_difference(&on_threads(3, draw), &on_threads(1, draw)), 0.0);
}
