//! A model against its golden: the same synthetic checkpoint, the same inputs, every recorded layer.
#![allow(dead_code)] // Each test uses a part.

use crate::photographs;
pub(crate) use crate::records::*;
use neurogauge_core::Image;
use neurogauge_models::{ImageModel, LayerRequest, synthetic_model_on};
use serde_json::Value;
use std::collections::BTreeMap;

/// Largest difference from the reference, in standard deviations of the layer's values.
const TOLERANCE: f64 = 1e-4;

/// Runs model `id` on the golden's inputs and compares every recorded layer, except those in `without`, which the model
/// does not offer. The model does not use the reference's `unused` tensors.
pub(crate) fn check(id: &str, golden_name: &str, without: &[&str], unused: impl Fn(&str) -> bool) {
    let layer_of = |tap: &str| (!without.contains(&tap)).then(|| tap.to_owned());
    check_layers(id, golden_name, layer_of, unused);
}

/// The same for a model whose layers have other names: `layer_of` maps the golden's name to the model's, or to `None`
/// if it has no such layer.
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

/// One image of the golden at its first size, for weights of a network that is compared on all of them elsewhere: a
/// tensor in the wrong place changes every image.
pub(crate) fn brief(golden: &Value) -> Value {
    let mut golden = golden.clone();
    let runs = golden["runs"].as_array_mut().unwrap();
    runs.truncate(1);
    runs[0]["inputs"].as_array_mut().unwrap().truncate(1);
    golden
}

/// Returns the largest difference in standard deviations of the layer's values.
pub(crate) fn worst(
    model: &dyn ImageModel,
    golden_name: &str,
    golden: &Value,
    layer_of: impl Fn(&str) -> Option<String>,
) -> f64 {
    let mut worst_of_runs = 0.0_f64;
    for run in golden["runs"].as_array().unwrap() {
        let taps = run["taps"].as_object().unwrap();
        let size_px: usize = read(&run["size"]);
        let images = inputs(run);
        let images = match run["frames"].as_u64() {
            Some(n_frames) => clips(&images, n_frames as usize),
            None => images,
        };
        let layers: Vec<(&str, String)> = (taps.keys().filter(|tap| *tap != "input"))
            .filter_map(|tap| Some((tap.as_str(), layer_of(tap)?)))
            .collect();
        let requests: Vec<LayerRequest> = layers.iter().map(|(_, layer)| LayerRequest::whole(layer)).collect();
        let features = model.features(&images, &requests).unwrap();
        let mut worst = (0.0, "");
        for ((name, _), features) in layers.iter().zip(&features) {
            let rows = features.values.chunks(features.n_features).zip(taps[*name].as_array().unwrap());
            let error = rows.map(|(row, record)| difference(name, row, record)).fold(0.0, f64::max);
            worst = if error > worst.0 { (error, name) } else { worst };
        }
        println!("{golden_name} at {size_px} px: {:e} at {}", worst.0, worst.1);
        worst_of_runs = worst_of_runs.max(worst.0);
    }
    worst_of_runs
}

/// The images of a run, prepared.
pub(crate) fn inputs(run: &Value) -> Vec<Image<f32>> {
    let (size_px, mean, std) = (read(&run["size"]), read(&run["mean"]), read(&run["std"]));
    let names: Vec<String> = read(&run["inputs"]);
    let image = |name: &String| photographs::normalised(&photographs::image(name, size_px), mean, std);
    names.iter().map(image).collect()
}

/// As many clips as images, each as one image of `n_frames` frames below each other: frame k of clip j is image j + k,
/// modulo the number of images.
pub(crate) fn clips(images: &[Image<f32>], n_frames: usize) -> Vec<Image<f32>> {
    let clip = |first: usize| {
        let frames = images.iter().cycle().skip(first).take(n_frames);
        let values = frames.flat_map(Image::data).copied().collect();
        let (width, height) = (images[0].width_px(), images[0].height_px());
        Image::new(width, n_frames * height, values).unwrap()
    };
    (0..images.len()).map(clip).collect()
}

/// The model uses every tensor of the reference.
pub(crate) fn nothing(_: &str) -> bool {
    false
}
