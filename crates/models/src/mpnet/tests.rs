//! Against transformers' MPNetModel and sentence-transformers: the same synthetic checkpoint, the same texts.
#![allow(clippy::print_stdout)]

use super::config::Config;
use super::weights::build;
use super::*;
use crate::blocks::{Sequences, host_values};
use crate::checkpoint::Checkpoint;
use crate::sentence_encoder::TokenVectors;
use crate::{ModelError, TextEncoder};
use candle_core::{Device, Tensor};
use neurogauge_core::synthetic::{Synthetic, parameter};
use serde_json::{Value, json};
use std::collections::{BTreeMap, HashMap};
use std::path::{Path, PathBuf};

/// Largest difference from the reference, in standard deviations of the values compared.
const TOLERANCE: f64 = 1e-4;

fn golden_path(name: &str) -> PathBuf {
    let golden = concat!(env!("CARGO_MANIFEST_DIR"), "/../../reference/golden/models");
    Path::new(golden).join(format!("{name}.json"))
}

fn golden(name: &str) -> Value {
    let path = golden_path(name);
    let text = std::fs::read(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    serde_json::from_slice(&text).unwrap()
}

fn read<T: serde::de::DeserializeOwned>(value: &Value) -> T {
    serde_json::from_value(value.clone()).unwrap()
}

/// Values, mean and deviation against a record, in standard deviations.
fn difference(values: &[f32], record: &Value) -> f64 {
    let shape: Vec<usize> = read(&record["shape"]);
    assert_eq!(values.len(), shape.iter().product::<usize>());
    let std = record["std"].as_f64().unwrap();
    let n = values.len() as f64;
    let mean = values.iter().map(|&v| f64::from(v)).sum::<f64>() / n;
    let squares = values.iter().map(|&v| (f64::from(v) - mean).powi(2));
    let deviation = (squares.sum::<f64>() / n).sqrt();
    let mut largest = (mean - record["mean"].as_f64().unwrap()).abs();
    largest = largest.max((deviation - std).abs());
    let probe = Synthetic::new("probe", 0);
    for (k, expected) in (0..).zip(read::<Vec<f32>>(&record["values"])) {
        let value = values[(probe.bits(k) % values.len() as u64) as usize];
        largest = largest.max(f64::from((value - expected).abs()));
    }
    assert!(largest.is_finite());
    largest / std
}

/// All sequences in one batch against each alone in the reference, layer by layer.
fn check_layers(name: &str) {
    let golden = golden(name);
    let config: Config = read(&golden["config"]);
    let damped: BTreeMap<String, f32> = read(&golden["damped"]);
    let damped: Vec<(String, f32)> = damped.into_iter().collect();
    let tensors: BTreeMap<String, Vec<usize>> = read(&golden["tensors"]);
    let tensors = tensors.into_iter().collect();
    let path = "model.safetensors".into();
    let checkpoint = Checkpoint::synthetic_file(path, tensors, 0, &damped, ARCHITECTURE).unwrap();
    let model = build(checkpoint, &config).unwrap();
    let run = &golden["runs"][0];
    let ids: Vec<Vec<u32>> = read(&run["ids"]);
    let sequences = Sequences::new(ids.iter().map(Vec::len));
    let ids = ids.concat();

    let mut layers = vec![model.embedded(&ids, &sequences).unwrap()];
    let bias = model.bias.both_ways(&sequences);
    for (index, layer) in model.layers.iter().enumerate() {
        let output = layer.forward_post_norm(&layers[index], &sequences, &bias);
        layers.push(output.unwrap());
    }
    let last = host_values(&layers[layers.len() - 1]).unwrap();
    let whole = model.token_vectors(&ids, &sequences).unwrap();
    assert_eq!(host_values(&whole).unwrap(), last);

    assert_eq!(run["taps"].as_object().unwrap().len(), layers.len());
    let mut worst = 0.0_f64;
    for (index, layer) in layers.iter().enumerate() {
        let tap = match index {
            0 => "embeddings".to_owned(),
            _ => format!("encoder.layer.{}", index - 1),
        };
        let records = run["taps"][&tap].as_array().unwrap();
        assert_eq!(records.len(), sequences.len());
        for (rows, record) in sequences.rows().zip(records) {
            let own = layer.narrow(0, rows.start, rows.len()).unwrap();
            let found = difference(&host_values(&own).unwrap(), record);
            assert!(found < TOLERANCE, "{name} {tap}: {found:e}");
            worst = worst.max(found);
        }
    }
    println!("{name}: largest difference {worst:e}");
}

#[test]
fn layers_equal_transformers() {
    check_layers("mpnet_reduced");
}

#[test]
#[ignore = "all-mpnet-base-v2's size: run by `make test-large`"]
fn layers_of_the_published_size_equal_transformers() {
    check_layers("mpnet_base");
}

/// A folder in the published layout, after `change` has been made to its configuration and tensors.
fn folder(change: impl FnOnce(&mut Value, &mut HashMap<String, Tensor>)) -> tempfile::TempDir {
    let golden = golden("mpnet_reduced");
    let shapes: BTreeMap<String, Vec<usize>> = read(&golden["tensors"]);
    let damped: BTreeMap<String, f32> = read(&golden["damped"]);
    let tensors = shapes.into_iter().map(|(name, shape)| {
        let factors = damped.iter().filter(|(ending, _)| name.ends_with(*ending));
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
    std::fs::copy(
        golden_path("mpnet_tokenizer"),
        dir.path().join("tokenizer.json"),
    )
    .unwrap();
    candle_core::safetensors::save(&tensors, dir.path().join("model.safetensors")).unwrap();
    dir
}

fn load(
    change: impl FnOnce(&mut Value, &mut HashMap<String, Tensor>),
) -> Result<MpNet, ModelError> {
    MpNet::load(folder(change).path())
}

fn texts() -> (Vec<String>, Vec<Vec<f32>>) {
    let golden = golden("mpnet_reduced");
    let cases = golden["texts"].as_array().unwrap();
    let pair = |case: &Value| (read(&case["text"]), read(&case["vector"]));
    cases.iter().map(pair).unzip()
}

/// Empty, accented, unknown, too long, of special tokens: in one padded batch there, end to end here.
#[test]
fn vectors_of_texts_equal_sentence_transformers() {
    let encoder = load(|_, _| {}).unwrap();
    let (texts, expected) = texts();
    let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
    let vectors = encoder.encode(&texts, &|_| {}).unwrap();
    let n_features = encoder.n_features();
    assert_eq!(vectors.len(), texts.len() * n_features);
    let mut largest = 0.0_f32;
    for ((text, vector), expected) in texts.iter().zip(vectors.chunks(n_features)).zip(&expected) {
        for (value, expected) in vector.iter().zip(expected) {
            let difference = (value - expected).abs();
            assert!(difference < 2e-6, "{text:?}: {value} {expected}");
            largest = largest.max(difference);
        }
        assert_eq!(encoder.encode(&[text], &|_| {}).unwrap(), vector);
    }
    println!("largest difference: {largest:e}");
}

#[test]
fn weights_are_said_to_be_custom_and_what_serves_other_tasks_may_be_there() {
    let encoder = load(|_, tensors| {
        let positions = Tensor::zeros((1, 190), candle_core::DType::I64, &Device::Cpu);
        tensors.insert("embeddings.position_ids".into(), positions.unwrap());
        let pooler = Tensor::zeros((48, 48), candle_core::DType::F32, &Device::Cpu);
        tensors.insert("pooler.dense.weight".into(), pooler.unwrap());
    })
    .unwrap();
    assert_eq!(encoder.identity().id, "mpnet-custom");
    assert_eq!(encoder.identity().sha256.len(), 64);
}

#[test]
fn what_would_be_computed_wrongly_is_refused() {
    for (field, value, expected) in [
        ("model_type", json!("bert"), "needs mpnet"),
        ("hidden_act", json!("relu"), "needs gelu"),
        ("relative_attention_num_buckets", json!(16), "needs 32"),
        ("num_attention_heads", json!(5), "a divisor of hidden_size"),
        ("vocab_size", json!(96), "different models"),
        // Two positions are those of no token.
        ("max_position_embeddings", json!(25), "needs 3 to 23"),
        ("max_position_embeddings", json!(1), "needs 3 to 0"),
    ] {
        let error = load(|config, _| config[field] = value).err().unwrap();
        let message = error.to_string();
        assert!(message.contains(expected), "{field}: {message}");
    }
    let name = "encoder.relative_attention_bias.weight";
    let error = load(|_, tensors| drop(tensors.remove(name))).err().unwrap();
    let message = error.to_string();
    assert!(
        message.contains(&format!("lacks the tensor {name}")),
        "{message}"
    );
}
