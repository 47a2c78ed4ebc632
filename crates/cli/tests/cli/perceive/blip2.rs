//! BLIP-2 in `neurogauge perceive` and `neurogauge score`, with a small checkpoint in two files.

use super::observers::{perceive, score};
use crate::support::safetensors::{Stored, write_tensors};
use crate::support::{Folder, folder, pictures};
use insta::assert_snapshot;
use neurogauge::core::synthetic::parameter;
use neurogauge::formats::{captions, json};
use neurogauge::models::SyntheticCaptioner;
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

const ID: &str = "blip2_opt_2_7b";
const SHARDS: [&str; 2] = ["a.safetensors", "b.safetensors"];

fn images() -> Folder {
    let dir = folder();
    for side in ["gt", "recon"] {
        pictures(&dir.join(side), side, 3, 40, 60.0);
    }
    dir
}

/// `model.safetensors.index.json` and all files of a checkpoint.
fn write_checkpoint(dir: &Path) {
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
    let mut vocab: serde_json::Map<String, Value> =
        (3..30_u8).map(|id| (char::from(b'a' + id - 3).to_string(), json!(id))).collect();
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
        let names = tensors.iter().map(|tensor| tensor.0.clone());
        map.extend(names.map(|name| (name, json!(shard))));
    }
    let index = dir.join("model.safetensors.index.json");
    fs::write(&index, json!({ "weight_map": map }).to_string()).unwrap();
}

#[test]
fn images_are_described_and_scored_by_a_checkpoint_of_one_s_own() {
    let dir = images();
    write_checkpoint(&dir.join("blip2"));
    let options = format!("--checkpoint {ID}=blip2/model.safetensors.index.json --caption-tokens 9");
    let described = |more: &str| -> (BTreeMap<String, String>, String) {
        let ran = perceive(&dir, &format!("--with {ID} {options} {more}"));
        assert_eq!(ran.code, 0, "{ran}");
        let captions = json::read(&dir.join("out/captions.json")).unwrap();
        (captions, dir.read("out/captions.recipe.json"))
    };
    let (written, recipe) = described("");
    assert_eq!(written.len(), 3);
    let is_said = |caption: &String| !caption.is_empty();
    assert!(written.values().all(is_said), "{written:?}");
    for part in ["blip2_opt_2_7b-custom", "squash", "\"max_new_tokens\": 9"] {
        assert!(recipe.contains(part), "{part} in {recipe}");
    }

    // On another device it is another model, which says the same.
    let (again, recipe) = described("--device cpu-f64");
    assert_eq!(again, written);
    let other = "\"blip2_opt_2_7b-custom-cpu-f64\"";
    assert!(recipe.contains(other), "{recipe}");

    let line = format!("gt recon --metrics cap_sim --captioner {ID} --text-encoder stand-in --out run {options}");
    let ran = score(&dir, &line);
    assert_eq!(ran.code, 0, "{ran}");
    let scored = captions::read(&dir.join("run/observations/gt/captions.json")).unwrap();
    let found = scored.iter().map(|(_, captions)| &captions.0[0]);
    assert!(found.eq(written.values()), "{scored:?} {written:?}");

    fs::remove_file(dir.join("blip2").join(SHARDS[1])).unwrap();
    assert_snapshot!(score(&dir, &line), @"exit 1, stderr: error: cannot read [DIR]/blip2/b.safetensors: No such file or directory");
}

#[test]
fn without_weights_all_files_are_named() {
    let dir = images();
    assert_snapshot!(perceive(&dir, &format!("--with {ID}")), @"
    exit 1, stderr:
    error: the weights of blip2_opt_2_7b are not on this machine, and downloading is switched off by HF_HUB_OFFLINE.
    Fetch these files from https://huggingface.co/Salesforce/blip2-opt-2.7b, revision [HASH]:
      config.json                       size not published  sha256 not published
      tokenizer.json                    size not published  sha256 not published
      model-00001-of-00002.safetensors  9996328120 bytes  sha256 [HASH]
      model-00002-of-00002.safetensors  4982879016 bytes  sha256 [HASH]
      model.safetensors.index.json      size not published  sha256 not published
    and put them into
      [DIR]/cache/models/blip2_opt_2_7b/[HASH]
    or into any folder DIR (or DIR/blip2_opt_2_7b) given as --weights DIR or NEUROGAUGE_WEIGHTS=DIR.
    ");
    assert!(!dir.join("out").exists());
}
