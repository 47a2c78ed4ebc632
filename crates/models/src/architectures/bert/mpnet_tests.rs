//! Against transformers' MPNetModel and sentence-transformers: the same synthetic checkpoint, the same texts.
#![allow(clippy::print_stdout)]

use super::MpNet;
use super::config::Config;
use super::variant::MPNET;
use super::weights::build;
use crate::goldens::{self, check_vectors, checkpoint, folder, golden, read, texts};
use crate::observers::text_encoding::TokenVectors;
use crate::{Arithmetic, DeviceChoice, ModelError, SentenceEncoder, TextEncoder};
use candle_core::{Device, Tensor};
use neurogauge_kernels::blocks::{Sequences, host_values};
use serde_json::{Value, json};
use std::collections::HashMap;

/// Compares one batch of all sequences with the reference, which ran each alone, layer by layer.
fn check_layers(name: &str, device: DeviceChoice) {
    let golden = golden(name);
    let config: Config = read(&golden["config"]);
    let checkpoint = checkpoint(&golden, MPNET.architecture, device);
    let model = build(checkpoint, &config, &MPNET).unwrap();
    let run = &golden["runs"][0];
    let ids: Vec<Vec<u32>> = read(&run["ids"]);
    let sequences = Sequences::new(ids.iter().map(Vec::len));
    let ids = ids.concat();

    let positions = model.places(&ids, &sequences);
    let mut x = model.embedded(&ids, &positions).unwrap();
    let mut layers = vec![("embeddings".to_owned(), x.clone())];
    let bias = model.bias(&sequences);
    for (index, layer) in model.layers.iter().enumerate() {
        x = layer.forward_post_norm(&x, &sequences, &*bias).unwrap();
        layers.push((format!("encoder.layer.{index}"), x.clone()));
    }
    let whole = model.token_vectors(&ids, &sequences).unwrap();
    assert_eq!(host_values(&whole).unwrap(), host_values(&x).unwrap());
    let worst = goldens::check_layers(run, &sequences, &layers);
    println!("{name} on {device}: largest difference {worst:e}");
}

#[test]
fn layers_equal_transformers() {
    for device in goldens::devices() {
        check_layers("mpnet_reduced", device);
    }
}

#[test]
#[ignore = "all-mpnet-base-v2's size: run by `make test-large`"]
fn layers_of_the_published_size_equal_transformers() {
    check_layers("mpnet_base", goldens::device());
}

fn load(change: impl FnOnce(&mut Value, &mut HashMap<String, Tensor>)) -> Result<SentenceEncoder, ModelError> {
    MpNet::load(folder(&golden("mpnet_reduced"), "mpnet_tokenizer", change).path(), Arithmetic::default())
}

/// Empty, accented, unknown and overlong texts, and texts of special tokens: the reference pads them into one batch,
/// and here they are laid end to end.
#[test]
fn vectors_of_texts_equal_sentence_transformers() {
    let encoder = load(|_, _| {}).unwrap();
    let (texts, expected) = texts(&golden("mpnet_reduced"));
    let largest = check_vectors(&encoder, &texts, &expected);
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
        // Two positions belong to no token.
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
    assert!(message.contains(&format!("lacks the tensor {name}")), "{message}");
}
