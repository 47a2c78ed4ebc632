//! `audit` against other packages, and against simulated decoders whose skill is known.

#![allow(clippy::unwrap_used, clippy::panic)]

mod by_hand;
mod calibration;
mod goldens;
mod simulated;

use neurogauge::RunSettings;
use neurogauge::core::Silent;
use neurogauge::formats::npy::write_f32;
use neurogauge_audit::{Audit, AuditRequest, audit};
use rand::{Rng, RngExt};
use std::path::{Path, PathBuf};

/// Writes features in single precision; their ids, if any, begin with `name`.
fn write(folder: &Path, name: &str, ids: Option<&str>, n_features: usize, values: &[f64]) -> PathBuf {
    let folder = folder.join(name);
    std::fs::create_dir_all(&folder).unwrap();
    let path = folder.join("features.npy");
    let n = values.len() / n_features;
    let values: Vec<f32> = values.iter().map(|&value| value as f32).collect();
    write_f32(&path, &[n as u64, n_features as u64], &values).unwrap();
    if let Some(prefix) = ids {
        let ids: Vec<String> = (0..n).map(|row| format!("{prefix}{row}")).collect();
        std::fs::write(folder.join("ids.json"), serde_json::to_vec(&ids).unwrap()).unwrap();
    }
    path
}

/// An audit of these training and test stimuli, whose ids, if any, are `t0`, ... and `s0`, ...
fn request(folder: &Path, n_features: usize, has_ids: bool, [train, test]: [&[f64]; 2]) -> AuditRequest {
    let ids = |prefix| has_ids.then_some(prefix);
    let mut request = AuditRequest::new(write(folder, "test", ids("s"), n_features, test));
    request.train = Some(write(folder, "train", ids("t"), n_features, train));
    request
}

/// Approximately normal: the sum of twelve uniform values.
fn normal(rng: &mut impl Rng) -> f64 {
    let sum: f64 = (0..12).map(|_| rng.random::<f64>()).sum();
    sum - 6.0
}

fn run(request: &AuditRequest) -> Audit {
    audit(request, &RunSettings::default(), &Silent).unwrap()
}

/// The value of a section's line, found by the beginning of its name.
fn value(found: &Audit, section: &str, what: &str) -> f64 {
    line(found, section, what).estimate.value.clone().unwrap()
}

fn line<'a>(found: &'a Audit, section: &str, what: &str) -> &'a neurogauge_audit::Line {
    let section = found.record.sections.iter().find(|one| one.id == section).unwrap();
    section.lines.iter().find(|line| line.what.starts_with(what)).unwrap_or_else(|| panic!("{what}"))
}
