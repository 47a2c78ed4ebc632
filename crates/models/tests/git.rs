//! GIT against transformers' GitForCausalLM.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]
#![allow(clippy::print_stdout)]

mod parity;
mod photographs;

use neurogauge_core::Image;
use neurogauge_core::synthetic::Synthetic;
use neurogauge_models::{CaptionOptions, SyntheticGit};
use serde_json::{Value, json};
use std::collections::BTreeMap;

/// Largest difference of logits from the reference, of the largest logit.
const TOLERANCE: f32 = 1e-4;

/// The golden's configuration, with an end id.
fn model(golden: &Value, end: &Value) -> SyntheticGit {
    let mut config = golden["config"].clone();
    if !end.is_null() {
        config["eos_token_id"] = end.clone();
    }
    SyntheticGit::new(&config.to_string()).unwrap()
}

/// The golden's images, prepared.
fn images(golden: &Value) -> Vec<Image<f32>> {
    let run = &golden["runs"][0];
    let size_px = run["size"].as_u64().unwrap() as usize;
    let numbers = |key: &str| -> [f32; 3] {
        let numbers: Vec<f32> = serde_json::from_value(run[key].clone()).unwrap();
        numbers.try_into().unwrap()
    };
    let (mean, std) = (numbers("mean"), numbers("std"));
    let inputs = run["inputs"].as_array().unwrap().iter();
    inputs
        .map(|name| photographs::image(name.as_str().unwrap(), size_px))
        .map(|image| photographs::normalised(&image, mean, std))
        .collect()
}

fn ids(value: &Value) -> Vec<Vec<u32>> {
    serde_json::from_value(value.clone()).unwrap()
}

/// Tensors, image encoder, logits of every step, ids of greedy and beam search.
fn check(name: &str) {
    let golden = parity::golden(name);
    let git = model(&golden, &Value::Null);
    let taken: BTreeMap<String, Vec<usize>> = git.tensors().iter().cloned().collect();
    assert_eq!(taken, parity::tensors(&golden), "{name}");
    let layer_of = |tap: &str| {
        let tower = tap.strip_prefix("git.image_encoder.");
        Some(tower.or(tap.strip_prefix("git.")).unwrap().to_owned())
    };
    parity::compare(git.encoder(), name, &golden, layer_of);

    let images = images(&golden);
    check_logits(&git, &golden, &images);
    let n_new = golden["max_new_tokens"].as_u64().unwrap() as usize;
    let mut git = Some(git);
    for generation in golden["generated"].as_array().unwrap() {
        // One model of the large ones is enough at a time, and their end is the configuration's.
        let git = match git.take() {
            Some(git) if generation["end"] == 102 => git,
            _ => model(&golden, &generation["end"]),
        };
        let options = CaptionOptions {
            n_beams: serde_json::from_value(generation["n_beams"].clone()).unwrap(),
            max_new_tokens: n_new,
        };
        let start = golden["generated"][0]["ids"][0][0].as_u64().unwrap() as u32;
        let found = git.ids(&images, &options).unwrap();
        let with_start: Vec<Vec<u32>> = (found.iter())
            .map(|ids| [&[start], ids.as_slice()].concat())
            .collect();
        assert_eq!(with_start, ids(&generation["ids"]), "{name}: {generation}");
        let alone = git.ids(&images[1..2], &options).unwrap();
        assert_eq!(alone[0], found[1], "a caption depends on the batch");
    }
}

/// Feeds each image's own greedy ids.
fn check_logits(git: &SyntheticGit, golden: &Value, images: &[Image<f32>]) {
    let greedy = ids(&golden["generated"][0]["ids"]);
    let probe = Synthetic::new("probe", 0);
    let mut worst = 0.0_f32;
    for (index, (image, ids)) in images.iter().zip(&greedy).enumerate() {
        let image = std::slice::from_ref(image);
        let steps = git.logits(image, &ids[..ids.len() - 1]).unwrap();
        let records = golden["logits"][index].as_array().unwrap();
        assert_eq!(steps.len(), records.len());
        for (logits, record) in steps.iter().zip(records) {
            let scale = record["max_abs"].as_f64().unwrap() as f32;
            let values: Vec<f32> = serde_json::from_value(record["values"].clone()).unwrap();
            for (k, expected) in values.iter().enumerate() {
                let value = logits[(probe.bits(k as u64) % logits.len() as u64) as usize];
                worst = worst.max((value - expected).abs() / scale);
            }
            let largest = logits.iter().fold(0.0_f32, |a, b| a.max(b.abs()));
            worst = worst.max((largest - scale).abs() / scale);
        }
    }
    println!("logits: {worst:e} of the largest");
    assert!(worst < TOLERANCE, "logits: {worst:e} of the largest");
}

#[test]
fn reduced_git_equals_transformers() {
    check("git_reduced");
}

#[test]
#[ignore = "takes 0.7 GB and a minute"]
fn git_base_equals_transformers() {
    check("git_base_coco");
}

#[test]
#[ignore = "takes 1.6 GB and some minutes"]
fn git_large_equals_transformers() {
    check("git_large_coco");
}

#[test]
fn ids_do_not_depend_on_the_number_of_threads() {
    let golden = parity::golden("git_reduced");
    let git = model(&golden, &json!(130));
    let images = images(&golden);
    let logits = |n_threads: usize| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(n_threads);
        let pool = pool.build().unwrap();
        pool.install(|| git.logits(&images, &[1, 10, 59]).unwrap())
    };
    assert_eq!(logits(1), logits(3));
}

#[test]
fn bad_images_and_lengths_are_refused() {
    let golden = parity::golden("git_reduced");
    let git = model(&golden, &json!(2));
    let image = |px: usize, value: f32| Image::new(px, px, vec![value; px * px * 3]).unwrap();
    let options = CaptionOptions::default();
    assert!(
        git.ids(
            &[],
            &CaptionOptions {
                max_new_tokens: 4,
                ..options
            }
        )
        .unwrap()
        .is_empty()
    );
    let message = git
        .ids(&[image(70, 0.5)], &options)
        .unwrap_err()
        .to_string();
    assert!(message.contains("40 tokens at most, and 50"), "{message}");
    let options = CaptionOptions {
        max_new_tokens: 40,
        ..options
    };
    let message = git
        .ids(&[image(71, 0.5)], &options)
        .unwrap_err()
        .to_string();
    assert!(
        message.contains("image 0 is 71 x 71 px, expected 70 x 70 px"),
        "{message}"
    );
    let message = git
        .ids(&[image(70, f32::NAN)], &options)
        .unwrap_err()
        .to_string();
    assert!(message.contains("logits of token 1"), "{message}");
}
