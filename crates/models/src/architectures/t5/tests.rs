//! Compares with transformers' T5ForConditionalGeneration: the same synthetic checkpoint, the same ids.
#![allow(clippy::print_stdout)]

use super::*;
use crate::checkpoint::Checkpoint;
use crate::checkpoint::config_json::ConfigJson;
use crate::goldens::{damped, device, devices, difference, golden, read, tensors};
use crate::{DeviceChoice, ModelError};
use neurogauge_kernels::blocks::{Sequences, host_values};
use neurogauge_kernels::generation::{Decoder, EarlyStopping, GenerationOptions, generate};
use serde_json::{Value, json};

/// Largest difference from the reference, in standard deviations of the values compared.
const TOLERANCE: f64 = 1e-4;

fn config(fields: &Value) -> Result<Config, ModelError> {
    Config::from_text(&fields.to_string())
}

/// A file with the golden's tensors and `others`.
fn checkpoint(golden: &Value, others: &[(&str, Vec<usize>)]) -> Checkpoint {
    let others = others.iter().map(|(name, shape)| ((*name).to_owned(), shape.clone()));
    let tensors = tensors(golden).into_iter().chain(others).collect();
    Checkpoint::synthetic_file("model.safetensors".into(), tensors, 0, &damped(golden), ARCHITECTURE).unwrap()
}

fn check(name: &str, device: DeviceChoice) {
    let golden = golden(name);
    let config = config(&golden["config"]).unwrap();
    let checkpoint = checkpoint(&golden, &[]).computed(device.into()).unwrap();
    let (encoder, decoder) = build(checkpoint, &config).unwrap();
    let run = &golden["runs"][0];
    let sources: Vec<Vec<u32>> = read(&run["ids"]);
    let targets: Vec<Vec<u32>> = read(&run["decoder_ids"]);
    let sequences = Sequences::new(sources.iter().map(Vec::len));

    let encoded = encoder.forward(&sources.concat(), &sequences).unwrap();
    let mut worst = [0.0_f64; 2];
    for (rows, record) in sequences.rows().zip(run["taps"]["encoder"].as_array().unwrap()) {
        let own = host_values(&encoded.narrow(0, rows.start, rows.len()).unwrap()).unwrap();
        worst[0] = worst[0].max(difference("encoder", &own, record));
    }

    // All texts are written side by side, token by token, and keys and values are kept.
    let mut state = decoder.begin(&encoded, &sequences).unwrap();
    let mut logits = vec![Vec::new(); targets.len()];
    for step in 0..targets[0].len() {
        let ids: Vec<u32> = targets.iter().map(|target| target[step]).collect();
        let rows = decoder.append(&mut state, &ids).unwrap();
        for (logits, row) in logits.iter_mut().zip(rows.chunks_exact(config.vocab_size)) {
            logits.extend_from_slice(row);
        }
    }
    for (own, record) in logits.iter().zip(run["taps"]["logits"].as_array().unwrap()) {
        worst[1] = worst[1].max(difference("logits", own, record));
    }
    println!("{name} on {device}: encoder {:e}, logits {:e}", worst[0], worst[1]);
    assert!(worst.iter().all(|&worst| worst < TOLERANCE), "{name}: {worst:?}");

    for case in run["generation"].as_array().unwrap() {
        let early = case["early"].as_str().unwrap();
        let options = GenerationOptions {
            n_beams: read(&case["beams"]),
            max_new_tokens: read(&case["max_new_tokens"]),
            length_penalty: read(&case["penalty"]),
            early_stopping: match early {
                "full" => EarlyStopping::WhenFull,
                _ => EarlyStopping::WhenUnlikelyToImprove,
            },
            ends: read(&case["ends"]),
        };
        let start = vec![config.start(); sources.len()];
        let state = decoder.begin(&encoded, &sequences).unwrap();
        let ids = generate(&decoder, state, &start, &options).unwrap();
        assert_eq!(ids, read::<Vec<Vec<u32>>>(&case["ids"]), "{name}: {options:?}");
    }
}

#[test]
fn an_output_map_of_its_own() {
    for device in devices() {
        check("t5_reduced", device);
    }
}

#[test]
fn the_table_of_tokens_as_output_map() {
    for device in devices() {
        check("t5_tied_reduced", device);
    }
}

#[test]
#[ignore = "flan-t5-base's size: run by `make test-large`"]
fn flan_t5_base() {
    check("t5_base", device());
}

/// The rows of a batch do not depend on each other, to the bit.
#[test]
fn a_text_s_logits_depend_on_it_alone() {
    let golden = golden("t5_reduced");
    let config = config(&golden["config"]).unwrap();
    let (encoder, decoder) = build(checkpoint(&golden, &[]), &config).unwrap();
    let logits = |sources: &[Vec<u32>]| {
        let sequences = Sequences::new(sources.iter().map(Vec::len));
        let encoded = encoder.forward(&sources.concat(), &sequences).unwrap();
        let mut state = decoder.begin(&encoded, &sequences).unwrap();
        decoder.append(&mut state, &vec![0; sources.len()]).unwrap();
        decoder.append(&mut state, &vec![5; sources.len()]).unwrap()
    };
    let sources: Vec<Vec<u32>> = read(&golden["runs"][0]["ids"]);
    let together = logits(&sources);
    for (source, row) in sources.iter().zip(together.chunks_exact(config.vocab_size)) {
        assert_eq!(logits(std::slice::from_ref(source)), row);
    }
}

/// PyTorch writes files that have the token table under all its names.
#[test]
fn tensors_without_use_are_accepted_and_others_are_not() {
    let golden = golden("t5_reduced");
    let config = config(&golden["config"]).unwrap();
    let table = vec![61, 48];
    let with = |name, shape| build(checkpoint(&golden, &[(name, shape)]), &config);
    assert!(with("encoder.embed_tokens.weight", table.clone()).is_ok());
    let old = "decoder.block.0.layer.1.EncDecAttention.relative_attention_bias.weight";
    assert!(with(old, vec![8, 4]).is_ok());
    let error = with("decoder.block.7.layer.0.layer_norm.weight", vec![48]).err().unwrap();
    assert!(error.to_string().contains("has no place in T5"), "{error}");
}

/// transformers 5.23's T5Config reads these fields in the same way.
#[test]
fn logits_are_scaled_unless_the_configuration_says_otherwise() {
    let golden = golden("t5_reduced");
    let scaled = 1.0 / 48_f64.sqrt();
    for (tied, scale, expected) in [
        (json!(false), Value::Null, 1.0),
        (json!(true), Value::Null, scaled),
        (Value::Null, Value::Null, scaled),
        (json!(true), json!(false), 1.0),
        (json!(false), json!(true), scaled),
    ] {
        let mut fields = golden["config"].clone();
        fields["tie_word_embeddings"] = tied;
        fields["scale_decoder_outputs"] = scale;
        assert_eq!(config(&fields).unwrap().logit_scale(), expected, "{fields}");
    }
}

#[test]
fn a_configuration_that_would_be_computed_wrongly_is_refused() {
    let golden = golden("t5_reduced");
    for (field, value, expected) in [
        ("model_type", json!("mt5"), "needs t5"),
        ("feed_forward_proj", json!("relu"), "needs gated-gelu"),
        ("feed_forward_proj", Value::Null, "expected a string"),
        ("num_heads", json!(0), "needs a positive number"),
        ("num_decoder_layers", json!(0), "needs a positive number"),
        ("relative_attention_num_buckets", json!(6), "a multiple of 4"),
        ("relative_attention_max_distance", json!(4), "more than half"),
        ("eos_token_id", json!(61), "an id of the vocabulary"),
        ("decoder_start_token_id", json!(99), "an id of the vocabulary"),
    ] {
        let mut fields = golden["config"].clone();
        fields[field] = value;
        let message = config(&fields).unwrap_err().to_string();
        assert!(message.contains(expected), "{field}: {message}");
    }
}
