//! Shared by the tests of models: the goldens of `reference/`, and folders in the form in which models are published.

use crate::checkpoint::Checkpoint;
use crate::{DeviceChoice, TextEncoder};
use candle_core::{Device, Tensor};
use neurogauge_core::Image;
use neurogauge_core::synthetic::{Synthetic, parameter};
use neurogauge_formats::image_file::read_rgb8;
use neurogauge_kernels::blocks::{Sequences, host_values};
use serde_json::{Value, json};
use std::collections::{BTreeMap, HashMap};
use std::path::{Path, PathBuf};

pub(crate) fn path(name: &str) -> PathBuf {
    let golden = concat!(env!("CARGO_MANIFEST_DIR"), "/../../reference/golden/models");
    Path::new(golden).join(format!("{name}.json"))
}

pub(crate) fn golden(name: &str) -> Value {
    let path = path(name);
    let text = std::fs::read(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    serde_json::from_slice(&text).unwrap()
}

pub(crate) fn read<T: serde::de::DeserializeOwned>(value: &Value) -> T {
    serde_json::from_value(value.clone()).unwrap()
}

/// The largest difference in standard deviations: of the probed values, the mean and the deviation.
pub(crate) fn difference(values: &[f32], record: &Value) -> f64 {
    let shape: Vec<usize> = read(&record["shape"]);
    assert_eq!(values.len(), shape.iter().product::<usize>());
    let std = record["std"].as_f64().unwrap();
    let n = values.len() as f64;
    let mean = values.iter().map(|&v| f64::from(v)).sum::<f64>() / n;
    let squares = values.iter().map(|&v| (f64::from(v) - mean).powi(2));
    let deviation = (squares.sum::<f64>() / n).sqrt();
    let mut largest = (mean - record["mean"].as_f64().unwrap()).abs();
    largest = largest.max((deviation - std).abs());
    let probe = Synthetic::new("probe", 0);
    for (k, expected) in (0..).zip(read::<Vec<f32>>(&record["values"])) {
        let value = values[(probe.bits(k) % values.len() as u64) as usize];
        largest = largest.max(f64::from((value - expected).abs()));
    }
    assert!(largest.is_finite());
    largest / std
}

/// Layers of all sequences in one batch, by the names of their taps, against a run of each sequence alone: within 1e-4
/// of the standard deviation. Returns the largest difference.
pub(crate) fn check_layers(run: &Value, sequences: &Sequences, layers: &[(String, Tensor)]) -> f64 {
    const TOLERANCE: f64 = 1e-4;
    assert_eq!(run["taps"].as_object().unwrap().len(), layers.len());
    let mut worst = 0.0_f64;
    for (tap, layer) in layers {
        let records = run["taps"][tap].as_array().unwrap();
        assert_eq!(records.len(), sequences.n_sequences());
        for (rows, record) in sequences.rows().zip(records) {
            let own = layer.narrow(0, rows.start, rows.len()).unwrap();
            let found = difference(&host_values(&own).unwrap(), record);
            assert!(found < TOLERANCE, "{tap}: {found:e}");
            worst = worst.max(found);
        }
    }
    worst
}

/// By what the values of tensors are multiplied, by the endings of their names.
fn damped(golden: &Value) -> Vec<(String, f32)> {
    golden.get("damped").map(read::<BTreeMap<String, f32>>).unwrap_or_default().into_iter().collect()
}

fn shapes(golden: &Value) -> Vec<(String, Vec<usize>)> {
    let shapes: BTreeMap<String, Vec<usize>> = read(&golden["tensors"]);
    shapes.into_iter().collect()
}

/// Where networks are compared with their goldens: on the processor both ways, or on NEUROGAUGE_TEST_DEVICE alone.
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

/// The synthetic checkpoint with the golden's tensors and no other.
pub(crate) fn checkpoint(golden: &Value, architecture: &'static str, device: DeviceChoice) -> Checkpoint {
    let path = "model.safetensors".into();
    Checkpoint::synthetic_file(path, shapes(golden), 0, &damped(golden), architecture)
        .and_then(|checkpoint| checkpoint.computed(device.into()))
        .unwrap()
}

/// The picture that a run is of: the central window of a photograph of scikit-image.
pub(crate) fn photograph_window(run: &Value) -> Image<f32> {
    let folder: PathBuf = std::env::var_os("NEUROGAUGE_TEST_PHOTOS")
        .expect("NEUROGAUGE_TEST_PHOTOS is not set: run `make test`")
        .into();
    let name: String = read(&run["picture"]);
    let whole = read_rgb8(&folder.join(format!("{name}.png"))).unwrap();
    let (height, width): (usize, usize) = (read(&run["height"]), read(&run["width"]));
    let (top, left) = ((whole.height_px() - height) / 2, (whole.width_px() - width) / 2);
    let rows = (top..top + height).flat_map(|y| {
        let start = (y * whole.width_px() + left) * 3;
        &whole.data()[start..start + 3 * width]
    });
    let levels: Vec<u8> = rows.copied().collect();
    Image::new(width, height, levels).unwrap().to_unit_float()
}

/// The folder of a sentence encoder in the published layout, after `change` has been made to its configuration and
/// tensors.
pub(crate) fn folder(
    golden: &Value,
    tokenizer: &str,
    change: impl FnOnce(&mut Value, &mut HashMap<String, Tensor>),
) -> tempfile::TempDir {
    let damped = damped(golden);
    let tensors = shapes(golden).into_iter().map(|(name, shape)| {
        let factors = damped.iter().filter(|(ending, _)| name.ends_with(ending));
        let factor: f32 = factors.map(|(_, factor)| factor).product();
        let values = parameter(&name, &shape, 0).into_iter().map(|v| v * factor);
        let tensor = Tensor::from_iter(values, &Device::Cpu).unwrap();
        (name, tensor.reshape(shape).unwrap())
    });
    let (mut config, mut tensors) = (golden["config"].clone(), tensors.collect());
    change(&mut config, &mut tensors);
    let dir = tempfile::tempdir().unwrap();
    let write = |name: &str, value: Value| {
        std::fs::write(dir.path().join(name), value.to_string()).unwrap();
    };
    write("config.json", config);
    let limit = json!({ "max_seq_length": golden["max_seq_length"] });
    write("sentence_bert_config.json", limit);
    std::fs::copy(path(tokenizer), dir.path().join("tokenizer.json")).unwrap();
    candle_core::safetensors::save(&tensors, dir.path().join("model.safetensors")).unwrap();
    dir
}

/// Texts as the encoder has them, all together, against the reference; returns the largest difference.
pub(crate) fn check_vectors(encoder: &dyn TextEncoder, texts: &[String], expected: &[Vec<f32>]) -> f32 {
    let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
    let vectors = encoder.encode(&texts, &|_| {}).unwrap();
    let n_features = encoder.n_features();
    assert_eq!(texts.len(), expected.len());
    assert_eq!(vectors.len(), texts.len() * n_features);
    let mut largest = 0.0_f32;
    for ((text, vector), expected) in texts.iter().zip(vectors.chunks(n_features)).zip(expected) {
        assert_eq!(vector.len(), expected.len());
        for (value, expected) in vector.iter().zip(expected) {
            let difference = (value - expected).abs();
            assert!(difference < 2e-6, "{text:?}: {value} {expected}");
            largest = largest.max(difference);
        }
        // Alone it is the same to the bit.
        assert_eq!(encoder.encode(&[text], &|_| {}).unwrap(), vector);
    }
    largest
}

/// The golden's texts and vectors.
pub(crate) fn texts(golden: &Value) -> (Vec<String>, Vec<Vec<f32>>) {
    let cases = golden["texts"].as_array().unwrap();
    let pair = |case: &Value| (read(&case["text"]), read(&case["vector"]));
    cases.iter().map(pair).unzip()
}
