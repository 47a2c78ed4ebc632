//! BLIP-2 in `neurogauge perceive` and `neurogauge score`, with a small checkpoint in two files.

use super::observers::perceiving;
use crate::support::safetensors::{Stored, write_tensors};
use crate::support::{arg, folder, neurogauge_with_cache, pictures, refused, succeed};
use neurogauge::core::synthetic::parameter;
use neurogauge::formats::{captions, json};
use neurogauge::models::SyntheticCaptioner;
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

const ID: &str = "blip2_opt_2_7b";
const SHARDS: [&str; 2] = ["a.safetensors", "b.safetensors"];

fn images(root: &Path, name: &str) -> PathBuf {
    pictures(&root.join(name), name, 3, 40, 60.0)
}

/// `blip2_opt_2_7b=INDEX`, with all files beside the index.
fn checkpoint(dir: &Path) -> String {
    fs::create_dir_all(dir).unwrap();
    let config = json!({
        "model_type": "blip-2",
        "vision_config": {
            "hidden_size": 24, "num_hidden_layers": 1, "num_attention_heads": 2,
            "intermediate_size": 30, "patch_size": 56, "image_size": 224,
        },
        "qformer_config": {
            "hidden_size": 18, "num_hidden_layers": 1, "num_attention_heads": 3,
            "intermediate_size": 20,
        },
        "text_config": {
            "model_type": "opt", "vocab_size": 30, "hidden_size": 16, "num_hidden_layers": 1,
            "num_attention_heads": 2, "ffn_dim": 20, "max_position_embeddings": 60,
        },
        "num_query_tokens": 3,
    });
    fs::write(dir.join("config.json"), config.to_string()).unwrap();
    let mut vocab: serde_json::Map<String, Value> = (3..30_u8)
        .map(|id| (char::from(b'a' + id - 3).to_string(), json!(id)))
        .collect();
    for (id, word) in ["<s>", "<pad>", "</s>"].into_iter().enumerate() {
        vocab.insert(word.to_owned(), json!(id));
    }
    let tokenizer = json!({
        "version": "1.0", "truncation": null, "padding": null, "added_tokens": [],
        "normalizer": null, "pre_tokenizer": null, "post_processor": null,
        "decoder": { "type": "ByteLevel", "add_prefix_space": true, "trim_offsets": true,
                     "use_regex": true },
        "model": { "type": "BPE", "dropout": null, "unk_token": null,
                   "continuing_subword_prefix": null, "end_of_word_suffix": null,
                   "fuse_unk": false, "byte_fallback": false, "vocab": vocab, "merges": [] }
    });
    fs::write(dir.join("tokenizer.json"), tokenizer.to_string()).unwrap();
    let blip2 = SyntheticCaptioner::blip2(&config.to_string()).unwrap();
    let stored = |(name, shape): &(String, Vec<usize>)| -> Stored {
        let values = parameter(name, shape, 0);
        (name.clone(), shape.clone(), Some(values))
    };
    let tensors: Vec<Stored> = blip2.tensors().iter().map(stored).collect();
    let parts = tensors.split_at(tensors.len() / 2);
    let mut map = serde_json::Map::new();
    for (shard, tensors) in SHARDS.into_iter().zip([parts.0, parts.1]) {
        write_tensors(&dir.join(shard), tensors);
        map.extend(
            tensors
                .iter()
                .map(|tensor| (tensor.0.clone(), json!(shard))),
        );
    }
    let index = dir.join("model.safetensors.index.json");
    fs::write(&index, json!({ "weight_map": map }).to_string()).unwrap();
    format!("{ID}={}", arg(&index))
}

#[test]
fn images_are_described_and_scored_by_a_checkpoint_of_one_s_own() {
    let dir = folder();
    let root = dir.path();
    let (gt, recon) = (images(root, "gt"), images(root, "recon"));
    let checkpoint = checkpoint(&root.join("blip2"));
    let out = root.join("perceived");
    let options = ["--checkpoint", &checkpoint, "--caption-tokens", "9"];
    succeed(&perceiving(&gt, &out, ID, &options));
    let written: BTreeMap<String, String> = json::read(&out.join("captions.json")).unwrap();
    assert_eq!(written.len(), 3);
    assert!(
        written.values().all(|caption| !caption.is_empty()),
        "{written:?}"
    );
    let recipe = fs::read_to_string(out.join("captions.recipe.json")).unwrap();
    for part in ["blip2_opt_2_7b-custom", "squash", "\"max_new_tokens\": 9"] {
        assert!(recipe.contains(part), "{part} in {recipe}");
    }

    // On another device it is another model with the same output.
    let elsewhere = [&options[..], &["--device", "cpu-f64"]].concat();
    succeed(&perceiving(&gt, &out, ID, &elsewhere));
    let again: BTreeMap<String, String> = json::read(&out.join("captions.json")).unwrap();
    assert_eq!(again, written);
    let recipe = fs::read_to_string(out.join("captions.recipe.json")).unwrap();
    assert!(
        recipe.contains("\"blip2_opt_2_7b-custom-cpu-f64\""),
        "{recipe}"
    );

    let run = root.join("run");
    let args = [
        "score",
        "--metrics",
        "cap_sim",
        "--gt",
        arg(&gt),
        "--recon",
        arg(&recon),
    ];
    let models = [
        "--captioner",
        ID,
        "--text-encoder",
        "stand-in",
        "--out",
        arg(&run),
    ];
    let all = [&args[..], &models, &options].concat();
    let ran = neurogauge_with_cache(&all, &root.join("cache"));
    assert_eq!(ran.code, 0, "{}", ran.stderr);
    let scored = captions::read(&run.join("observations/gt/captions.json")).unwrap();
    let expected: Vec<&str> = written.values().map(String::as_str).collect();
    let found: Vec<&str> = scored
        .iter()
        .map(|(_, captions)| captions.0[0].as_str())
        .collect();
    assert_eq!(found, expected);

    fs::remove_file(root.join("blip2").join(SHARDS[1])).unwrap();
    refused(&all, 1, &[SHARDS[1]]);
}

#[test]
fn without_weights_all_files_are_named() {
    let dir = folder();
    let (gt, out) = (images(dir.path(), "gt"), dir.path().join("out"));
    let files = [
        "Salesforce/blip2-opt-2.7b",
        "model.safetensors.index.json",
        "model-00002-of-00002.safetensors",
        "tokenizer.json",
    ];
    refused(&perceiving(&gt, &out, ID, &[]), 1, &files);
    assert!(!out.exists());
}
