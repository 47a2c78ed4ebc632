//! A model against its golden: the same synthetic checkpoint, the same inputs, every recorded layer.
#![allow(dead_code)] // Each test uses a part.

use crate::photographs;
use neurogauge_core::Image;
use neurogauge_core::synthetic::Synthetic;
use neurogauge_models::{DeviceChoice, FeatureMatrix, ImageModel, LayerRequest, Pooling, synthetic_model_on};
use serde_json::Value;
use std::collections::BTreeMap;

/// Largest difference from the reference, in standard deviations of the layer's values.
const TOLERANCE: f32 = 1e-4;

pub(crate) fn golden(name: &str) -> Value {
    let path = format!(concat!(env!("CARGO_MANIFEST_DIR"), "/../../reference/golden/models/{}.json"), name);
    let text = std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{path}: {error}"));
    serde_json::from_str(&text).unwrap()
}

/// Where networks are held against their goldens: on the processor both ways, or on NEUROGAUGE_TEST_DEVICE alone.
pub(crate) fn devices() -> Vec<DeviceChoice> {
    match std::env::var("NEUROGAUGE_TEST_DEVICE") {
        Ok(device) => vec![device.parse().unwrap()],
        Err(_) => vec![DeviceChoice::Cpu, DeviceChoice::CpuF64],
    }
}

/// The same for networks of the published sizes, which take long in f64.
pub(crate) fn device() -> DeviceChoice {
    devices()[0]
}

fn numbers<const N: usize>(value: &Value) -> [f32; N] {
    serde_json::from_value::<Vec<f32>>(value.clone()).unwrap().try_into().unwrap()
}

/// Runs model `id` on the golden's inputs and compares every recorded layer, save those `without`, which
/// the golden has and the model does not offer. `unused` tensors of the reference have no place in it.
pub(crate) fn check(id: &str, golden_name: &str, without: &[&str], unused: impl Fn(&str) -> bool) {
    let layer_of = |tap: &str| (!without.contains(&tap)).then(|| tap.to_owned());
    check_layers(id, golden_name, layer_of, unused);
}

/// The same for a model whose layers have other names: `layer_of` the golden's name, or nothing where the
/// model has no such layer.
pub(crate) fn check_layers(
    id: &str,
    golden_name: &str,
    layer_of: impl Fn(&str) -> Option<String>,
    unused: impl Fn(&str) -> bool,
) {
    let golden = golden(golden_name);
    let synthetic = synthetic_model_on(id, 0, &damped(&golden), device()).unwrap();
    let taken: BTreeMap<String, Vec<usize>> = synthetic.tensors.into_iter().collect();
    let mut expected = tensors(&golden);
    expected.retain(|name, _| !unused(name));
    assert_eq!(taken, expected, "{id} takes other tensors than the reference");
    compare(synthetic.model.as_ref(), golden_name, &golden, layer_of);
}

/// Endings of tensors' names, and what their synthetic values are multiplied by.
pub(crate) fn damped(golden: &Value) -> Vec<(String, f32)> {
    let damped: BTreeMap<String, f32> = serde_json::from_value(golden["damped"].clone()).unwrap_or_default();
    damped.into_iter().collect()
}

/// Names and shapes of the reference's tensors.
pub(crate) fn tensors(golden: &Value) -> BTreeMap<String, Vec<usize>> {
    serde_json::from_value(golden["tensors"].clone()).unwrap()
}

/// Runs `model` on the golden's inputs and compares every recorded layer.
pub(crate) fn compare(
    model: &dyn ImageModel,
    golden_name: &str,
    golden: &Value,
    layer_of: impl Fn(&str) -> Option<String>,
) {
    let worst = worst(model, golden_name, golden, layer_of);
    assert!(worst < TOLERANCE, "{golden_name}: {worst:e}");
}

/// The same, and gives the largest difference in standard deviations of the layer's values.
pub(crate) fn worst(
    model: &dyn ImageModel,
    golden_name: &str,
    golden: &Value,
    layer_of: impl Fn(&str) -> Option<String>,
) -> f32 {
    let mut worst_of_runs = 0.0_f32;
    for run in golden["runs"].as_array().unwrap() {
        let taps = run["taps"].as_object().unwrap();
        let (mean, std) = (numbers(&run["mean"]), numbers(&run["std"]));
        let size_px = run["size"].as_u64().unwrap() as usize;
        let inputs = run["inputs"].as_array().unwrap().iter();
        let images: Vec<Image<f32>> = inputs
            .map(|name| photographs::image(name.as_str().unwrap(), size_px))
            .map(|image| photographs::normalised(&image, mean, std))
            .collect();
        let images = match run["frames"].as_u64() {
            Some(n_frames) => clips(&images, n_frames as usize),
            None => images,
        };
        let layers: Vec<(&str, String)> = (taps.keys().filter(|tap| *tap != "input"))
            .filter_map(|tap| Some((tap.as_str(), layer_of(tap)?)))
            .collect();
        let requests: Vec<LayerRequest> = layers.iter().map(|(_, layer)| request(layer)).collect();
        let features = model.features(&images, &requests).unwrap();
        let mut worst = (0.0, "");
        for ((name, _), features) in layers.iter().zip(&features) {
            let error = difference(name, features, taps[*name].as_array().unwrap());
            worst = if error > worst.0 { (error, name) } else { worst };
        }
        println!("{golden_name} at {size_px} px: {:e} at {}", worst.0, worst.1);
        worst_of_runs = worst_of_runs.max(worst.0);
    }
    worst_of_runs
}

/// As many clips as images, each as one image of so many frames, of which each is below the one before it: frame k of
/// clip j is image j + k, counted around.
pub(crate) fn clips(images: &[Image<f32>], n_frames: usize) -> Vec<Image<f32>> {
    let clip = |first: usize| {
        let frames = images.iter().cycle().skip(first).take(n_frames);
        let values = frames.flat_map(Image::data).copied().collect();
        let (width, height) = (images[0].width_px(), images[0].height_px());
        Image::new(width, n_frames * height, values).unwrap()
    };
    (0..images.len()).map(clip).collect()
}

pub(crate) fn request(layer: &str) -> LayerRequest {
    LayerRequest::of(layer, Pooling::None)
}

/// The largest difference in standard deviations: of the probed values, the mean and the deviation.
fn difference(layer: &str, features: &FeatureMatrix, records: &[Value]) -> f32 {
    let mut largest = 0.0_f32;
    for (row, record) in features.values.chunks(features.n_features).zip(records) {
        let shape: Vec<usize> = serde_json::from_value(record["shape"].clone()).unwrap();
        assert_eq!(row.len(), shape.iter().product::<usize>(), "{layer}");
        let std = record["std"].as_f64().unwrap();
        let values: Vec<f32> = serde_json::from_value(record["values"].clone()).unwrap();
        let probe = Synthetic::new("probe", 0);
        for (k, expected) in values.iter().enumerate() {
            let value = row[(probe.bits(k as u64) % row.len() as u64) as usize];
            assert!(value.is_finite(), "{layer}");
            largest = largest.max((value - expected).abs() / std as f32);
        }
        let n = row.len() as f64;
        let mean = row.iter().map(|&v| f64::from(v)).sum::<f64>() / n;
        let variance = row.iter().map(|&v| (f64::from(v) - mean).powi(2)).sum::<f64>() / n;
        for (value, expected) in [(mean, &record["mean"]), (variance.sqrt(), &record["std"])] {
            largest = largest.max(((value - expected.as_f64().unwrap()) / std).abs() as f32);
        }
    }
    largest
}

/// Every tensor of the reference has its place.
pub(crate) fn nothing(_: &str) -> bool {
    false
}
