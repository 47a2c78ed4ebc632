//! The goldens of `reference/`, and the records of tensors in them. The tests inside the crate use this file, too.
#![allow(dead_code)] // Each program uses a part.

use neurogauge_core::synthetic::Synthetic;
use neurogauge_kernels::DeviceChoice;
use serde::de::DeserializeOwned;
use serde_json::Value;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

pub(crate) fn path(name: &str) -> PathBuf {
    let golden = concat!(env!("CARGO_MANIFEST_DIR"), "/../../reference/golden/models");
    Path::new(golden).join(format!("{name}.json"))
}

pub(crate) fn golden(name: &str) -> Value {
    typed_golden(name)
}

pub(crate) fn typed_golden<T: DeserializeOwned>(name: &str) -> T {
    let path = path(name);
    let text = std::fs::read(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    serde_json::from_slice(&text).unwrap()
}

pub(crate) fn read<T: DeserializeOwned>(value: &Value) -> T {
    serde_json::from_value(value.clone()).unwrap()
}

/// Devices on which networks are compared with their goldens: the processor in both precisions, or only
/// NEUROGAUGE_TEST_DEVICE.
pub(crate) fn devices() -> Vec<DeviceChoice> {
    match std::env::var("NEUROGAUGE_TEST_DEVICE") {
        Ok(device) => vec![device.parse().unwrap()],
        Err(_) => vec![DeviceChoice::Cpu, DeviceChoice::CpuF64],
    }
}

/// The device for networks of the published sizes, which are slow in f64.
pub(crate) fn device() -> DeviceChoice {
    devices()[0]
}

/// Endings of tensors' names, and the factors of their synthetic values.
pub(crate) fn damped(golden: &Value) -> Vec<(String, f32)> {
    golden.get("damped").map(read::<BTreeMap<String, f32>>).unwrap_or_default().into_iter().collect()
}

/// Names and shapes of the reference's tensors.
pub(crate) fn tensors(golden: &Value) -> BTreeMap<String, Vec<usize>> {
    read(&golden["tensors"])
}

/// Mean and standard deviation. These are loops since iterators take ten times as long in tests.
pub(crate) fn moments(values: &[f32]) -> (f64, f64) {
    let (n, mut mean, mut square) = (values.len() as f64, 0.0, 0.0);
    for &value in values {
        mean += f64::from(value) / n;
    }
    for &value in values {
        let from_mean = f64::from(value) - mean;
        square += from_mean * from_mean / n;
    }
    (mean, square.sqrt())
}

/// The largest difference of the probed values, the mean and the deviation, in standard deviations.
pub(crate) fn difference(name: &str, values: &[f32], record: &Value) -> f64 {
    let shape: Vec<usize> = read(&record["shape"]);
    assert_eq!(values.len(), shape.iter().product::<usize>(), "{name}");
    let std = record["std"].as_f64().unwrap();
    let (mean, deviation) = moments(values);
    let mut largest = (mean - record["mean"].as_f64().unwrap()).abs();
    largest = largest.max((deviation - std).abs());
    let probe = Synthetic::new("probe", 0);
    for (k, expected) in (0..).zip(read::<Vec<f32>>(&record["values"])) {
        let value = values[(probe.bits(k) % values.len() as u64) as usize];
        assert!(value.is_finite(), "{name}");
        largest = largest.max(f64::from((value - expected).abs()));
    }
    assert!(largest.is_finite(), "{name}");
    largest / std
}

/// Runs on this number of threads.
pub(crate) fn on_threads<T: Send>(n_threads: usize, run: impl FnOnce() -> T + Send) -> T {
    rayon::ThreadPoolBuilder::new().num_threads(n_threads).build().unwrap().install(run)
}
