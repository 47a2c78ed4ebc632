//! Captions of two systems, and the rows of `run.json`.

use crate::support::*;

/// The value of a metric in a row of `run.json`.
pub(crate) fn value(run: &Path, row: &str, metric: &str) -> f64 {
    measure(run, row, metric)["value"].number()
}

pub(crate) fn measure(run: &Path, row: &str, metric: &str) -> Value {
    let record = record(run);
    let named = |items: &Value, key: &str, name: &str| -> Value {
        items.list().iter().find(|item| item[key] == name).unwrap().clone()
    };
    named(&named(&record["rows"], "name", row)["measures"], "id", metric)
}

pub(crate) fn near(found: f64, expected: f64) {
    assert!((found - expected).abs() < 1e-8, "{found} {expected}");
}

/// Captions of the systems `good` and `bad`, and the references.
pub(crate) fn captions() -> Folder {
    let dir = folder();
    dir.write("reference.json", r#"{"1": ["Red cat.", "A cat"], "2": ["blue dog"]}"#);
    dir.write("good.json", r#"{"2": "A dog!", "1": "red cat"}"#);
    dir.write("bad.json", r#"{"1": "nothing", "2": "of it"}"#);
    dir
}

/// Scores captions; the decoded captions follow.
pub(crate) const CAPTION: &str = "score captions --overwrite reference.json --out out";
