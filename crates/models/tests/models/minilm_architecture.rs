//! The architecture without published weights: parity with transformers on a synthetic checkpoint, and refusals.
use crate::parity::read;
use crate::synthetic_bert;

use candle_core::{DType, Device, Tensor};
use neurogauge_models::{Arithmetic, LocalTextEncoder, MiniLm, ModelError, SentenceEncoder, TextEncoder};
use serde_json::{Value, json};
use std::collections::HashMap;
use std::path::Path;
use synthetic_bert::{golden, position_ids, tensors, text, write};
use tempfile::TempDir;

/// Loads the synthetic model after `change` has altered it.
fn load_changed(change: impl FnOnce(&mut Value, &mut HashMap<String, Tensor>)) -> Result<SentenceEncoder, ModelError> {
    load(folder(change).path())
}

fn load(dir: &Path) -> Result<SentenceEncoder, ModelError> {
    MiniLm::load(dir, Arithmetic::default())
}

/// The folder of the synthetic model after `change` has altered it.
fn folder(change: impl FnOnce(&mut Value, &mut HashMap<String, Tensor>)) -> TempDir {
    let golden = golden();
    let (mut config, mut tensors) = (golden["config"].clone(), tensors(&golden));
    change(&mut config, &mut tensors);
    let dir = tempfile::tempdir().unwrap();
    write(dir.path(), &config, &tensors);
    dir
}

/// The message of the error that the change causes.
fn refusal(change: impl FnOnce(&mut Value, &mut HashMap<String, Tensor>)) -> String {
    load_changed(change).err().expect("an error").to_string()
}

/// Texts and vectors of the reference implementation.
fn sequences() -> (Vec<String>, Vec<Vec<f32>>) {
    let golden = golden();
    let sequences = golden["sequences"].as_array().unwrap();
    sequences
        .iter()
        .map(|sequence| {
            let ids: Vec<u32> = read(&sequence["ids"]);
            (text(&ids), read(&sequence["vector"]))
        })
        .unzip()
}

#[test]
fn equals_transformers_on_a_synthetic_checkpoint() {
    let encoder = load_changed(|_, _| {}).unwrap();
    let (texts, expected) = sequences();
    let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
    let vectors = encoder.encode(&texts, &|_| {}).unwrap();
    let mut largest = 0.0_f32;
    for (vector, expected) in vectors.chunks(encoder.n_features()).zip(&expected) {
        for (value, expected) in vector.iter().zip(expected) {
            largest = largest.max((value - expected).abs());
        }
    }
    println!("largest difference: {largest:e}");
    assert!(largest < 1e-6, "largest difference {largest:e}");
}

#[test]
fn a_text_is_cut_at_the_models_limit_and_not_at_the_tokenizers() {
    let encoder = load_changed(|_, _| {}).unwrap();
    let (texts, _) = sequences();
    let full = texts.iter().max_by_key(|text| text.len()).unwrap();
    assert_eq!(full.split(' ').count(), 38);
    let longer = format!("{full} t7 t8");
    let shorter = full.rsplit_once(' ').unwrap().0;
    let vectors = encoder.encode(&[full, &longer, shorter], &|_| {}).unwrap();
    let vectors: Vec<&[f32]> = vectors.chunks(32).collect();
    assert_eq!(vectors[0], vectors[1]);
    assert_ne!(vectors[0], vectors[2]);
}

#[test]
fn the_vector_of_a_text_depends_on_nothing_else() {
    let encoder = load_changed(|_, _| {}).unwrap();
    let (texts, _) = sequences();
    let many: Vec<&str> = (0..200).map(|i| texts[i * 7 % texts.len()].as_str()).collect();
    let together = encoder.encode(&many, &|_| {}).unwrap();
    for (text, vector) in many.iter().zip(together.chunks(32)) {
        assert_eq!(encoder.encode(&[text], &|_| {}).unwrap(), vector);
    }
}

#[test]
fn progress_counts_every_text_once_repetitions_too() {
    let encoder = load_changed(|_, _| {}).unwrap();
    let finished = std::sync::atomic::AtomicUsize::new(0);
    let texts = ["t5", "t6 t7", "t5", "", "t5"];
    let count = |n| {
        finished.fetch_add(n, std::sync::atomic::Ordering::Relaxed);
    };
    let vectors = encoder.encode(&texts, &count).unwrap();
    assert_eq!(vectors.len(), 5 * 32);
    assert_eq!(finished.into_inner(), 5);
    assert!(encoder.encode(&[], &|_| {}).unwrap().is_empty());
}

#[test]
fn weights_that_are_not_published_are_said_to_be_custom() {
    let encoder = load_changed(|_, _| {}).unwrap();
    assert_eq!(encoder.identity().id, "minilm-custom");
    assert_eq!(encoder.identity().sha256.len(), 64);
    assert!(!encoder.identity().stand_in);
}

/// The named checkpoint is loaded, with or without other ones beside it in a folder of the published layout.
#[test]
fn the_checkpoint_that_is_named_is_the_one_that_is_loaded() {
    const ID: &str = "all-MiniLM-L6-v2";
    let golden = golden();
    let published = tensors(&golden);
    let halved = |tensor: &Tensor| (tensor * 0.5).unwrap();
    let other: HashMap<String, Tensor> =
        published.iter().map(|(name, tensor)| (name.clone(), halved(tensor))).collect();
    let vectors = |encoder: &dyn TextEncoder| encoder.encode(&["t5 t6 t7"], &|_| {}).unwrap();
    let expected = vectors(&load_changed(|_, tensors| *tensors = other.clone()).unwrap());

    let dir = tempfile::tempdir().unwrap();
    write(dir.path(), &golden["config"], &published);
    let own = dir.path().join("finetuned.safetensors");
    candle_core::safetensors::save(&other, &own).unwrap();
    let index = dir.path().join("finetuned.safetensors.index.json");
    let names = other.keys().map(|name| (name.clone(), json!("finetuned.safetensors")));
    let map: serde_json::Map<String, Value> = names.collect();
    std::fs::write(&index, json!({ "weight_map": map }).to_string()).unwrap();
    let usual = dir.path().join("model.safetensors");
    let load_own = |weights: &Path| {
        let found = LocalTextEncoder::custom(ID, weights).unwrap();
        let encoder = found.load().unwrap();
        assert_eq!(encoder.identity(), found.identity());
        assert_eq!(encoder.identity().id, "all-MiniLM-L6-v2-custom");
        (vectors(&*encoder), found.identity().sha256.clone())
    };
    let (of_usual, its_hash) = load_own(&usual);
    assert_ne!(of_usual, expected);
    std::fs::remove_file(&usual).unwrap();
    for weights in [&own, &index] {
        let (found, hash) = load_own(weights);
        assert_eq!(found, expected, "{}", weights.display());
        assert_ne!(hash, its_hash);
    }
    write(dir.path(), &golden["config"], &published);
    assert_eq!(load_own(&own).0, expected);
}

#[test]
fn a_folder_that_asks_for_another_pooling_is_refused() {
    let dir = folder(|_, _| {});
    std::fs::create_dir(dir.path().join("1_Pooling")).unwrap();
    let path = dir.path().join("1_Pooling/config.json");
    let pooled = |is_mean: bool| {
        let pooling = json!({
            "word_embedding_dimension": 32,
            "pooling_mode_cls_token": !is_mean,
            "pooling_mode_mean_tokens": is_mean,
        });
        std::fs::write(&path, pooling.to_string()).unwrap();
        load(dir.path())
    };
    assert!(pooled(true).is_ok());
    let message = pooled(false).err().unwrap().to_string();
    assert!(
        message.ends_with("config.json: pooling_mode is cls, and this implementation of MiniLM (BERT) needs mean"),
        "{message}"
    );
    assert!(message.contains("1_Pooling"), "{message}");
}

#[test]
fn half_precision_and_tensors_without_use_are_accepted() {
    let encoder = load_changed(|_, tensors| {
        for tensor in tensors.values_mut() {
            *tensor = tensor.to_dtype(DType::F16).unwrap();
        }
        tensors.insert("embeddings.position_ids".to_owned(), position_ids());
        let pooler = Tensor::zeros((32, 32), DType::F32, &Device::Cpu).unwrap();
        tensors.insert("pooler.dense.weight".to_owned(), pooler);
    });
    assert!(encoder.is_ok(), "{:?}", encoder.err());
}

#[test]
fn tensors_that_do_not_fit_are_named_with_what_is_wrong() {
    type Change<'a> = &'a dyn Fn(&mut Value, &mut HashMap<String, Tensor>);
    let put = |tensors: &mut HashMap<String, Tensor>, name: &str, n: usize, dtype| {
        tensors.insert(name.to_owned(), Tensor::zeros(n, dtype, &Device::Cpu).unwrap());
    };
    let missing = "encoder.layer.1.intermediate.dense.weight";
    let cases: [(Change<'_>, [&str; 2]); 4] = [
        (
            &|_, tensors| drop(tensors.remove(missing)),
            ["lacks the tensor encoder.layer.1.intermediate.dense.weight of shape [80, 32]", "MiniLM (BERT)"],
        ),
        (
            &|_, tensors| put(tensors, "encoder.layer.0.attention.self.key.bias", 31, DType::F32),
            ["attention.self.key.bias has shape [31]", "needs [32]"],
        ),
        (&|config, _| config["num_hidden_layers"] = json!(1), ["encoder.layer.1.", "has no place"]),
        (
            &|_, tensors| put(tensors, "embeddings.LayerNorm.bias", 32, DType::I64),
            ["embeddings.LayerNorm.bias", "holds int64"],
        ),
    ];
    for (change, parts) in cases {
        let message = refusal(change);
        assert!(parts.iter().all(|part| message.contains(part)), "{message}");
    }
}

#[test]
fn a_configuration_that_would_be_computed_wrongly_is_refused() {
    for (field, value, expected) in [
        ("hidden_act", json!("relu"), "needs gelu"),
        ("model_type", json!("roberta"), "needs bert"),
        ("position_embedding_type", json!("relative_key"), "needs absolute"),
        ("num_attention_heads", json!(5), "a divisor of hidden_size = 32"),
        ("vocab_size", json!(96), "different models"),
    ] {
        let message = refusal(|config, _| config[field] = value);
        assert!(message.contains(expected), "{field}: {message}");
    }
}

#[test]
fn a_checkpoint_that_was_cut_short_is_refused_wherever_the_cut_is() {
    let dir = folder(|_, _| {});
    let path = dir.path().join("model.safetensors");
    let whole = std::fs::read(&path).unwrap();
    for length in [0, 4, 100, whole.len() / 2, whole.len() - 1] {
        std::fs::write(&path, &whole[..length]).unwrap();
        let error = load(dir.path()).err().expect("an error");
        assert!(error.to_string().contains("cut short or changed, fetch it again"), "{length}: {error}");
    }
}

#[test]
fn malformed_json_is_named_with_its_place() {
    let dir = folder(|_, _| {});
    std::fs::write(dir.path().join("config.json"), "{\n\"vocab_size\": -1}").unwrap();
    let message = load(dir.path()).err().unwrap().to_string();
    assert!(message.contains("config.json"), "{message}");
    assert!(message.contains("line 2"), "{message}");
}

#[test]
fn the_sentence_configuration_sets_the_limit_within_what_the_model_can_do() {
    let dir = folder(|_, _| {});
    let limit = |n: usize| {
        let path = dir.path().join("sentence_bert_config.json");
        std::fs::write(path, json!({ "max_seq_length": n }).to_string()).unwrap();
        load(dir.path())
    };
    let vectors = limit(4).unwrap().encode(&["t5 t6", "t5 t6 t7"], &|_| {}).unwrap();
    assert_eq!(vectors[..32], vectors[32..], "[CLS] t5 t6 [SEP] are four tokens");
    for n in [2, 41] {
        let message = limit(n).err().unwrap().to_string();
        assert!(message.contains("needs 3 to 40"), "{message}");
    }
}

#[test]
fn a_tokenizer_without_cls_and_sep_is_refused() {
    let dir = folder(|_, _| {});
    let path = dir.path().join("tokenizer.json");
    let mut tokenizer: Value = serde_json::from_slice(&std::fs::read(&path).unwrap()).unwrap();
    tokenizer["post_processor"] = Value::Null;
    std::fs::write(&path, tokenizer.to_string()).unwrap();
    let message = load(dir.path()).err().unwrap().to_string();
    assert!(message.contains("no [CLS] and [SEP]"), "{message}");
}
