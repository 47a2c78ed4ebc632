//! A captioner against its golden: the same synthetic checkpoint, tensors, image encoder, logits of every step, ids of
//! greedy and beam search; and properties of every captioner.

use crate::parity::{self, on_threads, read};
use neurogauge_core::Image;
use neurogauge_core::synthetic::Synthetic;
use neurogauge_models::{CaptionOptions, DeviceChoice, SyntheticCaptioner};
use serde_json::Value;
use std::collections::BTreeMap;

/// Largest difference of logits from the reference, relative to the largest logit.
const TOLERANCE: f32 = 1e-4;

/// Compares the golden's model, built by `build` with an end id (`null` for the configuration's own).
pub(crate) fn check(
    name: &str,
    device: DeviceChoice,
    build: impl Fn(&Value, &Value, DeviceChoice) -> SyntheticCaptioner,
    layer_of: impl Fn(&str) -> Option<String>,
) {
    let golden = parity::golden(name);
    let own = build(&golden, &Value::Null, device);
    let taken: BTreeMap<String, Vec<usize>> = own.tensors().iter().cloned().collect();
    assert_eq!(taken, parity::tensors(&golden), "{name}");
    parity::compare(&*own.encoder().unwrap(), name, &golden, layer_of);

    let images = parity::inputs(&golden["runs"][0]);
    check_logits(&own, &golden, &images);
    let n_new = golden["max_new_tokens"].as_u64().unwrap() as usize;
    let own_end = golden["own_end"].as_u64().unwrap_or(102);
    let mut own = Some(own);
    for generation in golden["generated"].as_array().unwrap() {
        // Only one large model is in memory at a time; its end is the configuration's.
        let model = match own.take() {
            Some(model) if generation["end"] == own_end => model,
            _ => build(&golden, &generation["end"], device),
        };
        let options = CaptionOptions {
            n_beams: read(&generation["n_beams"]),
            max_new_tokens: n_new,
        };
        let start = golden["generated"][0]["ids"][0][0].as_u64().unwrap() as u32;
        let found = model.ids(&images, &options).unwrap();
        let with_start: Vec<Vec<u32>> = (found.iter()).map(|ids| [&[start], ids.as_slice()].concat()).collect();
        assert_eq!(with_start, read::<Vec<Vec<u32>>>(&generation["ids"]), "{name}: {generation}");
        let alone = model.ids(&images[1..2], &options).unwrap();
        assert_eq!(alone[0], found[1], "a caption depends on the batch");
    }
}

/// Feeds each image's greedy ids to the model.
fn check_logits(model: &SyntheticCaptioner, golden: &Value, images: &[Image<f32>]) {
    let greedy: Vec<Vec<u32>> = read(&golden["generated"][0]["ids"]);
    let probe = Synthetic::new("probe", 0);
    let mut worst = 0.0_f32;
    for (index, (image, ids)) in images.iter().zip(&greedy).enumerate() {
        let image = std::slice::from_ref(image);
        let steps = model.logits(image, &ids[..ids.len() - 1]).unwrap();
        let records = golden["logits"][index].as_array().unwrap();
        assert_eq!(steps.len(), records.len());
        for (logits, record) in steps.iter().zip(records) {
            let scale = record["max_abs"].as_f64().unwrap() as f32;
            let values: Vec<f32> = read(&record["values"]);
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

/// The logits after these ids have equal bits on one thread and on several.
pub(crate) fn check_threads(golden: &Value, captioner: &SyntheticCaptioner, ids: &[u32]) {
    let images = parity::inputs(&golden["runs"][0]);
    let logits = || captioner.logits(&images, ids).unwrap();
    assert_eq!(on_threads(1, logits), on_threads(3, logits));
}

/// A captioner for images of 70 x 70 px with 40 positions refuses inputs that do not fit.
pub(crate) fn check_refusals(captioner: &SyntheticCaptioner) {
    let image = |px: usize, value: f32| Image::new(px, px, vec![value; px * px * 3]).unwrap();
    let options = |max_new_tokens: usize| CaptionOptions {
        max_new_tokens,
        ..CaptionOptions::default()
    };
    let refused = |image: Image<f32>, max_new_tokens: usize, words: &str| {
        let error = captioner.ids(&[image], &options(max_new_tokens));
        let message = error.unwrap_err().to_string();
        assert!(message.contains(words), "{message}");
    };
    refused(image(70, 0.5), 50, "40 tokens at most, and 50");
    assert!(captioner.ids(&[], &options(40)).unwrap().is_empty());
    let written = captioner.ids(&[image(70, 0.5)], &options(40)).unwrap();
    assert_eq!(written.len(), 1);
    let words = "image 0 is 71 x 71 px, expected 70 x 70 px";
    refused(image(71, 0.5), 40, words);
    refused(image(70, f32::NAN), 40, "logits of token 1");
}
