//! Compares with transformers' Qwen2_5_VLForConditionalGeneration: the same synthetic checkpoints, pictures and
//! question.
#![allow(clippy::print_stdout)]

use super::config::Config;
use super::decoder::{Prompt, TextDecoder};
use super::picture::{Patches, Preparation};
use super::tower::Tower;
use super::weights::{build, named};
use super::{ARCHITECTURE, Qwen25Vl};
use crate::goldens::{check_layer, checkpoint, devices, folder, golden, photograph_window, read, round};
use crate::observers::local_vlm::{AnswerOptions, Vlm, YesNoVlm};
use crate::{DeviceChoice, ModelError, WeightPrecision};
use candle_core::{DType, Device, Tensor};
use neurogauge_core::{Image, ModelIdentity};
use neurogauge_kernels::blocks::{CausalMask, Sequences, attend_grouped};
use neurogauge_kernels::generation::{Decoder, Greedy, search_greedily};
use serde_json::{Value, json};
use std::collections::HashMap;
use std::path::Path;

const GOLDENS: [&str; 2] = ["qwen2_5_vl_reduced", "qwen2_5_vl_tied"];
const TOKENIZER: &str = "qwen2_5_vl_tokenizer";

fn preparation(golden: &Value) -> Preparation {
    read(&golden["preprocessor"])
}

fn network(golden: &Value, device: DeviceChoice) -> (Config, Tower, TextDecoder) {
    let config: Config = read(&golden["config"]);
    let mut checkpoint = checkpoint(golden, ARCHITECTURE, device);
    let (tower, decoder) = build(&mut checkpoint, &config).unwrap();
    checkpoint.finish(|_| false).unwrap();
    (config, tower, decoder)
}

/// The prompt of a run; its ids include the picture's.
fn prompt(run: &Value, config: &Config, grid: (usize, usize)) -> Prompt {
    let ids: Vec<u32> = read(&run["ids"]);
    let image = config.own.image_token_id;
    assert_eq!(ids.iter().filter(|&&id| id == image).count(), grid.0 * grid.1);
    Prompt {
        picture: ids.iter().position(|&id| id == image).unwrap(),
        ids,
        grid,
    }
}

/// Every layer's output for a picture and the question, and the logits of every step of the first answer.
fn layers(run: &Value, golden: &Value, device: DeviceChoice) -> Vec<(String, Tensor)> {
    let (config, tower, decoder) = network(golden, device);
    let patches = preparation(golden).patches(&photograph_window(run)).unwrap();
    let grid = patches.grid;
    assert_eq!(json!([28 * grid.0, 28 * grid.1]), run["size"]);
    let n_patches = 4 * grid.0 * grid.1;
    let shape = (n_patches, patches.values.len() / n_patches);
    let values = tower.placement.tensor(patches.values.clone(), shape).unwrap();
    let mut layers = vec![("input".to_owned(), values.clone())];
    let embedded = tower.patches.forward(&values).unwrap();
    layers.push(("visual.patch_embed".to_owned(), embedded));
    let order = tower.order(grid);
    let again = Patches {
        values: patches.values.clone(),
        grid,
    };
    let mut x = tower.enter(again, &order).unwrap();
    for index in 0..tower.blocks.len() {
        x = tower.block(index, &x, &order).unwrap();
        layers.push((format!("visual.blocks.{index}"), x.clone()));
    }
    let tokens = tower.tokens(patches).unwrap();
    layers.push(("visual".to_owned(), tokens.clone()));

    let prompt = prompt(run, &config, grid);
    let sequence = Sequences::new([prompt.ids.len()]);
    let (turns, mask) = (decoder.turns(&prompt.positions()), CausalMask::new(&sequence));
    let mut x = decoder.embedded(&prompt, &tokens).unwrap();
    for (index, block) in decoder.blocks.iter().enumerate() {
        let placed = block.placed(&x, &sequence, &turns, decoder.heads).unwrap();
        let attended = attend_grouped(&placed, &sequence, decoder.heads, &mask, true).unwrap();
        x = block.behind_attention(&attended, &x).unwrap();
        layers.push((format!("language_model.layers.{index}"), x.clone()));
    }
    let last = decoder.norm.forward(&x).unwrap();
    layers.push(("language_model.norm".to_owned(), last));

    let mut texts = decoder.begin(&prompt, &tokens).unwrap();
    let written: Vec<u32> = read(&run["generated"][0]["ids"]);
    let last = [*prompt.ids.last().unwrap()];
    let ids = last.iter().chain(&written[..written.len() - 1]);
    let logits: Vec<Vec<f32>> = ids.map(|&id| decoder.step(&mut texts, &[id]).unwrap()).collect();
    let shape = (logits.len(), config.text.vocab_size);
    let logits = Tensor::from_vec(logits.concat(), shape, &Device::Cpu).unwrap();
    layers.push(("logits".to_owned(), logits));
    layers
}

/// Every golden on every device.
fn everywhere() -> Vec<(&'static str, DeviceChoice)> {
    let goldens = GOLDENS.iter();
    goldens.flat_map(|name| devices().into_iter().map(move |it| (*name, it))).collect()
}

/// Windows are ragged, even and one token wide, and some pictures are too small or too large. The prompt is read at
/// once, and also token by token.
#[test]
fn layers_equal_transformers() {
    for (name, device) in everywhere() {
        let golden = golden(name);
        for run in golden["runs"].as_array().unwrap() {
            let layers = layers(run, &golden, device);
            assert_eq!(run["taps"].as_object().unwrap().len(), layers.len());
            for (tap, layer) in layers {
                let sequences = Sequences::new([layer.dim(0).unwrap()]);
                let worst = check_layer(&tap, &layer, &sequences, &run["taps"][&tap]);
                println!("{name} on {device}, {} {tap}: {worst:e}", run["picture"]);
            }
        }
    }
}

#[test]
fn ids_equal_those_of_generate_with_every_penalty() {
    for (name, device) in everywhere() {
        let golden = golden(name);
        let (config, tower, decoder) = network(&golden, device);
        for run in golden["runs"].as_array().unwrap() {
            let patches = preparation(&golden).patches(&photograph_window(run)).unwrap();
            let prompt = prompt(run, &config, patches.grid);
            let tokens = tower.tokens(patches).unwrap();
            for answer in run["generated"].as_array().unwrap() {
                let greedy = Greedy {
                    max_new_tokens: read(&golden["max_new_tokens"]),
                    ends: &[read(&answer["end"])],
                    repetition_penalty: read(&answer["penalty"]),
                };
                let texts = decoder.begin(&prompt, &tokens).unwrap();
                let ids = search_greedily(&decoder, texts, &[&prompt.ids], &greedy).unwrap();
                assert_eq!(json!(ids[0]), answer["ids"], "{name} {}", run["picture"]);
            }
        }
    }
}

#[test]
fn the_tensors_are_those_of_transformers() {
    for name in GOLDENS {
        let golden = golden(name);
        let config: Config = read(&golden["config"]);
        let mut checkpoint = crate::checkpoint::Checkpoint::synthetic(0, &[], ARCHITECTURE);
        build(&mut checkpoint, &config).unwrap();
        let taken: HashMap<String, Vec<usize>> = checkpoint.taken().iter().cloned().collect();
        assert_eq!(json!(taken), golden["tensors"]);
    }
}

/// A folder as the model is published in, after `change` has been made to its configuration and tensors.
fn published(name: &str, change: impl FnOnce(&mut Value, &mut HashMap<String, Tensor>)) -> tempfile::TempDir {
    let golden = golden(name);
    let dir = folder(&golden, TOKENIZER, change);
    let path = dir.path().join("preprocessor_config.json");
    std::fs::write(path, golden["preprocessor"].to_string()).unwrap();
    dir
}

fn load(dir: &Path, precision: WeightPrecision) -> Result<Qwen25Vl, ModelError> {
    let identity = ModelIdentity::named("qwen2.5-vl-7b-custom");
    Qwen25Vl::load(&dir.join("model.safetensors"), precision.marked(identity))
}

fn at_most(max_new_tokens: usize) -> AnswerOptions {
    AnswerOptions {
        max_new_tokens,
        ..AnswerOptions::default()
    }
}

/// The model is loaded from a folder, the question is a text, and tensors have either naming.
#[test]
fn answers_equal_those_of_transformers() {
    let hub =
        |name: String| name.replacen("model.visual.", "visual.", 1).replacen("model.language_model.", "model.", 1);
    for name in GOLDENS {
        let golden = golden(name);
        for as_published in [false, true] {
            let dir = published(name, |_, tensors| {
                if as_published {
                    let renamed = std::mem::take(tensors).into_iter();
                    *tensors = renamed.map(|(name, tensor)| (hub(name), tensor)).collect();
                }
            });
            let model = load(dir.path(), WeightPrecision::F32).unwrap();
            let options = at_most(read(&golden["max_new_tokens"]));
            let runs = golden["runs"].as_array().unwrap().iter();
            for (run, text) in runs.zip(golden["answers"].as_array().unwrap()) {
                let question = golden["question"].as_str().unwrap();
                let answer = model.answer(&photograph_window(run), question, &options).unwrap();
                assert_eq!(json!(answer.text), *text);
                assert!(answer.is_cut_off);
            }
        }
    }
}

#[test]
fn an_answer_ends_where_the_published_generation_ends() {
    let golden = golden(GOLDENS[0]);
    let run = &golden["runs"][0];
    let early = run["generated"].as_array().unwrap().last().unwrap();
    let dir = published(GOLDENS[0], |_, _| {});
    let ends = json!({"eos_token_id": [early["end"], 3]});
    std::fs::write(dir.path().join("generation_config.json"), ends.to_string()).unwrap();
    let model = load(dir.path(), WeightPrecision::F32).unwrap();
    let question = golden["question"].as_str().unwrap();
    let options = at_most(read(&golden["max_new_tokens"]));
    let answer = model.answer(&photograph_window(run), question, &options).unwrap();
    let whole = golden["answers"][0].as_str().unwrap();
    assert!(!answer.is_cut_off && whole.starts_with(&answer.text));
    assert!(answer.text.len() < whole.len());
}

/// Adds three tokens that spell yes or no to the tokenizer, in table rows that belong to no token; returns the first
/// one's id.
fn add_spellings(dir: &Path) -> usize {
    let path = dir.join("tokenizer.json");
    let mut tokenizer: Value = serde_json::from_slice(&std::fs::read(&path).unwrap()).unwrap();
    let added = tokenizer["added_tokens"].as_array_mut().unwrap();
    let first = 1 + added.last().unwrap()["id"].as_u64().unwrap() as usize;
    for (place, word) in ["yes", " Yes", "NO"].into_iter().enumerate() {
        added.push(json!({
            "id": first + place, "content": word, "single_word": false, "lstrip": false, "rstrip": false,
            "normalized": false, "special": false,
        }));
    }
    std::fs::write(&path, tokenizer.to_string()).unwrap();
    first
}

/// Probabilities are over all rows of the table, at the first position whose likeliest token is not blank; each word
/// has all its spellings, and no penalty applies.
#[test]
fn yes_and_no_are_as_probable_as_the_next_token_s_logits_say() {
    let golden = golden(GOLDENS[0]);
    let run = &golden["runs"][0];
    let tokenizer = crate::goldens::golden(TOKENIZER);
    let blank: usize = read(&tokenizer["model"]["vocab"]["\u{10a}\u{10a}"]);
    for begins_blank in [false, true] {
        let dir = published(GOLDENS[0], |_, tensors| {
            if begins_blank {
                // This makes two line breaks the likeliest.
                let head = &tensors["lm_head.weight"];
                let mut rows = head.to_vec2::<f32>().unwrap();
                let likeliest: usize = read(&run["generated"][1]["ids"][0]);
                rows[blank] = rows[likeliest].iter().map(|value| 2.0 * value).collect();
                let rows = Tensor::new(rows, &Device::Cpu).unwrap();
                tensors.insert("lm_head.weight".to_owned(), rows);
            }
        });
        let first = add_spellings(dir.path());
        let model = load(dir.path(), WeightPrecision::F32).unwrap();
        let question = golden["question"].as_str().unwrap();
        let picture = photograph_window(run);
        let found = model.beginnings(&picture, question).unwrap();
        let words: Vec<&str> = found.iter().map(|one| one.token.as_str()).collect();
        assert_eq!(words, ["yes", " Yes", "NO"]);

        let patches = model.preparation.patches(&picture).unwrap();
        let prompt = model.prompt(question, patches.grid).unwrap();
        let mut texts = model.begin(patches, &prompt).unwrap();
        let last = *prompt.ids.last().unwrap();
        let mut logits = model.decoder.step(&mut texts, &[last]).unwrap();
        let largest = |logits: &[f32]| {
            let most = logits.iter().copied().fold(f32::NEG_INFINITY, f32::max);
            logits.iter().position(|value| *value == most).unwrap()
        };
        assert_eq!(largest(&logits) == blank, begins_blank);
        if begins_blank {
            let before = [blank as u32];
            logits = model.decoder.step(&mut texts, &before).unwrap();
            assert_ne!(largest(&logits), blank);
        }
        let sum: f64 = logits.iter().map(|value| f64::from(*value).exp()).sum();
        for (one, logit) in found.iter().zip(&logits[first..]) {
            let share = f64::from(*logit).exp() / sum;
            assert!((one.logprob.exp() / share - 1.0).abs() < 1e-9, "{one:?} {share}");
        }
    }
}

#[test]
fn what_cannot_be_answered_is_refused() {
    let golden = golden(GOLDENS[0]);
    let dir = published(GOLDENS[0], |_, _| {});
    let model = load(dir.path(), WeightPrecision::F32).unwrap();
    let refused = |image: &Image<f32>, question: &str, max_new_tokens: usize| {
        model.answer(image, question, &at_most(max_new_tokens)).unwrap_err().to_string()
    };
    let image = photograph_window(&golden["runs"][0]);
    assert!(refused(&image, "a <|image_pad|>", 3).contains("stands for a picture"));
    let message = refused(&image, "What?", 500);
    assert!(message.contains("500 were asked for"), "{message}");
    let strip = Image::new(201, 1, vec![0.5; 603]).unwrap();
    assert!(refused(&strip, "What?", 3).contains("200 times the other"));

    let fails = |change: &dyn Fn(&mut Value, &mut HashMap<String, Tensor>)| {
        let dir = published(GOLDENS[0], |config, tensors| change(config, tensors));
        load(dir.path(), WeightPrecision::F32).err().unwrap().to_string()
    };
    let message = fails(&|_, tensors| {
        tensors.remove("model.visual.merger.mlp.0.bias");
    });
    assert!(message.contains("model.visual.merger.mlp.0.bias"), "{message}");
    let message = fails(&|_, tensors| {
        let extra = tensors["lm_head.weight"].clone();
        tensors.insert("model.visual.extra".to_owned(), extra);
    });
    assert!(message.contains("model.visual.extra"), "{message}");
    let message = fails(&|config, _| config["image_token_id"] = json!(3));
    assert!(message.contains("<|image_pad|>"), "{message}");
}

/// Published weights are rounded like this: all maps of the tower and the language model are kept in 16 bits.
#[test]
fn rounded_weights_answer_as_rounded_tensors_do() {
    let golden = golden(GOLDENS[0]);
    let run = &golden["runs"][0];
    let question = golden["question"].as_str().unwrap();
    let answer = |precision, is_rounded: bool| {
        let dir = published(GOLDENS[0], |_, tensors| {
            if is_rounded {
                round(tensors, DType::BF16);
            }
        });
        load(dir.path(), precision).unwrap().answer(&photograph_window(run), question, &at_most(4)).unwrap()
    };
    assert_eq!(answer(WeightPrecision::Bf16, false), answer(WeightPrecision::F32, true));
}

#[test]
fn what_would_be_computed_wrongly_is_refused_with_its_field() {
    use crate::checkpoint::config_json::ConfigJson;
    for name in GOLDENS {
        let whole = golden(name)["config"].clone();
        assert!(Config::from_text(&whole.to_string()).is_ok());
        let text = if whole.get("text_config").is_some() {
            "/text_config"
        } else {
            ""
        };
        for (place, field, value) in [
            ("", "model_type", json!("qwen2_vl")),
            (text, "hidden_act", json!("gelu")),
            (text, "use_sliding_window", json!(true)),
            (text, "num_attention_heads", json!(7)),
            (text, "num_key_value_heads", json!(0)),
            (text, "vocab_size", json!(0)),
            (text, "rope_scaling", json!({"rope_type": "yarn", "mrope_section": [1, 2, 2]})),
            (text, "rope_scaling", json!({"type": "mrope", "mrope_section": [1, 2, 3]})),
            ("/vision_config", "hidden_act", json!("gelu")),
            ("/vision_config", "in_channels", json!(1)),
            ("/vision_config", "num_heads", json!(24)),
            ("/vision_config", "window_size", json!(100)),
            ("/vision_config", "out_hidden_size", json!(7)),
            ("/vision_config", "rope_parameters", json!({"rope_theta": 5.0})),
        ] {
            let mut config = whole.clone();
            if field == "in_channels"
                && let Some(vision) = config["vision_config"].as_object_mut()
            {
                vision.remove("in_chans");
            }
            config.pointer_mut(place).unwrap()[field] = value.clone();
            let error = Config::from_text(&config.to_string());
            let message = error.unwrap_err().to_string();
            let named = message.contains(field) || message.contains("mrope_section");
            assert!(named, "{field} {value}: {message}");
        }
    }
    assert!(Config::from_text(r#"{"model_type": "qwen2_5_vl"}"#).is_err());
    assert_eq!(named("visual.x").as_deref(), Some("model.visual.x"), "the hub's names");
    assert_eq!(named("lm_head.weight"), None);
}
