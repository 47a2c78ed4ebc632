//! Fails on any dependency between crates that the design does not allow.

#![allow(clippy::unwrap_used, clippy::panic)]

use std::collections::BTreeMap;
use std::process::Command;

/// What each crate may depend on (besides crates of others).
const ALLOWED: &[(&str, &[&str])] = &[
    ("neurogauge-core", &[]),
    ("neurogauge-stats", &["neurogauge-core"]),
    (
        "neurogauge-metrics",
        &["neurogauge-core", "neurogauge-stats"],
    ),
    ("neurogauge-formats", &["neurogauge-core"]),
    (
        "neurogauge-models",
        &["neurogauge-core", "neurogauge-formats"],
    ),
    (
        "neurogauge-alignment",
        &["neurogauge-core", "neurogauge-stats"],
    ),
    ("neurogauge-language", &["neurogauge-core"]),
    ("neurogauge-report", &["neurogauge-core"]),
    (
        "neurogauge",
        &[
            "neurogauge-alignment",
            "neurogauge-core",
            "neurogauge-formats",
            "neurogauge-language",
            "neurogauge-metrics",
            "neurogauge-models",
            "neurogauge-report",
            "neurogauge-stats",
        ],
    ),
    ("neurogauge-demo", &["neurogauge"]),
    ("neurogauge-cli", &["neurogauge", "neurogauge-demo"]),
    ("neurogauge-python", &["neurogauge", "neurogauge-cli"]),
];

/// Libraries that may appear in one crate only.
const CONFINED: &[(&str, &str)] = &[
    ("candle-core", "neurogauge-models"),
    ("faer", "neurogauge-alignment"),
    ("tokenizers", "neurogauge-models"),
    ("ureq", "neurogauge-models"),
    ("pyo3", "neurogauge-python"),
    ("numpy", "neurogauge-python"),
    ("plotters", "neurogauge-report"),
    ("plotters-backend", "neurogauge-report"),
    ("tiny-skia", "neurogauge-report"),
    ("ttf-parser", "neurogauge-report"),
    ("dejavu", "neurogauge-report"),
    ("clap", "neurogauge-cli"),
    ("indicatif", "neurogauge-cli"),
];

/// Dependencies of every workspace crate, without those of its tests.
fn dependencies() -> BTreeMap<String, Vec<String>> {
    let output = Command::new(env!("CARGO"))
        .args([
            "metadata",
            "--no-deps",
            "--format-version",
            "1",
            "--offline",
        ])
        .current_dir(env!("CARGO_MANIFEST_DIR"))
        .output()
        .unwrap();
    let metadata: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    let packages = metadata["packages"].as_array().unwrap();
    packages
        .iter()
        .map(|package| {
            let dependencies = package["dependencies"].as_array().unwrap();
            let names = dependencies
                .iter()
                .filter(|dependency| dependency["kind"] != "dev")
                .map(|dependency| dependency["name"].as_str().unwrap_or_default().to_owned())
                .collect();
            (
                package["name"].as_str().unwrap_or_default().to_owned(),
                names,
            )
        })
        .collect()
}

#[test]
fn crates_depend_only_on_crates_to_their_right() {
    let allowed: BTreeMap<&str, &[&str]> = ALLOWED.iter().copied().collect();
    let found = dependencies();
    assert!(
        found.len() >= ALLOWED.len(),
        "a crate is missing: {:?}",
        found.keys()
    );
    for (package, dependencies) in &found {
        let allowed = allowed
            .get(package.as_str())
            .unwrap_or_else(|| panic!("{package} is new: say in ALLOWED what it may depend on"));
        for dependency in dependencies
            .iter()
            .filter(|name| name.starts_with("neurogauge"))
        {
            assert!(
                allowed.contains(&dependency.as_str()),
                "{package} must not depend on {dependency}"
            );
        }
    }
}

#[test]
fn engines_stay_in_their_crate() {
    for (package, dependencies) in &dependencies() {
        for (library, home) in CONFINED {
            assert!(
                package == home || !dependencies.iter().any(|name| name == library),
                "{library} belongs to {home}, not to {package}"
            );
        }
    }
}
