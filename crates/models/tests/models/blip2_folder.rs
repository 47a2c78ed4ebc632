//! BLIP-2 from a folder in the hub's layout: weights in two files and their index.
use crate::caption_folder;

use candle_core::{Device, Tensor};
use caption_folder::tensors;
use neurogauge_models::weights::locate;
use neurogauge_models::{
    Arithmetic, Blip2, Captioner, CaptionerMemory, LocalCaptioner, ModelEntry, ModelFile, SyntheticCaptioner,
    WeightOptions, find,
};
use serde_json::{Value, json};
use std::collections::HashMap;
use std::path::{Path, PathBuf};

const INDEX: &str = "model.safetensors.index.json";
const SHARDS: [&str; 2] = ["model-00001-of-00002.safetensors", "model-00002-of-00002.safetensors"];
const OUTPUT: &str = "language_model.lm_head.weight";
const WORDS: &str = "language_model.model.decoder.embed_tokens.weight";

/// It has more words than the tokenizer, like the published one.
fn config() -> Value {
    json!({
        "model_type": "blip-2",
        "vision_config": {
            "hidden_size": 64, "num_hidden_layers": 1, "num_attention_heads": 2,
            "intermediate_size": 70, "patch_size": 56, "image_size": 224,
        },
        "qformer_config": {
            "hidden_size": 30, "num_hidden_layers": 2, "num_attention_heads": 3,
            "intermediate_size": 40,
        },
        "text_config": {
            "model_type": "opt", "vocab_size": 69, "hidden_size": 36, "num_hidden_layers": 2,
            "num_attention_heads": 3, "ffn_dim": 50, "max_position_embeddings": 60,
            "bos_token_id": 2, "eos_token_id": 7,
        },
        "num_query_tokens": 4, "image_token_index": 62,
    })
}

/// After OPT's special tokens, bytes are tokens: word 4 is `!`, every word is one character, and 7 is the `$` that ends
/// a caption.
fn tokenizer() -> Value {
    let special = ["<s>", "<pad>", "</s>", "<unk>"];
    let mut vocab = serde_json::Map::new();
    for (id, word) in special.iter().enumerate() {
        vocab.insert((*word).to_owned(), json!(id));
    }
    for id in 4..61_u8 {
        let character = char::from(b'!' + id - 4);
        vocab.insert(character.to_string(), json!(id));
    }
    // A blank, in the notation of byte-level tokenizers.
    vocab.insert("\u{120}".to_owned(), json!(61));
    let added = special.into_iter().enumerate().chain([(62, "<image>")]);
    let added_tokens: Vec<Value> = added.map(|(id, word)| caption_folder::special_token(id, word)).collect();
    json!({
        "version": "1.0", "truncation": null, "padding": null, "added_tokens": added_tokens,
        "normalizer": null,
        "pre_tokenizer": { "type": "ByteLevel", "add_prefix_space": false, "trim_offsets": true,
                           "use_regex": true },
        "post_processor": null,
        "decoder": { "type": "ByteLevel", "add_prefix_space": true, "trim_offsets": true,
                     "use_regex": true },
        "model": { "type": "BPE", "dropout": null, "unk_token": null,
                   "continuing_subword_prefix": null, "end_of_word_suffix": null,
                   "fuse_unk": false, "byte_fallback": false, "vocab": vocab, "merges": [] }
    })
}

/// The text of these tokens.
fn text(ids: &[u32]) -> String {
    let characters = ids.iter().filter_map(|&id| match id {
        4..61 => Some(char::from(b'!' + id as u8 - 4)),
        61 => Some(' '),
        _ => None,
    });
    characters.collect::<String>().trim().to_owned()
}

fn synthetic() -> SyntheticCaptioner {
    SyntheticCaptioner::blip2(&config().to_string(), Arithmetic::default(), CaptionerMemory::Whole).unwrap()
}

/// The path of the index. The second file has the language model's tensors.
fn write(dir: &Path, tensors: &HashMap<String, Tensor>) -> PathBuf {
    std::fs::write(dir.join("config.json"), config().to_string()).unwrap();
    std::fs::write(dir.join("tokenizer.json"), tokenizer().to_string()).unwrap();
    let shard = |name: &str| SHARDS[usize::from(name.starts_with("language_model."))];
    let mut map = serde_json::Map::new();
    for name in tensors.keys() {
        map.insert(name.clone(), json!(shard(name)));
    }
    for file in SHARDS {
        let own = tensors.iter().filter(|(name, _)| shard(name) == file);
        let own: HashMap<&str, Tensor> = own.map(|(k, v)| (k.as_str(), v.clone())).collect();
        candle_core::safetensors::save(&own, dir.join(file)).unwrap();
    }
    let path = dir.join(INDEX);
    let index = json!({ "metadata": { "total_size": 1 }, "weight_map": map });
    std::fs::write(&path, index.to_string()).unwrap();
    path
}

fn captions(path: &Path, n_beams: usize) -> Vec<String> {
    caption_folder::captions("blip2_opt_2_7b", path, n_beams, 12)
}

#[test]
fn a_folder_of_two_files_gives_the_captions_of_its_weights() {
    let dir = tempfile::tempdir().unwrap();
    let mut tensors = tensors(&synthetic());
    assert!(!tensors.contains_key(OUTPUT), "it is tied");
    // Older files have this tensor.
    let ids = Tensor::arange(0_i64, 60, &Device::Cpu).unwrap();
    tensors.insert("qformer.embeddings.position_ids".to_owned(), ids);
    let path = write(dir.path(), &tensors);
    let found = LocalCaptioner::custom("blip2_opt_2_7b", &path).unwrap();
    assert_eq!(found.identity().id, "blip2_opt_2_7b-custom");
    for n_beams in [1, 3] {
        let ids = caption_folder::ids(&synthetic(), n_beams, 12);
        let expected: Vec<String> = ids.iter().map(|ids| text(ids)).collect();
        assert_eq!(captions(&path, n_beams), expected);
        assert!(expected.iter().any(|caption| !caption.is_empty()));
    }

    // An output map in the file is used, and changes the identity although the index does not change.
    let words = tensors[WORDS].clone();
    tensors.insert(OUTPUT.to_owned(), words.clone());
    let path = write(dir.path(), &tensors);
    let tied = captions(&path, 1);
    let index = std::fs::read(&path).unwrap();
    let identity = || LocalCaptioner::custom("blip2_opt_2_7b", &path).unwrap().identity().clone();
    let before = identity();
    tensors.insert(OUTPUT.to_owned(), (words * -1.0).unwrap());
    write(dir.path(), &tensors);
    std::fs::write(&path, index).unwrap();
    assert_ne!(captions(&path, 1), tied);
    assert_ne!(identity().sha256, before.sha256);
}

#[test]
fn files_that_do_not_fit_are_refused_with_what_is_wrong() {
    let dir = tempfile::tempdir().unwrap();
    let refused_file = |path: &Path, parts: &[&str]| caption_folder::refused("blip2_opt_2_7b", path, parts);
    let refused = |tensors: &HashMap<String, Tensor>, parts: &[&str]| refused_file(&write(dir.path(), tensors), parts);
    let name = "qformer.encoder.layer.0.crossattention.attention.key.weight";
    let mut without = tensors(&synthetic());
    let key = without.remove(name).unwrap();
    refused(&without, &["lacks", name, INDEX, "[30, 64]"]);
    without.insert(name.to_owned(), key.t().unwrap().contiguous().unwrap());
    refused(&without, &[name, "[64, 30]"]);
    let mut superfluous = tensors(&synthetic());
    superfluous.insert("qformer.encoder.layer.1.crossattention.x".to_owned(), key);
    refused(&superfluous, &["layer.1.crossattention.x"]);

    let path = write(dir.path(), &tensors(&synthetic()));
    let mut index: Value = serde_json::from_slice(&std::fs::read(&path).unwrap()).unwrap();
    index["weight_map"]["absent"] = json!(SHARDS[0]);
    std::fs::write(&path, index.to_string()).unwrap();
    refused_file(&path, &["weight_map[\"absent\"]", "BLIP-2"]);

    let path = write(dir.path(), &tensors(&synthetic()));
    for (config, part) in [
        (r#"{"text_config": {"model_type": "t5"}}"#, "text_config.model_type"),
        (r#"{"text_config": {"vocab_size": 40}}"#, "the vocabulary has 63 tokens, and the model 40"),
    ] {
        std::fs::write(dir.path().join("config.json"), config).unwrap();
        refused_file(&path, &[part]);
    }
    std::fs::remove_file(dir.path().join("tokenizer.json")).unwrap();
    refused_file(&path, &["tokenizer.json"]);
    std::fs::remove_file(dir.path().join(SHARDS[1])).unwrap();
    let error = LocalCaptioner::custom("blip2_opt_2_7b", &path).unwrap_err();
    assert!(error.to_string().contains(SHARDS[1]), "{error}");
}

/// With one half at a time, the files stay open, so that later changes at their paths have no effect.
#[test]
fn halves_in_turns_write_the_same_captions_and_refuse_the_same_files() {
    let dir = tempfile::tempdir().unwrap();
    let mut tensors = tensors(&synthetic());
    let path = write(dir.path(), &tensors);
    let load = |memory: CaptionerMemory| {
        let found = LocalCaptioner::custom("blip2_opt_2_7b", &path).unwrap();
        Blip2::load(&path, found.identity().clone(), memory)
    };
    let name = "language_model.model.decoder.layers.1.fc2.bias";
    let bias = tensors.remove(name).unwrap();
    let refused = |memory, words: &str| {
        let message = load(memory).err().unwrap().to_string();
        assert!(message.contains(words), "{memory:?}: {message}");
    };
    let ways = [CaptionerMemory::AsAvailable, CaptionerMemory::Whole, CaptionerMemory::InTurns];
    let captioners = ways.map(|memory| load(memory).unwrap());
    let [_, whole, in_turns] = &captioners;
    assert_eq!((whole.images_per_call(), in_turns.images_per_call()), (8, 64));
    caption_folder::check_many(in_turns);
    for shard in SHARDS {
        // Another file replaces it.
        std::fs::remove_file(dir.path().join(shard)).unwrap();
    }
    write(dir.path(), &tensors);
    let captions = captioners.map(|captioner| caption_folder::of(&captioner, 3, 12));
    assert!(captions[0].iter().any(|caption| !caption.is_empty()));
    assert!(captions.iter().all(|of_way| *of_way == captions[0]));

    for memory in ways {
        refused(memory, name);
    }
    tensors.insert(name.to_owned(), bias.clone());
    for superfluous in ["language_model.x", "vision_model.x"] {
        tensors.insert(superfluous.to_owned(), bias.clone());
        write(dir.path(), &tensors);
        for memory in ways {
            refused(memory, superfluous);
        }
        tensors.remove(superfluous);
    }
}

/// A folder like that of a download.
#[test]
fn a_folder_of_the_published_files_is_found_and_all_of_it_counts() {
    let dir = tempfile::tempdir().unwrap();
    let path = write(dir.path(), &tensors(&synthetic()));
    // These are not the published weights, whose hashes are known.
    let options = WeightOptions {
        dir: Some(dir.path().to_owned()),
        ..WeightOptions::default()
    };
    let refused = LocalCaptioner::locate("blip2_opt_2_7b", &options).unwrap_err();
    assert!(refused.to_string().contains(SHARDS[0]), "{refused}");
    let files = ["config.json", "tokenizer.json", SHARDS[0], SHARDS[1], INDEX].map(|path| ModelFile::of_hash(path, ""));
    let entry = ModelEntry {
        files: Box::leak(Box::new(files)),
        ..*find("blip2_opt_2_7b").unwrap()
    };
    let found = locate(&entry, &options).unwrap().unwrap();
    let sha256 = |index: &Path| LocalCaptioner::custom("blip2_opt_2_7b", index).unwrap().identity().sha256.clone();
    // For the user's own weights, the settings beside them also count.
    assert_ne!(found.sha256, sha256(&path));
    let weights = tempfile::tempdir().unwrap();
    for name in [SHARDS[0], SHARDS[1], INDEX] {
        std::fs::copy(dir.path().join(name), weights.path().join(name)).unwrap();
    }
    assert_eq!(found.sha256, sha256(&weights.path().join(INDEX)));
    std::fs::remove_file(dir.path().join(SHARDS[0])).unwrap();
    let message = locate(&entry, &options).unwrap_err().to_string();
    assert!(message.contains(SHARDS[0]), "{message}");
}
