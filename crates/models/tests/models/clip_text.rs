//! CLIP's text tower as a text encoder: its tokenizer, its files, refusals. The tower's own tests compare the layers
//! with the references.
use crate::caption_folder::{special_token, tensors_of};
use crate::parity::{golden, read};
use candle_core::{DType, Device, Tensor};
use neurogauge_core::{ModelIdentity, synthetic};
use neurogauge_models::{ClipText, LocalTextEncoder, ModelError, TextEncoder};
use serde_json::{Value, json};
use std::collections::HashMap;
use std::path::Path;

/// A tokenizer built like CLIP's in transformers, with these words as byte-pair vocabulary and numbers as the other
/// words; the last two of `n_tokens` are the start and the end.
fn tokenizer(words: &[&str], merges: &[[&str; 2]], n_tokens: usize) -> Value {
    let mut vocabulary = serde_json::Map::new();
    let mut add = |token: &str| {
        let id = vocabulary.len();
        vocabulary.entry(token).or_insert(json!(id));
    };
    words.iter().copied().for_each(&mut add);
    for number in 0..n_tokens - 2 - words.len() {
        add(&format!("<{number}>"));
    }
    let (start, end) = ("<|startoftext|>", "<|endoftext|>");
    [start, end].into_iter().for_each(&mut add);
    let pattern = r"<\|startoftext\|>|<\|endoftext\|>|'s|'t|'re|'ve|'m|'ll|'d|[\p{L}]+|[\p{N}]|[^\s\p{L}\p{N}]+";
    json!({
        "version": "1.0",
        "truncation": null,
        "padding": null,
        "added_tokens": [special_token(n_tokens - 2, start), special_token(n_tokens - 1, end)],
        "normalizer": { "type": "Sequence", "normalizers": [
            { "type": "NFC" },
            { "type": "Replace", "pattern": { "Regex": r"\s+" }, "content": " " },
            { "type": "Lowercase" }
        ] },
        "pre_tokenizer": { "type": "Sequence", "pretokenizers": [
            { "type": "Split", "pattern": { "Regex": pattern }, "behavior": "Removed", "invert": true },
            { "type": "ByteLevel", "add_prefix_space": false, "trim_offsets": true, "use_regex": true }
        ] },
        "post_processor": {
            "type": "RobertaProcessing", "sep": [end, n_tokens - 1], "cls": [start, n_tokens - 2],
            "trim_offsets": false, "add_prefix_space": false
        },
        "decoder": null,
        "model": {
            "type": "BPE", "dropout": null, "unk_token": end, "continuing_subword_prefix": "",
            "end_of_word_suffix": "</w>", "fuse_unk": false, "byte_fallback": false,
            "vocab": vocabulary, "merges": merges
        }
    })
}

/// Words that are merged letter by letter: a, b, ab, abb.
const WORDS: [&str; 8] = ["a", "b", "a</w>", "b</w>", "ab</w>", "ab", "abb</w>", "!</w>"];
const MERGES: [[&str; 2]; 3] = [["a", "b</w>"], ["a", "b"], ["ab", "b</w>"]];

fn identity() -> ModelIdentity {
    ModelIdentity::placeholder("synthetic", "")
}

fn write(dir: &Path, tokenizer: &Value, tensors: &HashMap<String, Tensor>) {
    std::fs::write(dir.join("tokenizer.json"), tokenizer.to_string()).unwrap();
    candle_core::safetensors::save(tensors, dir.join("model.safetensors")).unwrap();
}

/// Loads the reduced tower after `change` has altered its files.
fn load_changed(
    name: &str,
    change: impl FnOnce(&mut Value, &mut HashMap<String, Tensor>),
) -> Result<ClipText, ModelError> {
    let golden = golden(name);
    let (mut tokenizer, mut tensors) = (tokenizer(&WORDS, &MERGES, 997), tensors_of(&golden));
    change(&mut tokenizer, &mut tensors);
    let dir = tempfile::tempdir().unwrap();
    write(dir.path(), &tokenizer, &tensors);
    ClipText::load(dir.path(), identity())
}

const LAYOUTS: [&str; 2] = ["clip_text_reduced", "clip_openai_text_reduced"];

/// The empty text consists of the start and the end token, like the golden's first.
#[test]
fn the_vector_is_that_of_the_reference_brought_to_unit_length() {
    for name in LAYOUTS {
        let encoder = load_changed(name, |_, _| {}).unwrap();
        assert_eq!(encoder.n_features(), 52);
        let vector = encoder.encode(&[""], &|_| {}).unwrap();
        let golden = golden(name);
        assert_eq!(golden["runs"][0]["ids"][0], json!([995, 996]));
        let record = &golden["runs"][0]["taps"]["text_projection"][0];
        let number = |key: &str| record[key].as_f64().unwrap();
        let length = (52.0 * (number("mean").powi(2) + number("std").powi(2))).sqrt();
        let expected: Vec<f64> = read(&record["values"]);
        let probe = synthetic::Synthetic::new("probe", 0);
        for (k, expected) in (0..).zip(&expected) {
            let value = f64::from(vector[(probe.bits(k) % 52) as usize]);
            assert!((value - expected / length).abs() < 1e-5, "{name}");
        }
    }
}

#[test]
fn texts_that_clean_to_the_same_tokens_have_the_same_vector() {
    let encoder = load_changed(LAYOUTS[0], |_, _| {}).unwrap();
    let texts = ["ab abb!", "  AB \n\t aBB!  ", "ab abb !", "abb ab!", "ababb!"];
    let vectors = encoder.encode(&texts, &|_| {}).unwrap();
    let rows: Vec<&[f32]> = vectors.chunks(52).collect();
    assert_eq!(rows[0], rows[1]);
    assert_eq!(rows[0], rows[2]);
    assert_ne!(rows[0], rows[3]);
    assert_ne!(rows[0], rows[4]);
}

#[test]
fn a_text_is_cut_to_77_tokens_and_read_at_its_first_end() {
    let encoder = load_changed(LAYOUTS[0], |_, _| {}).unwrap();
    let just_fits = ["ab"; 75].join(" ");
    let too_long = ["ab"; 90].join(" ");
    let shorter = ["ab"; 74].join(" ");
    let spelt = "ab <|endoftext|> abb";
    let texts = [&just_fits, &too_long, &shorter, spelt, "ab"];
    let vectors = encoder.encode(&texts, &|_| {}).unwrap();
    let rows: Vec<&[f32]> = vectors.chunks(52).collect();
    assert_eq!(rows[0], rows[1]);
    assert_ne!(rows[0], rows[2]);
    assert_eq!(rows[3], rows[4]);
}

#[test]
fn the_other_tower_of_a_published_file_is_left_over() {
    let (one, integer) = (
        Tensor::zeros(1, DType::F32, &Device::Cpu).unwrap(),
        Tensor::zeros(1, DType::I64, &Device::Cpu).unwrap(),
    );
    let encoder = load_changed(LAYOUTS[0], |_, tensors| {
        for name in ["vision_model.x", "visual_projection.weight", "logit_scale"] {
            tensors.insert(name.to_owned(), one.clone());
        }
        let name = "text_model.embeddings.position_ids";
        tensors.insert(name.to_owned(), integer.clone());
    });
    assert!(encoder.is_ok(), "{:?}", encoder.err());
    let encoder = load_changed(LAYOUTS[1], |_, tensors| {
        tensors.insert("visual.proj".to_owned(), one.clone());
        for name in ["input_resolution", "context_length", "vocab_size"] {
            tensors.insert(name.to_owned(), integer.clone());
        }
    });
    assert!(encoder.is_ok(), "{:?}", encoder.err());
    let stray = load_changed(LAYOUTS[1], |_, tensors| {
        tensors.insert("stray".to_owned(), one);
    });
    let message = stray.err().unwrap().to_string();
    assert!(message.contains("tensor stray"), "{message}");
}

#[test]
fn the_configuration_beside_a_users_own_tower_sets_its_activation() {
    let dir = tempfile::tempdir().unwrap();
    let tokenizer = tokenizer(&WORDS, &MERGES, 997);
    write(dir.path(), &tokenizer, &tensors_of(&golden(LAYOUTS[0])));
    let path = dir.path().join("config.json");
    let weights = dir.path().join("model.safetensors");
    let vector = |encoder: &dyn TextEncoder| encoder.encode(&["ab"], &|_| {}).unwrap();
    let own = |config: Value| {
        std::fs::write(&path, config.to_string()).unwrap();
        LocalTextEncoder::custom("clip_vit_b_32_text", &weights).unwrap().load()
    };
    let quick = vector(&ClipText::load(dir.path(), identity()).unwrap());
    for config in [
        json!({}),
        json!({ "text_config": { "hidden_act": "quick_gelu" } }),
        json!({ "text_config": {}, "vision_config": { "hidden_act": "gelu" } }),
        json!({ "text_config": { "hidden_act": "gelu" }, "text_config_dict": {} }),
    ] {
        assert_eq!(vector(&*own(config.clone()).unwrap()), quick, "{config}");
    }
    let gelu = vector(&*own(json!({ "text_config": { "hidden_act": "gelu" } })).unwrap());
    assert_ne!(gelu, quick);
    // The configuration of a file with only the text tower.
    let alone = own(json!({ "model_type": "clip_text_model", "hidden_act": "gelu" }));
    assert_eq!(vector(&*alone.unwrap()), gelu);
    // Published weights do not depend on the configuration beside them.
    assert_eq!(vector(&ClipText::load(dir.path(), identity()).unwrap()), quick);
    let refused = own(json!({ "text_config": { "hidden_act": "relu" } }));
    let message = refused.err().unwrap().to_string();
    assert!(
        message.ends_with(
            "config.json: text_config.hidden_act is relu, and this implementation of CLIP text tower needs quick_gelu or gelu"
        ),
        "{message}"
    );
}

#[test]
fn files_of_another_model_are_refused() {
    let message = |change: &dyn Fn(&mut Value, &mut HashMap<String, Tensor>)| {
        let error = load_changed(LAYOUTS[0], |tokenizer, tensors| change(tokenizer, tensors));
        error.err().expect("an error").to_string()
    };
    let larger = message(&|file, _| *file = tokenizer(&WORDS, &MERGES, 998));
    assert!(larger.contains("has 998 tokens, and the model 997"), "{larger}");
    let bare = message(&|file, _| file["post_processor"] = Value::Null);
    assert!(bare.contains("no <|startoftext|> and <|endoftext|>"), "{bare}");
    let name = "text_model.encoder.layers.1.mlp.fc1.bias";
    let lacking = message(&|_, tensors| {
        tensors.remove(name);
    });
    assert!(lacking.contains(name) && lacking.contains("[400]"), "{lacking}");
    let empty = message(&|_, tensors| tensors.clear());
    assert!(empty.contains("token_embedding.weight of shape"), "{empty}");
}
