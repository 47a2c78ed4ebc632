//! Protects a finished result from being replaced by accident.

use crate::Error;
pub(crate) use neurogauge_formats::atomic_file::remove;
use neurogauge_formats::json_differences::differences;
use neurogauge_formats::{FormatError, json};
use serde::Deserialize;
use serde_json::{Map, Value, json};
use std::path::Path;

/// Fails if the folder holds a finished result of other inputs or options than this record's. Not compared are fields
/// that one of the two records lacks because its value is not known yet, and the paths of inputs, which have hashes.
pub(crate) fn refuse_other(folder: &Path, name: &str, now: &Value) -> Result<(), Error> {
    let path = folder.join(name);
    if !path.exists() {
        return Ok(());
    }
    // A record that cannot be read belongs to another version; the result is computed again.
    let (Ok(then), Ok(now)) = (json::read::<Known>(&path), Known::deserialize(now)) else {
        return Ok(());
    };
    let (then, now) = (identity(then), identity(now));
    let both = |own: &Map<String, Value>, other: &Map<String, Value>| -> Value {
        let shared = own.iter().filter(|(name, _)| other.contains_key(*name));
        shared.map(|(name, value)| (name.clone(), value.clone())).collect()
    };
    let found = differences(&both(&then, &now), &both(&now, &then));
    if found.is_empty() {
        return Ok(());
    }
    Err(Error::OtherRun {
        path: folder.to_owned(),
        is_finished: true,
        differences: found.join("\n  "),
    })
}

/// Marks a finished result as unfinished, so that it may be replaced.
pub(crate) fn set_unfinished(folder: &Path, name: &str) -> Result<(), FormatError> {
    remove(&folder.join(name))
}

/// The fields of a record that are compared; the others may be long.
#[derive(Deserialize)]
struct Known {
    versions: Option<Value>,
    command: Option<Value>,
    fingerprint: Option<Value>,
    inputs: Option<Value>,
    request: Option<Value>,
    config: Option<Value>,
}

/// Everything in a record that affects its result.
fn identity(record: Known) -> Map<String, Value> {
    let mut found = Map::new();
    let mut add = |name: &str, value: Option<Value>| {
        found.extend(value.map(|value| (name.to_owned(), value)));
    };
    let version = record.versions.map(|all| all["neurogauge"].clone());
    add("version of neurogauge", version);
    add("command", record.command);
    add("fingerprint", record.fingerprint);
    let inputs = record.inputs.as_ref().and_then(Value::as_array);
    let paths: Vec<&str> = inputs.into_iter().flatten().filter_map(|i| i["path"].as_str()).collect();
    add("SHA-256 of input", inputs.map(|inputs| hashes(inputs)));
    let options = record.request.or(record.config);
    let without_inputs = options.map(|mut options| {
        mask(&mut options, &paths);
        options
    });
    add("options", without_inputs);
    found
}

fn hashes(inputs: &[Value]) -> Value {
    let mut by_role: Map<String, Value> = Map::new();
    for input in inputs {
        let role = input["role"].as_str().unwrap_or_default();
        let of_role = by_role.entry(role).or_insert_with(|| json!([]));
        if let Value::Array(of_role) = of_role {
            of_role.push(input["sha256"].clone());
        }
    }
    Value::Object(by_role)
}

/// Removes the paths of inputs and of their folders from options.
fn mask(options: &mut Value, paths: &[&str]) {
    let is_input = |text: &str| {
        let below = |path: &&&str| Path::new(path).starts_with(text);
        !text.is_empty() && paths.iter().any(|path| below(&path))
    };
    match options {
        Value::String(text) if is_input(text) => *options = json!("(an input)"),
        Value::Array(values) => values.iter_mut().for_each(|value| mask(value, paths)),
        Value::Object(fields) => fields.values_mut().for_each(|value| mask(value, paths)),
        _ => {}
    }
}
