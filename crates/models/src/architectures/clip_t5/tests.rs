//! Compares with transformers' CLIPVisionModel and T5ForConditionalGeneration: the same synthetic checkpoint, the same
//! pictures and texts.
#![allow(clippy::print_stdout)]

use super::config::{Config, TowerConfig};
use super::network::Prompt;
use super::picture::prepared;
use super::weights::build;
use super::*;
use crate::checkpoint::Checkpoint;
use crate::checkpoint::config_json::ConfigJson;
use crate::goldens::{check_layer, checkpoint, devices, folder, golden, photograph_window, read, round};
use crate::observers::local_vlm::YesNoVlm;
use crate::{ModelError, WeightPrecision};
use candle_core::{DType, Device, Tensor};
use neurogauge_core::ModelIdentity;
use neurogauge_kernels::blocks::Sequences;
use neurogauge_kernels::generation::Decoder;
use serde_json::{Value, json};
use std::collections::HashMap;
use std::path::Path;

pub(crate) const GOLDEN: &str = "clip_t5_reduced";
const TOKENIZER: &str = "clip_t5_tokenizer";
/// The folder that the image tower's own files are in.
pub(crate) const TOWER: &str = "clip-vit-large-patch14-336";
/// Largest difference of a logarithm of a probability.
pub(crate) const TOLERANCE: f64 = 1e-4;

pub(crate) type Tensors = HashMap<String, Tensor>;

pub(crate) fn runs(golden: &Value) -> &Vec<Value> {
    golden["runs"].as_array().unwrap()
}

fn prompt(run: &Value) -> Prompt {
    Prompt {
        before: read(&run["before"]),
        behind: read(&run["behind"]),
    }
}

fn network(golden: &Value, checkpoint: Checkpoint) -> network::Network {
    let config = Config::from_text(&golden["config"].to_string()).unwrap();
    let tower = TowerConfig::from_text(&golden["tower"].to_string()).unwrap();
    build(checkpoint, None, &config, tower.tower()).unwrap()
}

/// Rows of values that are in main memory.
fn rows(values: Vec<f32>, width: usize) -> Tensor {
    let shape = (values.len() / width, width);
    Tensor::from_vec(values, shape, &Device::Cpu).unwrap()
}

#[test]
fn layers_equal_transformers() {
    let golden = golden(GOLDEN);
    let side: usize = read(&golden["tower"]["vision_config"]["image_size"]);
    for device in devices() {
        let network = network(&golden, checkpoint(&golden, ARCHITECTURE, device));
        for run in runs(&golden) {
            let picture = prepared(&photograph_window(run), side).unwrap();
            let patches = network.patches(&picture).unwrap();
            let encoded = network.encoded(&patches, &prompt(run)).unwrap();
            let sequences = Sequences::new([encoded.dim(0).unwrap()]);
            let mut texts = network.decoder.begin(&encoded, &sequences).unwrap();
            let answer: Vec<u32> = read(&run["answer"]);
            let given = [network.start, answer[0]];
            let logits = given.map(|id| network.decoder.step(&mut texts, &[id]).unwrap());
            let vocab_size: usize = read(&golden["config"]["vocab_size"]);
            for (tap, layer) in [
                ("input", rows(picture.data().to_vec(), 3 * side)),
                ("tower", patches.clone()),
                ("projected", network.projector.forward(&patches).unwrap()),
                ("encoder", encoded),
                ("logits", rows(logits.concat(), vocab_size)),
            ] {
                let mut record = run["taps"][tap].clone();
                if tap == "input" {
                    record[0]["shape"] = json!([side, 3 * side]);
                }
                let sequence = Sequences::new([layer.dim(0).unwrap()]);
                let worst = check_layer(tap, &layer, &sequence, &record);
                println!("{device}, {} {tap}: {worst:e}", run["picture"]);
            }
        }
    }
}

/// Only tokens that the tokenizer knows have a probability; the table has five more rows.
#[test]
fn log_probabilities_equal_those_of_the_loss() {
    let golden = golden(GOLDEN);
    let side: usize = read(&golden["tower"]["vision_config"]["image_size"]);
    let n_tokens: usize = read(&golden["n_tokens"]);
    for device in devices() {
        let network = network(&golden, checkpoint(&golden, ARCHITECTURE, device));
        for run in runs(&golden) {
            let picture = prepared(&photograph_window(run), side).unwrap();
            let answer: Vec<u32> = read(&run["answer"]);
            let found = |prompt: Prompt, n_tokens: usize| {
                network.log_probabilities(&picture, &prompt, &answer, n_tokens).unwrap()
            };
            let expected: Vec<f64> = read(&run["log_probabilities"]);
            let differs = |logs: &[f64]| logs.iter().zip(&expected).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
            let logs = found(prompt(run), n_tokens);
            assert_eq!(logs.len(), 2);
            assert!(differs(&logs) < TOLERANCE, "{device} {logs:?} {expected:?}");
            // The comparison would detect these changes.
            assert!(differs(&found(prompt(run), n_tokens + 5)) > 100.0 * TOLERANCE);
            let mut without_end = prompt(run);
            without_end.before.pop();
            assert!(differs(&found(without_end, n_tokens)) > 100.0 * TOLERANCE);
        }
    }
}

#[test]
fn the_tensors_are_those_of_the_published_classes_but_for_the_last_block() {
    let golden = golden(GOLDEN);
    let config = Config::from_text(&golden["config"].to_string()).unwrap();
    let tower = TowerConfig::from_text(&golden["tower"].to_string()).unwrap();
    // The index of a checkpoint that has every name.
    let mut whole: HashMap<String, Vec<usize>> = read(&golden["tensors"]);
    let last = "vision_tower.vision_tower.vision_model.encoder.layers.2.";
    whole.retain(|name, _| !name.starts_with(last));
    let listed = |tensors: HashMap<String, Vec<usize>>| {
        let path = "pytorch_model.bin".into();
        let tensors = tensors.into_iter().collect();
        Checkpoint::synthetic_file(path, tensors, 0, &[], ARCHITECTURE).unwrap()
    };
    assert!(build(listed(whole.clone()), None, &config, tower.tower()).is_ok());
    for name in whole.keys() {
        let mut fewer = whole.clone();
        fewer.remove(name);
        let built = build(listed(fewer), None, &config, tower.tower());
        // Without a separate output map, the table of tokens replaces it.
        assert_eq!(built.is_ok(), name == "lm_head.weight", "{name}");
    }
    let table = whole["shared.weight"].clone();
    for (name, fits) in [
        ("embed_tokens.weight", true),
        ("encoder.embed_tokens.weight", true),
        ("decoder.embed_tokens.weight", true),
        ("mm_projector.4.weight", false),
        ("vision_model.embeddings.class_embedding", false),
    ] {
        let mut more = whole.clone();
        more.insert(name.to_owned(), table.clone());
        let built = build(listed(more), None, &config, tower.tower());
        assert_eq!(built.is_ok(), fits, "{name}");
    }
}

/// A folder as the model is published in, after `change` has been made to its configuration and tensors.
pub(crate) fn published(change: impl FnOnce(&mut Value, &mut Tensors)) -> tempfile::TempDir {
    let golden = golden(GOLDEN);
    let dir = folder(&golden, TOKENIZER, change);
    let tower = dir.path().join(TOWER);
    std::fs::create_dir(&tower).unwrap();
    std::fs::write(tower.join("config.json"), golden["tower"].to_string()).unwrap();
    dir
}

pub(crate) fn load(dir: &Path, score: AnswerScore, precision: WeightPrecision) -> Result<ClipFlanT5, ModelError> {
    let identity = ModelIdentity::named("clip_flant5_xl-custom");
    ClipFlanT5::load(&dir.join("model.safetensors"), precision.marked(identity), score)
}

fn question(golden: &Value, run: &Value) -> String {
    golden["question"].as_str().unwrap().replace("{}", run["caption"].as_str().unwrap())
}

pub(crate) fn yes(model: &ClipFlanT5, golden: &Value, run: &Value) -> f64 {
    let answer = model.beginnings(&photograph_window(run), &question(golden, run)).unwrap();
    assert_eq!((answer.len(), answer[0].token.as_str()), (1, "Yes"));
    answer[0].logprob.exp()
}

/// The model is loaded from a folder and gets picture and question as a user gives them; ids, padding and the mean must
/// be the reference's.
#[test]
fn scores_equal_those_of_the_reference() {
    let golden = golden(GOLDEN);
    for (score, name) in [(AnswerScore::T2v, "t2v"), (AnswerScore::FirstToken, "first_token")] {
        let dir = published(|_, _| {});
        let model = load(dir.path(), score, WeightPrecision::F32).unwrap();
        for run in runs(&golden) {
            let expected: f64 = read(&run[name]);
            let found = yes(&model, &golden, run);
            assert!((found / expected - 1.0).abs() < TOLERANCE, "{name} {found} {expected}");
        }
    }
}

#[test]
fn ids_are_those_of_the_reference_with_an_end_token_before_the_picture() {
    let golden = golden(GOLDEN);
    let dir = published(|_, _| {});
    let model = load(dir.path(), AnswerScore::T2v, WeightPrecision::F32).unwrap();
    for run in runs(&golden) {
        let found = model.prompt(&question(&golden, run)).unwrap();
        assert_eq!(json!(found.before), run["before"]);
        assert_eq!(json!(found.behind), run["behind"]);
        assert_eq!((found.before.last(), found.behind.last()), (Some(&1), Some(&1)));
    }
}

/// Published weights are rounded like this: all maps are kept in 16 bits.
#[test]
fn rounded_weights_score_as_rounded_tensors_do() {
    let golden = golden(GOLDEN);
    let run = &runs(&golden)[1];
    let score = |precision, is_rounded: bool| {
        let dir = published(|_, tensors| {
            if is_rounded {
                round(tensors, DType::BF16);
            }
        });
        let model = load(dir.path(), AnswerScore::T2v, precision).unwrap();
        yes(&model, &golden, run)
    };
    let rounded = score(WeightPrecision::Bf16, false);
    assert_eq!(rounded, score(WeightPrecision::F32, true));
    let whole = score(WeightPrecision::F32, false);
    assert!((rounded / whole - 1.0).abs() > 1e-3, "{rounded} {whole}");
}

#[test]
fn what_would_be_computed_wrongly_is_refused_with_its_field() {
    for (field, value) in [
        ("model_type", json!("t5")),
        ("feed_forward_proj", json!("relu")),
        ("mm_projector_type", json!("linear")),
        ("mm_vision_select_layer", json!(-1)),
        ("mm_vision_select_feature", json!("cls_patch")),
        ("mm_use_im_start_end", json!(true)),
        ("mm_hidden_size", json!(64)),
        ("mm_vision_tower", json!("openai/clip-vit-base-patch16")),
    ] {
        let dir = published(|config, _| config[field] = value.clone());
        let refused = load(dir.path(), AnswerScore::T2v, WeightPrecision::F32);
        let message = refused.err().unwrap().to_string();
        assert!(message.contains(field), "{field}: {message}");
    }
    let of_tower = |change: Value| {
        let whole = golden(GOLDEN)["tower"].clone();
        let mut tower = whole["vision_config"].clone();
        for (field, value) in change.as_object().unwrap() {
            tower[field] = value.clone();
        }
        TowerConfig::from_text(&json!({ "vision_config": tower }).to_string())
    };
    assert!(of_tower(json!({})).is_ok());
    for change in [json!({"num_hidden_layers": 1}), json!({"hidden_act": "gelu"})] {
        assert!(of_tower(change.clone()).is_err(), "{change}");
    }
}

#[test]
fn a_tower_without_a_folder_is_the_published_one() {
    let dir = published(|config, _| config["mm_hidden_size"] = json!(1024));
    std::fs::remove_dir_all(dir.path().join(TOWER)).unwrap();
    let refused = load(dir.path(), AnswerScore::T2v, WeightPrecision::F32);
    let message = refused.err().unwrap().to_string();
    // The synthetic tower is smaller.
    assert!(message.contains("1024"), "{message}");
}
