//! The JSON of outcomes (docs/pages/reference/schemas/outcome.schema.json).

use super::study_data::files;
use super::*;

/// Asserts that every statistic in the JSON files below a folder matches the schema. Returns their number.
#[track_caller]
pub(crate) fn check_outcomes(root: &Path) -> usize {
    let schema = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/pages/reference/schemas/outcome.schema.json");
    let schema: Value = serde_json::from_slice(&fs::read(schema).unwrap()).unwrap();
    let written = files(root).into_iter().filter(|(name, _)| name.ends_with(".json"));
    written.map(|(name, bytes)| check(&serde_json::from_slice(&bytes).unwrap(), &schema, &name)).sum()
}

#[track_caller]
fn check(found: &Value, schema: &Value, file: &str) -> usize {
    let below: usize = match found {
        Value::Object(fields) => fields.values().map(|value| check(value, schema, file)).sum(),
        Value::Array(values) => values.iter().map(|value| check(value, schema, file)).sum(),
        _ => 0,
    };
    assert!(found.get("Ok").is_none() && found.get("Err").is_none(), "{file}: {found}");
    // A list names which of several values are undefined.
    let Some(reason) = found.get("undefined").filter(|reason| !reason.is_array()) else {
        return below;
    };
    let outcome =
        json!({"value": found.get("value").unwrap_or_else(|| panic!("{file}: {found}")), "undefined": reason});
    let kinds = schema["oneOf"].list().iter();
    let is_of = |kind: &&Value| {
        let mut rules = kind["properties"].fields().iter();
        rules.all(|(field, rule)| follows(&outcome[field], rule))
    };
    assert_eq!(kinds.filter(is_of).count(), 1, "{file}: {found}");
    below + 1
}

fn follows(value: &Value, rule: &Value) -> bool {
    match rule.get("not") {
        Some(rule) => !follows(value, rule),
        None if rule["type"] == "null" => value.is_null(),
        None => value.as_str().is_some_and(|text| !text.is_empty()),
    }
}
