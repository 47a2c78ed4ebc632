//! Goldens and their values, also for the tests of other crates.

use serde_json::Value;

/// A file of `reference/golden`.
pub(crate) fn read(name: &str) -> Value {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../reference/golden/");
    let text = std::fs::read_to_string(format!("{folder}{name}")).expect(name);
    serde_json::from_str(&text).expect(name)
}

pub(crate) fn number(value: &Value) -> f64 {
    value.as_f64().expect("a number")
}

pub(crate) fn whole(value: &Value) -> u64 {
    value.as_u64().expect("a whole number")
}

pub(crate) fn count(value: &Value) -> usize {
    whole(value) as usize
}

pub(crate) fn list(value: &Value) -> &[Value] {
    value.as_array().expect("a list")
}

pub(crate) fn numbers(value: &Value) -> Vec<f64> {
    list(value).iter().map(number).collect()
}

#[track_caller]
pub(crate) fn near(found: f64, expected: f64, tolerance: f64) {
    let off = (found - expected).abs();
    assert!(off <= tolerance, "{found:?} is off {expected:?} by {off:e}");
}
