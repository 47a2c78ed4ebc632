//! A captioner against its golden: the same synthetic checkpoint, tensors, image encoder, logits of every step, ids of
//! greedy and beam search.

use crate::{parity, photographs};
use neurogauge_core::Image;
use neurogauge_core::synthetic::Synthetic;
use neurogauge_models::{CaptionOptions, ImageModel, ModelError};
use serde_json::Value;
use std::collections::BTreeMap;

/// Largest difference of logits from the reference, of the largest logit.
const TOLERANCE: f32 = 1e-4;

/// A captioner with synthetic weights.
pub(crate) trait SyntheticCaptioner {
    fn tensors(&self) -> &[(String, Vec<usize>)];
    fn encoder(&self) -> &dyn ImageModel;
    fn logits(&self, images: &[Image<f32>], ids: &[u32]) -> Result<Vec<Vec<f32>>, ModelError>;
    fn ids(
        &self,
        images: &[Image<f32>],
        options: &CaptionOptions,
    ) -> Result<Vec<Vec<u32>>, ModelError>;
}

/// The golden's images, prepared.
pub(crate) fn images(golden: &Value) -> Vec<Image<f32>> {
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

/// Compares the model that `build` makes of the golden with an end id (its own: null).
pub(crate) fn check<M: SyntheticCaptioner>(
    name: &str,
    build: impl Fn(&Value, &Value) -> M,
    layer_of: impl Fn(&str) -> Option<String>,
) {
    let golden = parity::golden(name);
    let own = build(&golden, &Value::Null);
    let taken: BTreeMap<String, Vec<usize>> = own.tensors().iter().cloned().collect();
    assert_eq!(taken, parity::tensors(&golden), "{name}");
    parity::compare(own.encoder(), name, &golden, layer_of);

    let images = images(&golden);
    check_logits(&own, &golden, &images);
    let n_new = golden["max_new_tokens"].as_u64().unwrap() as usize;
    let own_end = golden["own_end"].as_u64().unwrap_or(102);
    let mut own = Some(own);
    for generation in golden["generated"].as_array().unwrap() {
        // One model of the large ones is enough at a time, and their end is the configuration's.
        let model = match own.take() {
            Some(model) if generation["end"] == own_end => model,
            _ => build(&golden, &generation["end"]),
        };
        let options = CaptionOptions {
            n_beams: serde_json::from_value(generation["n_beams"].clone()).unwrap(),
            max_new_tokens: n_new,
        };
        let start = golden["generated"][0]["ids"][0][0].as_u64().unwrap() as u32;
        let found = model.ids(&images, &options).unwrap();
        let with_start: Vec<Vec<u32>> = (found.iter())
            .map(|ids| [&[start], ids.as_slice()].concat())
            .collect();
        assert_eq!(with_start, ids(&generation["ids"]), "{name}: {generation}");
        let alone = model.ids(&images[1..2], &options).unwrap();
        assert_eq!(alone[0], found[1], "a caption depends on the batch");
    }
}

/// Feeds each image's own greedy ids.
fn check_logits(model: &impl SyntheticCaptioner, golden: &Value, images: &[Image<f32>]) {
    let greedy = ids(&golden["generated"][0]["ids"]);
    let probe = Synthetic::new("probe", 0);
    let mut worst = 0.0_f32;
    for (index, (image, ids)) in images.iter().zip(&greedy).enumerate() {
        let image = std::slice::from_ref(image);
        let steps = model.logits(image, &ids[..ids.len() - 1]).unwrap();
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
