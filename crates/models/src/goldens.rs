//! What the tests of models share: the goldens of `reference/`, and folders in the layout in which models are
//! published.

#[path = "../tests/models/photographs/mod.rs"]
pub(crate) mod photographs;
#[path = "../tests/models/records/mod.rs"]
mod records;

pub(crate) use records::*;

use crate::checkpoint::Checkpoint;
use crate::{DeviceChoice, TextEncoder};
use candle_core::{DType, Device, Tensor};
use neurogauge_core::Image;
use neurogauge_core::synthetic::parameter;
use neurogauge_kernels::blocks::{Sequences, host_values};
use serde_json::{Value, json};
use std::collections::HashMap;

/// Compares layers of one batch of all sequences, by the names of their taps, with a run of each sequence alone: within
/// 1e-4 of the standard deviation. Returns the largest difference.
pub(crate) fn check_layers(run: &Value, sequences: &Sequences, layers: &[(String, Tensor)]) -> f64 {
    assert_eq!(run["taps"].as_object().unwrap().len(), layers.len());
    let check = |(tap, layer): &(String, Tensor)| check_layer(tap, layer, sequences, &run["taps"][tap]);
    layers.iter().map(check).fold(0.0, f64::max)
}

pub(crate) fn check_layer(tap: &str, layer: &Tensor, sequences: &Sequences, records: &Value) -> f64 {
    const TOLERANCE: f64 = 1e-4;
    let records = records.as_array().unwrap();
    assert_eq!(records.len(), sequences.n_sequences());
    let differences = sequences.rows().zip(records).map(|(rows, record)| {
        let own = layer.narrow(0, rows.start, rows.len()).unwrap();
        difference(tap, &host_values(&own).unwrap(), record)
    });
    let worst = differences.fold(0.0, f64::max);
    assert!(worst < TOLERANCE, "{tap}: {worst:e}");
    worst
}

pub(crate) fn round(tensors: &mut HashMap<String, Tensor>, dtype: DType) {
    tensors.values_mut().for_each(|tensor| *tensor = tensor.to_dtype(dtype).unwrap());
}

/// A synthetic checkpoint with exactly the golden's tensors.
pub(crate) fn checkpoint(golden: &Value, architecture: &'static str, device: DeviceChoice) -> Checkpoint {
    let path = "model.safetensors".into();
    Checkpoint::synthetic_file(path, tensors(golden).into_iter().collect(), 0, &damped(golden), architecture)
        .and_then(|checkpoint| checkpoint.computed(device.into()))
        .unwrap()
}

/// The picture of a run or case: the central window of a photograph of scikit-image, or noise.
pub(crate) fn photograph_window(run: &Value) -> Image<f32> {
    let name = run.get("picture").or(run.get("image")).and_then(Value::as_str).unwrap();
    photographs::sized(name, read(&run["width"]), read(&run["height"]))
}

/// The folder of a sentence encoder in the published layout, after `change` has been made to its configuration and
/// tensors.
pub(crate) fn folder(
    golden: &Value,
    tokenizer: &str,
    change: impl FnOnce(&mut Value, &mut HashMap<String, Tensor>),
) -> tempfile::TempDir {
    let damped = damped(golden);
    let tensors = tensors(golden).into_iter().map(|(name, shape)| {
        let factors = damped.iter().filter(|(ending, _)| name.ends_with(ending));
        let factor: f32 = factors.map(|(_, factor)| factor).product();
        let values = parameter(&name, &shape, 0).into_iter().map(|v| v * factor);
        let tensor = Tensor::from_iter(values, &Device::Cpu).unwrap();
        (name, tensor.reshape(shape).unwrap())
    });
    let (mut config, mut tensors) = (golden["config"].clone(), tensors.collect());
    change(&mut config, &mut tensors);
    let dir = tempfile::tempdir().unwrap();
    let write = |name: &str, value: Value| {
        std::fs::write(dir.path().join(name), value.to_string()).unwrap();
    };
    write("config.json", config);
    let limit = json!({ "max_seq_length": golden["max_seq_length"] });
    write("sentence_bert_config.json", limit);
    std::fs::copy(path(tokenizer), dir.path().join("tokenizer.json")).unwrap();
    candle_core::safetensors::save(&tensors, dir.path().join("model.safetensors")).unwrap();
    dir
}

/// Compares the vectors of all texts, encoded together, with the reference; returns the largest difference.
pub(crate) fn check_vectors(encoder: &dyn TextEncoder, texts: &[String], expected: &[Vec<f32>]) -> f32 {
    let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
    let vectors = encoder.encode(&texts, &|_| {}).unwrap();
    let n_features = encoder.n_features();
    assert_eq!(texts.len(), expected.len());
    assert_eq!(vectors.len(), texts.len() * n_features);
    let mut largest = 0.0_f32;
    for ((text, vector), expected) in texts.iter().zip(vectors.chunks(n_features)).zip(expected) {
        assert_eq!(vector.len(), expected.len());
        for (value, expected) in vector.iter().zip(expected) {
            let difference = (value - expected).abs();
            assert!(difference < 2e-6, "{text:?}: {value} {expected}");
            largest = largest.max(difference);
        }
        // A text encoded alone has the same vector to the bit.
        assert_eq!(encoder.encode(&[text], &|_| {}).unwrap(), vector);
    }
    largest
}

/// The golden's texts and vectors.
pub(crate) fn texts(golden: &Value) -> (Vec<String>, Vec<Vec<f32>>) {
    let cases = golden["texts"].as_array().unwrap();
    let pair = |case: &Value| (read(&case["text"]), read(&case["vector"]));
    cases.iter().map(pair).unzip()
}
