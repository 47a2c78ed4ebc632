//! DreamSim from files, against the Python package with the same synthetic files (`reference/models_dreamsim.py`).

use crate::parity::{golden, read};
use crate::photographs;

use candle_core::{Device, Tensor};
use neurogauge_core::Image;
use neurogauge_core::synthetic::parameter;
use neurogauge_models::{ImageModel, ImagePreset, LayerRequest, LocalImageModel, WeightOptions, weights};
use serde_json::{Map, Value, json};
use std::collections::HashMap;
use std::fs;
use std::path::{Path, PathBuf};

/// Largest difference of a distance, and of an embedding's values, whose root mean square is about 0.06.
const TOLERANCE: f64 = 2e-6;

const FORMS: [(&str, &str, &str); 4] = [
    ("ensemble", "dreamsim", "ensemble_lora"),
    ("dino_vitb16", "dreamsim_dino_vit_b_16", "dino_vitb16_single_lora"),
    ("clip_vitb32", "dreamsim_clip_vit_b_32", "clip_vitb32_single_lora"),
    ("open_clip_vitb32", "dreamsim_open_clip_vit_b_32", "open_clip_vitb32_single_lora"),
];

/// Writes a safetensors file of tensors with these names and shapes, and with values from `values`.
pub(crate) fn write_tensors(path: &Path, shapes: &Map<String, Value>, values: impl Fn(&str, &[usize]) -> Vec<f32>) {
    let tensors = shapes.iter().map(|(name, shape)| {
        let shape: Vec<usize> = read(shape);
        (name.clone(), Tensor::from_vec(values(name, &shape), shape, &Device::Cpu).unwrap())
    });
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    candle_core::safetensors::save(&tensors.collect::<HashMap<_, _>>(), path).unwrap();
}

/// Writes the folder that the package would fill; returns the path of the adapter's matrices.
fn write_form(folder: &Path, form: &Value, lora: &str) -> PathBuf {
    for (part, network) in form["networks"].as_object().unwrap() {
        let file = folder.join(network["file"].as_str().unwrap());
        let shapes = network["tensors"].as_object().unwrap();
        write_tensors(&file, shapes, |name, shape| parameter(&format!("{part}/{name}"), shape, 0));
    }
    let adapter = folder.join(lora).join("adapter_model.bin");
    let shapes = form["adapter"]["tensors"].as_object().unwrap();
    write_tensors(&adapter, shapes, |name, shape| {
        let factor = if name.contains("lora_B") { 0.25 } else { 1.0 };
        parameter(name, shape, 0).into_iter().map(|value| factor * value).collect()
    });
    let settings = form["adapter"]["settings"].to_string();
    fs::write(adapter.with_file_name("adapter_config.json"), settings).unwrap();
    adapter
}

fn embeddings(model: &dyn ImageModel, id: &str, golden: &Value) -> Vec<Vec<f32>> {
    let steps = ImagePreset::Published.preprocessing(id, None).unwrap();
    let images = golden["images"].as_array().unwrap().iter().map(|image| {
        let name = image["photograph"].as_str().unwrap();
        steps.apply(&photographs::sized(name, read(&image["width"]), read(&image["height"]))).unwrap()
    });
    let images: Vec<Image<f32>> = images.collect();
    let layer = LayerRequest::named(id, "embedding");
    let found = model.features(&images, &[layer]).unwrap().remove(0);
    found.values.chunks(found.n_features).map(<[f32]>::to_vec).collect()
}

fn distance(a: &[f32], b: &[f32]) -> f64 {
    let both = a.iter().zip(b);
    1.0 - both.map(|(a, b)| f64::from(*a) * f64::from(*b)).sum::<f64>()
}

#[test]
fn every_form_equals_the_package_on_the_same_files() {
    let golden = golden("dreamsim");
    for (name, id, lora) in FORMS {
        let dir = tempfile::tempdir().unwrap();
        let form = &golden["forms"][name];
        let adapter = write_form(dir.path(), form, lora);
        let model = LocalImageModel::custom(id, &adapter).unwrap();
        let found = embeddings(model.load().unwrap().as_ref(), id, &golden);
        let expected: Vec<Vec<f32>> = read(&form["embeddings"]);
        let mut worst = 0.0_f64;
        for (found, expected) in found.iter().zip(&expected) {
            assert_eq!(found.len(), expected.len());
            for (found, expected) in found.iter().zip(expected) {
                worst = worst.max(f64::from((found - expected).abs()));
            }
        }
        let pairs: Vec<[usize; 2]> = read(&golden["pairs"]);
        let distances: Vec<f64> = read(&form["distances"]);
        assert!(distances.iter().all(|distance| *distance > 0.01));
        for (&[a, b], expected) in pairs.iter().zip(&distances) {
            worst = worst.max((distance(&found[a], &found[b]) - expected).abs());
        }
        println!("{id}: {worst:e}");
        assert!(worst < TOLERANCE, "{id}: {worst:e}");

        // The folder itself counts as the published model, as the package left it.
        let options = WeightOptions {
            dir: Some(dir.path().to_owned()),
            ..WeightOptions::default()
        };
        let located = LocalImageModel::locate(id, &options).unwrap().unwrap();
        assert_eq!(located.identity().id, id);
        assert_eq!(embeddings(located.load().unwrap().as_ref(), id, &golden), found);
    }
}

#[test]
fn each_file_is_part_of_the_identity() {
    let golden = golden("dreamsim");
    let (name, id, lora) = FORMS[1];
    let dir = tempfile::tempdir().unwrap();
    let adapter = write_form(dir.path(), &golden["forms"][name], lora);
    let options = WeightOptions {
        dir: Some(dir.path().to_owned()),
        ..WeightOptions::default()
    };
    let identities = || {
        let own = LocalImageModel::custom(id, &adapter).unwrap();
        let located = weights::locate(neurogauge_models::find(id).unwrap(), &options);
        [own.identity().sha256.clone(), located.unwrap().unwrap().sha256]
    };
    let before = identities();
    let config = adapter.with_file_name("adapter_config.json");
    let text = fs::read_to_string(&config).unwrap();
    fs::write(&config, format!("{text} ")).unwrap();
    let after = identities();
    assert!(before.iter().zip(&after).all(|(before, after)| before != after));
}

#[test]
fn adapters_that_do_not_fit_are_refused_with_the_place() {
    let golden = golden("dreamsim");
    let (name, id, lora) = FORMS[1];
    let dir = tempfile::tempdir().unwrap();
    let form = &golden["forms"][name];
    let refused = |form: &Value| {
        let adapter = write_form(dir.path(), form, lora);
        let model = LocalImageModel::custom(id, &adapter).and_then(|found| found.load());
        model.err().unwrap().to_string().replace(&dir.path().display().to_string(), "DIR")
    };
    let with = |change: &dyn Fn(&mut Value)| {
        let mut changed = form.clone();
        change(&mut changed["adapter"]);
        refused(&changed)
    };
    let first = "base_model.model.extractor_list.0.model.blocks.0.attn.qkv.lora_A.weight";
    let matrices = "DIR/dino_vitb16_single_lora/adapter_model.bin";
    let config = "DIR/dino_vitb16_single_lora/adapter_config.json";
    assert_eq!(
        with(&|adapter| adapter["settings"]["r"] = json!(8)),
        format!(
            "{matrices}: {first} has the shape [4, 192]; expected [8, 192] for the rank r = 8 of adapter_config.json and a map \
             from 192 to 576 features"
        )
    );
    assert_eq!(
        with(&|adapter| {
            adapter["tensors"].as_object_mut().unwrap().remove(first);
        }),
        format!("{matrices}: no tensor {first}; adapter_config.json says that every module called qkv is adapted")
    );
    assert_eq!(
        with(&|adapter| adapter["settings"]["target_modules"] = json!(["query"])),
        "DIR/checkpoints/dino_vitbase16_pretrain.pth: no map in it is called query, which the adapter \
         DIR/dino_vitb16_single_lora/adapter_model.bin is of"
    );
    let other = "base_model.model.extractor_list.1.model.blocks.0.attn.qkv.lora_A.weight";
    assert_eq!(
        with(&|adapter| adapter["tensors"][other] = json!([4, 192])),
        format!(
            "{matrices}: it adapts extractor_list.1.model.blocks.0.attn.qkv, which the model does not have or which is not among the \
             target_modules of adapter_config.json (qkv); is it the adapter of another model?"
        )
    );
    let odd = with(&|adapter| adapter["tensors"]["blocks.0.weight"] = json!([4, 192]));
    assert!(odd.contains("\"blocks.0.weight\" is no matrix of an adapter"), "{odd}");
    for (field, value, expected) in [
        ("use_dora", json!(true), "false"),
        ("rank_pattern", json!({"qkv": 2}), "{}"),
        ("bias", json!("all"), "\"none\""),
        ("target_modules", json!(".*qkv"), "a list of names of modules"),
        ("r", json!(0), "a positive number"),
    ] {
        let message = with(&|adapter| adapter["settings"][field] = value.clone());
        assert!(message.contains(config) && message.contains(field) && message.contains(expected), "{message}");
    }
    let adapter = write_form(dir.path(), form, lora);
    fs::remove_file(adapter.with_file_name("adapter_config.json")).unwrap();
    fs::remove_file(dir.path().join("checkpoints/dino_vitbase16_pretrain.pth")).unwrap();
    let message = LocalImageModel::custom(id, &adapter).unwrap_err().to_string();
    assert_eq!(
        message.replace(&dir.path().display().to_string(), "DIR"),
        format!(
            "DIR holds a part of {id} and lacks {config}, checkpoints/dino_vitbase16_pretrain.pth or dino_vitbase16_pretrain.pth; put \
             the missing files there or remove the others"
        )
    );
}
