//! Fails on any dependency between crates that the design does not allow, on a crate that cannot be published, and on a
//! generated page that differs from the code.

#![allow(clippy::unwrap_used, clippy::panic)]

pub(crate) mod circles;
mod guards;
mod imports;
mod kinds;
mod packages;

use std::collections::BTreeMap;
use std::path::Path;
use std::process::Command;

/// The allowed dependencies of each crate (besides external crates).
const ALLOWED: &[(&str, &[&str])] = &[
    ("neurogauge-core", &[]),
    ("neurogauge-stats", &["neurogauge-core"]),
    ("neurogauge-metrics", &["neurogauge-core", "neurogauge-stats"]),
    ("neurogauge-formats", &["neurogauge-core"]),
    ("neurogauge-kernels", &["neurogauge-core"]),
    ("neurogauge-models", &["neurogauge-core", "neurogauge-formats", "neurogauge-kernels"]),
    ("neurogauge-alignment", &["neurogauge-core", "neurogauge-stats"]),
    ("neurogauge-language", &["neurogauge-core"]),
    ("neurogauge-report", &["neurogauge-core"]),
    (
        "neurogauge-lib",
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
    ("neurogauge-demo", &["neurogauge-lib"]),
    ("neurogauge-audit", &["neurogauge-lib"]),
    ("neurogauge-multiverse", &["neurogauge-lib"]),
    ("neurogauge-exhibits", &["neurogauge-lib"]),
    ("neurogauge-guide", &["neurogauge-lib"]),
    ("neurogauge-meta", &["neurogauge-lib"]),
    ("neurogauge-tasks", &["neurogauge-lib"]),
    ("neurogauge-cluster", &["neurogauge-lib"]),
    ("neurogauge-gallery", &["neurogauge-lib"]),
    ("neurogauge-board", &["neurogauge-lib"]),
    ("neurogauge-report-page", &["neurogauge-lib", "neurogauge-audit", "neurogauge-guide"]),
    (
        "neurogauge-study",
        &[
            "neurogauge-lib",
            "neurogauge-audit",
            "neurogauge-exhibits",
            "neurogauge-meta",
            "neurogauge-report-page",
        ],
    ),
    ("neurogauge-recovery", &["neurogauge-lib", "neurogauge-exhibits"]),
    ("neurogauge-survey", &["neurogauge-lib", "neurogauge-meta"]),
    (
        "neurogauge-command",
        &[
            "neurogauge-lib",
            "neurogauge-audit",
            "neurogauge-board",
            "neurogauge-cluster",
            "neurogauge-demo",
            "neurogauge-gallery",
            "neurogauge-guide",
            "neurogauge-meta",
            "neurogauge-multiverse",
            "neurogauge-recovery",
            "neurogauge-report-page",
            "neurogauge-study",
            "neurogauge-survey",
            "neurogauge-tasks",
        ],
    ),
    ("neurogauge", &["neurogauge-command"]),
    (
        "neurogauge-python",
        &["neurogauge-lib", "neurogauge-guide", "neurogauge-meta", "neurogauge-command"],
    ),
    ("neurogauge-tests", &[]),
];

/// Libraries that only these crates may use.
const CONFINED: &[(&str, &str)] = &[
    ("candle-core", "neurogauge-kernels"),
    ("candle-core", "neurogauge-models"),
    ("faer", "neurogauge-alignment"),
    ("faer", "neurogauge-metrics"),
    ("tokenizers", "neurogauge-models"),
    ("ureq", "neurogauge-models"),
    ("pyo3", "neurogauge-python"),
    ("numpy", "neurogauge-python"),
    ("pdf-writer", "neurogauge-report"),
    ("subsetter", "neurogauge-report"),
    ("tiny-skia", "neurogauge-report"),
    ("ttf-parser", "neurogauge-report"),
    ("dejavu", "neurogauge-report"),
    ("clap", "neurogauge-core"),
    ("clap", "neurogauge-stats"),
    ("clap", "neurogauge-audit"),
    ("clap", "neurogauge-gallery"),
    ("clap", "neurogauge-meta"),
    ("clap", "neurogauge-multiverse"),
    ("clap", "neurogauge-survey"),
    ("clap", "neurogauge-tasks"),
    ("clap", "neurogauge-command"),
    ("indicatif", "neurogauge-command"),
];

/// cargo's metadata of every workspace crate.
fn packages() -> Vec<serde_json::Value> {
    let output = Command::new(env!("CARGO"))
        .args(["metadata", "--no-deps", "--format-version", "1", "--offline"])
        .current_dir(env!("CARGO_MANIFEST_DIR"))
        .output()
        .unwrap();
    let metadata: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    metadata["packages"].as_array().unwrap().clone()
}

/// Dependencies of every workspace crate, without dev-dependencies.
fn dependencies() -> BTreeMap<String, Vec<String>> {
    packages()
        .iter()
        .map(|package| {
            let dependencies = package["dependencies"].as_array().unwrap();
            let names = dependencies
                .iter()
                .filter(|dependency| dependency["kind"] != "dev")
                .map(|dependency| dependency["name"].as_str().unwrap_or_default().to_owned())
                .collect();
            (package["name"].as_str().unwrap_or_default().to_owned(), names)
        })
        .collect()
}

#[test]
fn crates_depend_only_on_crates_to_their_right() {
    let allowed: BTreeMap<&str, &[&str]> = ALLOWED.iter().copied().collect();
    let found = dependencies();
    assert!(found.len() >= ALLOWED.len(), "a crate is missing: {:?}", found.keys());
    for (package, dependencies) in &found {
        let allowed = allowed
            .get(package.as_str())
            .unwrap_or_else(|| panic!("{package} is new: say in ALLOWED what it may depend on"));
        for dependency in dependencies.iter().filter(|name| name.starts_with("neurogauge")) {
            assert!(allowed.contains(&dependency.as_str()), "{package} must not depend on {dependency}");
        }
    }
}

#[test]
fn engines_stay_in_their_crates() {
    let is_confined = |library: &str| CONFINED.iter().any(|(confined, _)| *confined == library);
    for (package, dependencies) in &dependencies() {
        for library in dependencies.iter().filter(|name| is_confined(name)) {
            assert!(
                CONFINED.contains(&(library, package)),
                "{package} must not depend on {library}; these may: {CONFINED:?}"
            );
        }
    }
}

#[test]
fn the_map_of_the_crates_has_a_line_for_each() {
    let map = Path::new(env!("CARGO_MANIFEST_DIR")).join("../README.md");
    let map = std::fs::read_to_string(map).unwrap();
    for package in packages() {
        let manifest = Path::new(package["manifest_path"].as_str().unwrap());
        let folder = manifest.parent().and_then(Path::file_name).unwrap();
        let name = package["name"].as_str().unwrap();
        let line = format!("\n| `{}` | `{name}`", folder.to_str().unwrap());
        assert_eq!(
            map.matches(&line).count(),
            1,
            "crates/README.md: {name} needs one line, in the form:{line} | one sentence |"
        );
    }
}

/// Checks a file that `make written` generates.
fn check_written(path: &Path, written: &str) {
    if std::env::var_os("NEUROGAUGE_WRITE").is_some() {
        std::fs::write(path, written).unwrap();
    }
    let found = std::fs::read_to_string(path).unwrap_or_default();
    assert!(
        found == written,
        "{} is not what the code has; write it again with `make written`:\n{written}",
        path.display()
    );
}

/// Checks the generated part of such a file, between two lines.
fn check_written_part(path: &Path, [begin, end]: [&str; 2], part: &str) {
    let text = std::fs::read_to_string(path).unwrap();
    let (before, rest) = text.split_once(begin).unwrap();
    let (_, after) = rest.split_once(end).unwrap();
    check_written(path, &format!("{before}{begin}\n{part}\n{end}{after}"));
}
