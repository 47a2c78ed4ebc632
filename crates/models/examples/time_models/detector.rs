//! Times MM-Grounding-DINO, Grounding DINO or YOLO-World with synthetic weights, as a peer is timed in
//! `bench/detector.py`:
//!
//! ```text
//! time_models detector CONFIG_JSON WIDTH_PX HEIGHT_PX REPEATS IDS_JSON [ARITHMETIC]
//! ```
//!
//! Prints the best wall time of an image and its processor time in seconds (the latter on Linux), then the mean of the
//! logits and of the boxes' numbers. Every image is of other noise, and the prompt is read anew for each: two prompts
//! of the same phrases take turns. RAYON_NUM_THREADS sets the threads.
//!
//! For YOLO-World, CONFIG_JSON has `tensors`, their names and shapes, and IDS_JSON a list for each name; names are read
//! once.

use super::processor_seconds;
use neurogauge_core::Image;
use neurogauge_core::synthetic::Synthetic;
use neurogauge_models::detection::PromptTokens;
use neurogauge_models::{Arithmetic, ModelError, SyntheticGroundingDino, SyntheticYoloWorld};
use serde_json::Value;
use std::collections::BTreeMap;
use std::error::Error;
use std::time::Instant;

pub(crate) fn time(arguments: &[String]) -> Result<(), Box<dyn Error>> {
    let [config, width_px, height_px, repeats, ids, rest @ ..] = arguments else {
        return Err("usage: time_models detector CONFIG_JSON WIDTH_PX HEIGHT_PX REPEATS IDS_JSON [ARITHMETIC]".into());
    };
    let arithmetic: Option<Arithmetic> = rest.first().map(|text| text.parse()).transpose()?;
    let arithmetic = arithmetic.unwrap_or_default();
    let (width_px, height_px) = (width_px.parse::<usize>()?, height_px.parse::<usize>()?);
    let detect = detector(config, ids, arithmetic)?;
    let mut best = (f64::INFINITY, f64::INFINITY);
    let mut means = (0.0, 0.0);
    for repeat in 0..repeats.parse::<u64>()? {
        let noise = Synthetic::new("noise", 1 + repeat);
        let n_values = (width_px * height_px * 3) as u64;
        let values = (0..n_values).map(|i| 4.0 * noise.uniform(i) - 2.0).collect();
        let image = Image::new(width_px, height_px, values)?;
        let (start, cpu) = (Instant::now(), processor_seconds());
        let (logits, boxes) = detect(&image, repeat)?;
        best.0 = best.0.min(start.elapsed().as_secs_f64());
        best.1 = best.1.min(processor_seconds() - cpu);
        means = (mean(&logits), mean(boxes.as_flattened()));
    }
    println!("{:.4} {:.2}", best.0, best.1);
    println!("{} {}", means.0, means.1);
    Ok(())
}

/// Logits and boxes of an image, which is the given repeat.
type Detect = Box<dyn Fn(&Image<f32>, u64) -> Result<(Vec<f32>, Vec<[f32; 4]>), ModelError>>;

fn detector(config: &str, ids: &str, arithmetic: Arithmetic) -> Result<Detect, Box<dyn Error>> {
    let tensors = serde_json::from_str::<Value>(config)?["tensors"].take();
    if !tensors.is_null() {
        let tensors: BTreeMap<String, Vec<usize>> = serde_json::from_value(tensors)?;
        let names: Vec<Vec<u32>> = serde_json::from_str(ids)?;
        let tensors = tensors.into_iter().collect();
        let detector = SyntheticYoloWorld::new(tensors, &names, arithmetic)?;
        return Ok(Box::new(move |image, _| detector.places(image)));
    }
    let detector = SyntheticGroundingDino::new(config, arithmetic)?;
    let first: Vec<u32> = serde_json::from_str(ids)?;
    // The same phrases: the first two, of one token each, change places.
    let mut second = first.clone();
    second.swap(1, 3);
    let prompts = [first, second].map(|ids| PromptTokens { ids });
    Ok(Box::new(move |image, repeat| {
        let found = detector.detect(image, &prompts[(repeat % 2) as usize])?;
        Ok((found.logits, found.boxes))
    }))
}

fn mean(values: &[f32]) -> f64 {
    values.iter().map(|&value| f64::from(value)).sum::<f64>() / values.len() as f64
}
