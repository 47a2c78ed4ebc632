//! Captions of two systems, and the rows of `run.json`.

use crate::support::{arg, record, write};
use serde_json::Value;
use std::path::{Path, PathBuf};

/// The value of a metric in a row of `run.json`.
pub(crate) fn value(run: &Path, row: &str, metric: &str) -> f64 {
    measure(run, row, metric)["value"].as_f64().unwrap()
}

pub(crate) fn measure(run: &Path, row: &str, metric: &str) -> Value {
    let record = record(run);
    let named = |items: &Value, key: &str, name: &str| -> Value {
        let items = items.as_array().unwrap();
        items.iter().find(|item| item[key] == name).unwrap().clone()
    };
    named(
        &named(&record["rows"], "name", row)["measures"],
        "id",
        metric,
    )
}

pub(crate) fn near(found: f64, expected: f64) {
    assert!((found - expected).abs() < 1e-8, "{found} {expected}");
}

pub(crate) fn captions(root: &Path) -> (PathBuf, PathBuf, PathBuf) {
    let (reference, good, bad) = (
        root.join("reference.json"),
        root.join("good.json"),
        root.join("bad.json"),
    );
    write(
        &reference,
        r#"{"1": ["Red cat.", "A cat"], "2": ["blue dog"]}"#,
    );
    write(&good, r#"{"2": "A dog!", "1": "red cat"}"#);
    write(&bad, r#"{"1": "nothing", "2": "of it"}"#);
    (reference, good, bad)
}

/// `neurogauge caption` of these systems.
pub(crate) fn captioning<'a>(
    reference: &'a Path,
    decoded: &[&'a Path],
    out: &'a Path,
    options: &[&'a str],
) -> Vec<&'a str> {
    let inputs = [
        "caption",
        "--overwrite",
        "--reference",
        arg(reference),
        "--out",
        arg(out),
    ];
    let decoded: Vec<&str> = decoded.iter().map(|path| arg(path)).collect();
    [&inputs[..], options, &["--decoded"], &decoded].concat()
}
