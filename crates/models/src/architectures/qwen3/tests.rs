//! Compares with transformers' Qwen3Model and sentence-transformers: the same synthetic checkpoint, the same texts.
#![allow(clippy::print_stdout)]

use super::config::Config;
use super::weights::build;
use super::*;
use crate::checkpoint::text_tokenizer::{TextTokenizer, TokenizerNeeds};
use crate::goldens::{self, check_vectors, checkpoint, folder, golden, path, read, texts};
use crate::observers::text_encoding::TokenVectors;
use crate::{Arithmetic, DeviceChoice, ModelError, SentenceEncoder, TextEncoder, WeightPrecision};
use candle_core::{DType, Device, Tensor};
use neurogauge_kernels::blocks::{CausalMask, Sequences, host_values};
use serde_json::{Value, json};
use std::collections::HashMap;

const GOLDEN: &str = "qwen3_reduced";
const TOKENIZER: &str = "qwen3_tokenizer";

/// Compares one batch of all sequences with the reference, which ran each alone, layer by layer.
fn check_layers(name: &str, device: DeviceChoice) {
    let golden = golden(name);
    let config: Config = read(&golden["config"]);
    let model = build(checkpoint(&golden, ARCHITECTURE, device), &config).unwrap();
    let run = &golden["runs"][0];
    let ids: Vec<Vec<u32>> = read(&run["ids"]);
    let sequences = Sequences::new(ids.iter().map(Vec::len));
    let ids = ids.concat();

    let mut x = model.words.forward(&ids).unwrap();
    let mut layers = vec![("embed_tokens".to_owned(), x.clone())];
    let (turns, mask) = (model.turns(&sequences), CausalMask::new(&sequences));
    for (index, layer) in model.layers.iter().enumerate() {
        x = layer.forward(&x, &sequences, &turns, &mask).unwrap();
        layers.push((format!("layers.{index}"), x.clone()));
    }
    let last = model.norm.forward(&x).unwrap();
    let whole = model.token_vectors(&ids, &sequences).unwrap();
    assert_eq!(host_values(&whole).unwrap(), host_values(&last).unwrap());
    layers.push(("norm".to_owned(), last));
    let worst = goldens::check_layers(run, &sequences, &layers);
    println!("{name} on {device}: largest difference {worst:e}");
}

#[test]
fn layers_equal_transformers() {
    for device in goldens::devices() {
        check_layers(GOLDEN, device);
    }
}

#[test]
#[ignore = "layers of the published size: run by `make test-large`"]
fn layers_of_the_published_size_equal_transformers() {
    check_layers("qwen3_wide", goldens::device());
}

/// Byte pairs, Unicode, pairs of blanks, contractions, special tokens, and texts that are too long.
#[test]
fn token_ids_equal_those_of_transformers() {
    let golden = golden(GOLDEN);
    let needs = TokenizerNeeds {
        vocab_size: read(&golden["config"]["vocab_size"]),
        may_have_fewer_tokens: false,
        max_tokens: read(&golden["max_seq_length"]),
        ends: &[END],
    };
    let tokenizer = TextTokenizer::read(&path(TOKENIZER), &needs).unwrap();
    for case in golden["texts"].as_array().unwrap() {
        let ids = tokenizer.ids(0, case["text"].as_str().unwrap()).unwrap();
        assert_eq!(json!(ids), case["ids"], "{}", case["text"]);
    }
}

fn load_rounded(
    precision: WeightPrecision,
    change: impl FnOnce(&mut Value, &mut HashMap<String, Tensor>),
) -> Result<SentenceEncoder, ModelError> {
    let folder = folder(&golden(GOLDEN), TOKENIZER, change);
    Qwen3Embedding::load(folder.path(), precision.into())
}

fn load(change: impl FnOnce(&mut Value, &mut HashMap<String, Tensor>)) -> Result<SentenceEncoder, ModelError> {
    load_rounded(WeightPrecision::F32, change)
}

fn vectors(encoder: &SentenceEncoder) -> Vec<f32> {
    let (texts, _) = texts(&golden(GOLDEN));
    let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
    encoder.encode(&texts, &|_| {}).unwrap()
}

/// The reference pads texts into one batch; here they are laid end to end.
#[test]
fn vectors_of_texts_equal_sentence_transformers() {
    let encoder = load(|_, _| {}).unwrap();
    let (texts, expected) = texts(&golden(GOLDEN));
    let largest = check_vectors(&encoder, &texts, &expected);
    println!("largest difference: {largest:e}");
    assert_eq!(encoder.identity().id, "qwen3-embedding-custom");
    assert_eq!(encoder.identity().sha256.len(), 64);
}

#[test]
fn an_instruction_is_sentence_transformers_prompt() {
    let mut golden = golden(GOLDEN);
    golden["max_seq_length"] = json!(512);
    let folder = folder(&golden, TOKENIZER, |_, _| {});
    let encoder = Qwen3Embedding::load(folder.path(), Arithmetic::default()).unwrap();
    let expected: Vec<Vec<f32>> = read(&golden["instructed"]);
    let instruction = golden["instruction"].as_str().unwrap();
    let (texts, _) = texts(&golden);
    let texts: Vec<String> = texts.iter().take(expected.len()).map(|text| instructed(instruction, text)).collect();
    check_vectors(&encoder, &texts, &expected);
}

#[test]
fn weights_are_rounded_as_torch_rounds_them() {
    let golden = golden(GOLDEN);
    let (texts, plain) = texts(&golden);
    for (precision, name) in [(WeightPrecision::Bf16, "bf16"), (WeightPrecision::F16, "f16")] {
        let encoder = load_rounded(precision, |_, _| {}).unwrap();
        assert_eq!(encoder.identity().id, format!("qwen3-embedding-custom-{name}"));
        let expected: Vec<Vec<f32>> = read(&golden["rounded"][name]);
        check_vectors(&encoder, &texts[..expected.len()], &expected);
        // Rounding makes a much larger difference than that tolerance.
        let pairs = expected.iter().zip(&plain);
        let change = pairs.flat_map(|(a, b)| a.iter().zip(b).map(|(a, b)| (a - b).abs()));
        assert!(change.fold(0.0, f32::max) > 1e-4, "{name}");
    }
}

#[test]
fn a_checkpoint_in_half_precision_is_the_rounded_one() {
    for (precision, dtype) in [(WeightPrecision::Bf16, DType::BF16), (WeightPrecision::F16, DType::F16)] {
        let rounded = load_rounded(precision, |_, _| {}).unwrap();
        let stored = load(|_, tensors| goldens::round(tensors, dtype)).unwrap();
        assert_eq!(vectors(&stored), vectors(&rounded), "{precision}");
        assert_ne!(stored.identity(), rounded.identity());
    }
}

#[test]
fn names_may_be_those_of_the_model_that_writes() {
    let plain = load(|_, _| {}).unwrap();
    let writing = load(|_, tensors| {
        let output = tensors["embed_tokens.weight"].clone();
        let renamed = tensors.drain().map(|(name, tensor)| (format!("model.{name}"), tensor));
        *tensors = renamed.collect();
        tensors.insert("lm_head.weight".to_owned(), output);
    });
    assert_eq!(vectors(&plain), vectors(&writing.unwrap()));
}

#[test]
fn transformers_4_writes_the_angles_base_elsewhere() {
    let plain = load(|_, _| {}).unwrap();
    let changed = |theta: f64| {
        let encoder = load(|config, _| {
            config["rope_parameters"] = Value::Null;
            config["rope_theta"] = json!(theta);
            config["rope_scaling"] = Value::Null;
        });
        vectors(&encoder.unwrap())
    };
    assert_eq!(changed(1e6), vectors(&plain));
    assert_ne!(changed(1e4), vectors(&plain));
}

#[test]
fn what_would_be_computed_wrongly_is_refused() {
    let dynamic = json!({ "rope_type": "dynamic", "rope_theta": 1e6 });
    for (field, value, expected) in [
        ("model_type", json!("qwen2"), "needs qwen3"),
        ("hidden_act", json!("gelu"), "needs silu"),
        ("attention_bias", json!(true), "needs false"),
        ("use_sliding_window", json!(true), "full_attention in all layers"),
        ("layer_types", json!(["full_attention", "sliding_attention"]), "full_attention"),
        ("rope_parameters", dynamic, "needs default"),
        ("rope_scaling", json!({ "type": "yarn" }), "needs null"),
        ("num_key_value_heads", json!(4), "a divisor of num_attention_heads = 6"),
        ("num_key_value_heads", json!(0), "a positive number"),
        ("head_dim", json!(9), "an even number"),
        ("vocab_size", json!(96), "different models"),
        ("max_position_embeddings", json!(20), "needs 3 to 20"),
    ] {
        let error = load(|config, _| config[field] = value).err().unwrap();
        let message = error.to_string();
        assert!(message.contains(expected), "{field}: {message}");
    }
    for (name, shape, expected) in [
        ("layers.1.self_attn.k_norm.weight", None, "lacks the tensor"),
        ("layers.0.self_attn.q_proj.bias", Some(60_usize), "has no place"),
    ] {
        let error = load(|_, tensors| match shape {
            None => drop(tensors.remove(name)),
            Some(n) => {
                let zeros = Tensor::zeros(n, DType::F32, &Device::Cpu).unwrap();
                tensors.insert(name.to_owned(), zeros);
            }
        });
        let message = error.err().unwrap().to_string();
        assert!(message.contains(name) && message.contains(expected), "{message}");
    }
}

#[test]
fn a_weight_beyond_half_precision_is_refused_by_name() {
    let name = "layers.2.input_layernorm.weight";
    let large = |_: &mut Value, tensors: &mut HashMap<String, Tensor>| {
        let tensor = Tensor::full(-70_000_f32, 48, &Device::Cpu).unwrap();
        tensors.insert(name.to_owned(), tensor);
    };
    let error = load_rounded(WeightPrecision::F16, large).err().unwrap();
    let message = error.to_string();
    for part in [name, "-70000", "f16 cannot hold", "weight-precision f32 or bf16"] {
        assert!(message.contains(part), "{message}");
    }
    assert!(load_rounded(WeightPrecision::Bf16, large).is_ok());
}

#[test]
fn a_tokenizer_that_does_not_end_texts_is_refused() {
    let refusal = |change: &dyn Fn(&mut Value)| {
        let folder = folder(&golden(GOLDEN), TOKENIZER, |_, _| {});
        let mut tokenizer = golden(TOKENIZER);
        change(&mut tokenizer);
        std::fs::write(folder.path().join("tokenizer.json"), tokenizer.to_string()).unwrap();
        Qwen3Embedding::load(folder.path(), Arithmetic::default()).err().unwrap().to_string()
    };
    let message = refusal(&|tokenizer| tokenizer["post_processor"] = Value::Null);
    assert!(message.contains("it puts no <|endoftext|> around a text"), "{message}");
    let message = refusal(&|tokenizer| {
        let template = &mut tokenizer["post_processor"]["processors"][1]["single"];
        template.as_array_mut().unwrap().reverse();
    });
    assert!(message.contains("does not put <|endoftext|> behind a text"), "{message}");
}
