//! Tests which files belong to the identity of a checkpoint.

use super::detection::LocalDetector;
use super::local_vlm::LocalVlm;
use super::placeholders;
use super::segmentation::LocalSegmenter;
use crate::architectures::clip_t5::AnswerScore;
use crate::architectures::clip_t5::tests::{GOLDEN, TOLERANCE, TOWER, Tensors, load, published, runs, yes};
use crate::checkpoint::model_files::{Local, ModelKind};
use crate::goldens::{golden, read};
use crate::{
    DeviceChoice, LocalCaptioner, LocalImageModel, LocalSceneGraphParser, LocalTextEncoder, ModelError, WeightPrecision,
};

/// The files beside a user's own checkpoint of a model that change its identity.
fn identifying<K: ModelKind>(
    custom: fn(&str, &std::path::Path) -> Result<Local<K>, ModelError>,
    id: &str,
) -> Vec<&'static str> {
    const FILES: [&str; 9] = [
        "config.json",
        "tokenizer.json",
        "tokenizer_config.json",
        "sentence_bert_config.json",
        "1_Pooling/config.json",
        "preprocessor_config.json",
        "generation_config.json",
        "special_tokens_map.json",
        "README.md",
    ];
    let dir = tempfile::tempdir().unwrap();
    std::fs::create_dir(dir.path().join("1_Pooling")).unwrap();
    let weights = dir.path().join("own.safetensors");
    std::fs::write(&weights, "weights").unwrap();
    let sha256 = || custom(id, &weights).unwrap().identity().sha256.clone();
    let alone = sha256();
    let counts = |name: &&str| {
        let path = dir.path().join(name);
        let with = |content: &str| {
            std::fs::write(&path, content).unwrap();
            sha256()
        };
        let (with, changed) = (with("{}"), with("{ }"));
        std::fs::remove_file(&path).unwrap();
        assert_eq!(with != alone, with != changed, "{id} {name}");
        with != alone
    };
    FILES.into_iter().filter(counts).collect()
}

/// CLIP-FlanT5 decides from the content of its files which other files count, so it has its own tests.
#[test]
fn every_file_that_changes_values_is_part_of_the_identity_of_a_checkpoint() {
    let (config, tokenizer) = ("config.json", "tokenizer.json");
    let of_sentences = [config, tokenizer, "sentence_bert_config.json", "1_Pooling/config.json"];
    for id in ["all-MiniLM-L6-v2", "all-mpnet-base-v2", "Qwen3-Embedding-0.6B"] {
        assert_eq!(identifying(LocalTextEncoder::custom, id), of_sentences, "{id}");
    }
    let of_clip = identifying(LocalTextEncoder::custom, "clip_vit_b_32_text");
    assert_eq!(of_clip, [config, tokenizer]);
    let of_git = identifying(LocalCaptioner::custom, "git_base_coco");
    assert_eq!(of_git, [config, tokenizer, "tokenizer_config.json"]);
    let of_blip = identifying(LocalCaptioner::custom, "blip2_opt_2_7b");
    assert_eq!(of_blip, [config, tokenizer]);
    let of_grounding = identifying(LocalDetector::custom, "grounding_dino_tiny");
    assert_eq!(of_grounding, [config, tokenizer]);
    let of_yolo = identifying(LocalDetector::custom, "yolo_world_v2_s");
    assert_eq!(of_yolo, [tokenizer]);
    let of_t5 = identifying(LocalSceneGraphParser::custom, "factual_t5");
    assert_eq!(of_t5, [config, tokenizer]);
    let of_qwen = identifying(LocalVlm::custom, "qwen2.5-vl-3b");
    let prepared = "preprocessor_config.json";
    assert_eq!(of_qwen, [config, tokenizer, prepared, "generation_config.json"]);
    for id in ["clip_vit_b_32", "clip_vit_l_14_hf", "dfn_clip_vit_l_14"] {
        assert_eq!(identifying(LocalImageModel::custom, id), [config], "{id}");
    }
    for id in ["resnet50", "clip_rn50"] {
        assert!(identifying(LocalImageModel::custom, id).is_empty(), "{id}");
    }
    let of_sam = identifying(LocalSegmenter::custom, "sam2.1_hiera_large");
    assert!(of_sam.is_empty());
}

/// The image tower may be in a folder of CLIP's own files, under CLIP's own names.
#[test]
fn a_tower_of_its_own_gives_the_same_scores() {
    let golden = golden(GOLDEN);
    let run = &runs(&golden)[0];
    let mut own = Tensors::new();
    let dir = published(|_, tensors| {
        for (name, tensor) in std::mem::take(tensors) {
            match name.strip_prefix("vision_tower.vision_tower.") {
                Some(bare) => own.insert(bare.to_owned(), tensor),
                None => tensors.insert(name, tensor),
            };
        }
    });
    let missing = load(dir.path(), AnswerScore::T2v, WeightPrecision::F32);
    let message = missing.err().unwrap().to_string();
    assert!(message.contains("vision_tower.vision_tower."), "{message}");

    // CLIP's repository has the text tower in the same file.
    let more = own["vision_model.embeddings.class_embedding"].clone();
    for name in ["text_model.final_layer_norm.weight", "logit_scale"] {
        own.insert(name.to_owned(), more.clone());
    }
    own.insert("visual_projection.weight".to_owned(), more);
    let place = dir.path().join(TOWER).join("model.safetensors");
    candle_core::safetensors::save(&own, &place).unwrap();
    let weights = dir.path().join("model.safetensors");
    let hash = || LocalVlm::custom("clip_flant5_xl", &weights).unwrap().identity().sha256.clone();
    let both = hash();
    let model = load(dir.path(), AnswerScore::T2v, WeightPrecision::F32).unwrap();
    let expected: f64 = read(&run["t2v"]);
    let found = yes(&model, &golden, run);
    assert!((found / expected - 1.0).abs() < TOLERANCE, "{found} {expected}");
    // The tower belongs to the model's identity.
    own.remove("logit_scale");
    candle_core::safetensors::save(&own, &place).unwrap();
    assert_ne!(hash(), both);
}

#[test]
fn the_settings_of_the_model_and_of_its_tower_are_part_of_the_identity() {
    let dir = published(|_, _| {});
    let weights = dir.path().join("model.safetensors");
    let found = || LocalVlm::custom("clip_flant5_xl", &weights).unwrap();
    let mut seen = vec![found().identity().sha256.clone()];
    for name in ["config.json", "tokenizer.json", &format!("{TOWER}/config.json")] {
        let path = dir.path().join(name);
        let text = std::fs::read_to_string(&path).unwrap();
        std::fs::write(&path, format!("{text} ")).unwrap();
        let sha256 = found().identity().sha256.clone();
        assert!(!seen.contains(&sha256), "{name}");
        seen.push(sha256);
    }
    // The memory forecast counts only weights.
    let memory = found().weight_memory(DeviceChoice::Cpu).unwrap();
    assert!(memory.is_some());
}

/// Otherwise a kind that is missing in [`placeholders`] would have a placeholder whose mark no test checks.
#[test]
fn every_kind_of_models_lists_its_placeholder() {
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("src/known");
    let mut n_kinds = 0;
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let path = if path.is_dir() { path.join("mod.rs") } else { path };
        if path.file_name() != Some("tests.rs".as_ref()) {
            let text = std::fs::read_to_string(path).unwrap();
            n_kinds += text.matches("\n    const PLACEHOLDER:").count();
        }
    }
    assert_eq!(placeholders().len(), n_kinds);
}
