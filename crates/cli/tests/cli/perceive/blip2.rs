//! BLIP-2 in `neurogauge perceive` and `neurogauge score`, with a small checkpoint of two files.

use super::observers::{images, perceive, score};
use crate::support::*;
use neurogauge::formats::{captions, json};
use neurogauge::models::{Arithmetic, CaptionerMemory, SyntheticCaptioner};

const ID: &str = "blip2_opt_2_7b";
const SHARDS: [&str; 2] = ["a.safetensors", "b.safetensors"];

/// Writes `model.safetensors.index.json` and all files of a checkpoint.
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
    let mut vocab: Map<String, Value> =
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
    let blip2 = SyntheticCaptioner::blip2(&config.to_string(), Arithmetic::default(), CaptionerMemory::Whole).unwrap();
    let stored = |(name, shape): &(String, Vec<usize>)| -> Stored {
        (name.clone(), shape.clone(), Some(parameter(name, shape, 0)))
    };
    let tensors: Vec<Stored> = blip2.tensors().iter().map(stored).collect();
    let parts = tensors.split_at(tensors.len() / 2);
    let mut map = Map::new();
    for (shard, tensors) in SHARDS.into_iter().zip([parts.0, parts.1]) {
        write_tensors(&dir.join(shard), tensors);
        map.extend(tensors.iter().map(|tensor| tensor.0.clone()).map(|name| (name, json!(shard))));
    }
    fs::write(dir.join("model.safetensors.index.json"), json!({ "weight_map": map }).to_string()).unwrap();
}

#[test]
fn images_are_described_and_scored_by_a_checkpoint_of_one_s_own() {
    let dir = images(3, &["gt", "recon"]);
    write_checkpoint(&dir.join("blip2"));
    let options = format!("--checkpoint {ID}=blip2/model.safetensors.index.json --set caption_tokens=9");
    let described = |more: &str| -> (BTreeMap<String, String>, String) {
        perceive(&dir, &format!("--with {ID} {options} {more}")).done();
        let captions = json::read(&dir.join("out/captions.json")).unwrap();
        (captions, dir.read("out/captions.recipe.json"))
    };
    let (written, recipe) = described("");
    assert_eq!(written.len(), 3);
    assert!(written.values().all(|caption: &String| !caption.is_empty()), "{written:?}");
    contains(&recipe, &["blip2_opt_2_7b-custom", "squash", "\"max_new_tokens\": 9"]);

    // On another device it counts as another model, with the same captions.
    let (again, recipe) = described("--device cpu-f64");
    assert_eq!(again, written);
    assert!(recipe.contains("\"blip2_opt_2_7b-custom-cpu-f64\""), "{recipe}");

    let line =
        format!("gt recon --metrics cap_sim --captioner {ID} --set text_encoder=placeholder --out run {options}");
    score(&dir, &line).done();
    let scored = captions::read(&dir.join("run/observations/gt/captions.json")).unwrap();
    assert!(scored.iter().map(|(_, captions)| &captions.0[0]).eq(written.values()), "{scored:?} {written:?}");

    fs::remove_file(dir.join("blip2").join(SHARDS[1])).unwrap();
    assert_snapshot!(score(&dir, &line), @"exit 1, stderr: error: cannot read [DIR]/blip2/b.safetensors: No such file or directory");
}

#[test]
fn without_weights_all_files_are_named() {
    let dir = images(3, &["gt", "recon"]);
    assert_snapshot!(perceive(&dir, &format!("--with {ID}")), @"
    exit 1, stderr:
    error: the weights of blip2_opt_2_7b are not on this machine, and downloading is switched off by HF_HUB_OFFLINE.
    [HOW TO FETCH blip2_opt_2_7b]
    ");
    assert!(!dir.has("out"));
}
