//! GIT from a folder in the hub's layout.
use crate::caption_folder;

use candle_core::{Device, Tensor};
use caption_folder::tensors;
use neurogauge_models::{Arithmetic, LocalCaptioner, SyntheticCaptioner};
use serde_json::{Value, json};
use std::collections::HashMap;
use std::path::{Path, PathBuf};

const VOCAB_SIZE: usize = 61;

fn config() -> Value {
    json!({
        "model_type": "git",
        "vision_config": {
            "hidden_size": 64, "num_hidden_layers": 1, "num_attention_heads": 1,
            "intermediate_size": 70, "patch_size": 56, "image_size": 224,
        },
        "vocab_size": VOCAB_SIZE, "hidden_size": 30, "num_hidden_layers": 2,
        "num_attention_heads": 3, "intermediate_size": 50, "max_position_embeddings": 60,
        "bos_token_id": 1, "eos_token_id": 2,
    })
}

/// Words t0, t1, ...; t1 and t2 are special; t3 is a full stop, and every seventh word continues a word.
fn word(id: usize) -> String {
    match id {
        1 => "[CLS]".to_owned(),
        2 => "[SEP]".to_owned(),
        3 => ".".to_owned(),
        _ if id.is_multiple_of(7) => format!("##t{id}"),
        _ => format!("t{id}"),
    }
}

fn tokenizer() -> Value {
    let vocab: serde_json::Map<String, Value> = (0..VOCAB_SIZE).map(|id| (word(id), json!(id))).collect();
    let special = |id: usize| caption_folder::special_token(id, &word(id));
    let end = |id: usize| {
        let token = word(id);
        json!({ "id": token, "ids": [id], "tokens": [token] })
    };
    json!({
        "version": "1.0", "truncation": null, "padding": null,
        "added_tokens": [special(1), special(2)],
        "normalizer": null,
        "pre_tokenizer": { "type": "BertPreTokenizer" },
        "post_processor": {
            "type": "TemplateProcessing",
            "single": [
                { "SpecialToken": { "id": "[CLS]", "type_id": 0 } },
                { "Sequence": { "id": "A", "type_id": 0 } },
                { "SpecialToken": { "id": "[SEP]", "type_id": 0 } }
            ],
            "pair": [
                { "Sequence": { "id": "A", "type_id": 0 } },
                { "Sequence": { "id": "B", "type_id": 1 } }
            ],
            "special_tokens": { "[CLS]": end(1), "[SEP]": end(2) }
        },
        "decoder": { "type": "WordPiece", "prefix": "##", "cleanup": true },
        "model": {
            "type": "WordPiece", "unk_token": "t0", "continuing_subword_prefix": "##",
            "max_input_chars_per_word": 100, "vocab": vocab
        }
    })
}

fn synthetic() -> SyntheticCaptioner {
    SyntheticCaptioner::git(&config().to_string(), Arithmetic::default()).unwrap()
}

/// The path of the weights.
fn write(dir: &Path, tensors: &HashMap<String, Tensor>) -> PathBuf {
    std::fs::write(dir.join("config.json"), config().to_string()).unwrap();
    std::fs::write(dir.join("tokenizer.json"), tokenizer().to_string()).unwrap();
    let path = dir.join("model.safetensors");
    candle_core::safetensors::save(tensors, &path).unwrap();
    path
}

/// The text of these word pieces.
fn text(ids: &[u32]) -> String {
    let words = ids.iter().filter(|&&id| id != 1 && id != 2);
    let joined: String = words.map(|&id| format!(" {}", word(id as usize))).collect();
    joined.replace(" ##", "").replace(" .", ".").trim_start().to_owned()
}

#[test]
fn a_folder_gives_the_captions_of_its_weights() {
    let dir = tempfile::tempdir().unwrap();
    let mut tensors = tensors(&synthetic());
    // Older files have this tensor.
    let ids = Tensor::arange(0_i64, 60, &Device::Cpu).unwrap();
    tensors.insert("git.embeddings.position_ids".to_owned(), ids);
    let path = write(dir.path(), &tensors);
    let found = LocalCaptioner::custom("git_base_coco", &path).unwrap();
    assert_eq!(found.identity().id, "git_base_coco-custom");
    assert_eq!(found.identity().sha256.len(), 64);
    for n_beams in [1, 3] {
        let ids = caption_folder::ids(&synthetic(), n_beams, 9);
        let expected: Vec<String> = ids.iter().map(|ids| text(ids)).collect();
        let found = caption_folder::captions("git_base_coco", &path, n_beams, 9);
        assert_eq!(found, expected);
        assert!(expected.iter().all(|caption| !caption.is_empty()));
    }
}

#[test]
fn files_that_do_not_fit_are_refused_with_what_is_wrong() {
    let dir = tempfile::tempdir().unwrap();
    let refused = |tensors: &HashMap<String, Tensor>, parts: &[&str]| {
        caption_folder::refused("git_base_coco", &write(dir.path(), tensors), parts);
    };
    let name = "git.encoder.layer.1.attention.self.key.weight";
    let mut without = tensors(&synthetic());
    let key = without.remove(name).unwrap();
    refused(&without, &["lacks", name]);
    without.insert(name.to_owned(), key.narrow(0, 0, 3).unwrap().contiguous().unwrap());
    refused(&without, &[name, "[3, 30]"]);
    let mut superfluous = tensors(&synthetic());
    superfluous.insert("img_temporal_embedding.0".to_owned(), key);
    refused(&superfluous, &["img_temporal_embedding.0"]);

    let path = write(dir.path(), &tensors(&synthetic()));
    for (config, part) in [
        (r#"{"model_type": "blip"}"#, "model_type"),
        ("{}", "the vocabulary has 61 tokens, and the model 30522"),
    ] {
        std::fs::write(dir.path().join("config.json"), config).unwrap();
        caption_folder::refused("git_large_coco", &path, &[part]);
    }
    std::fs::remove_file(dir.path().join("tokenizer.json")).unwrap();
    caption_folder::refused("git_large_coco", &path, &["tokenizer.json"]);
}
