//! Reads `run.json` of earlier schemas: fills in the defaults of their time, and lists their steps as in schema 3.

use neurogauge_stats::MeanInterval;
use serde_json::{Map, Value, json};

/// The fields of schema 2 for each kind that an observer made: how, and which items failed.
const OF_KINDS: [(&str, &str, &str); 4] = [
    ("captions", "captioned", "uncaptioned"),
    ("detections", "detected", "undetected"),
    ("masks", "segmented", "unsegmented"),
    ("scene_graphs", "parsed", "unparsed"),
];

/// Updates the JSON of an older record.
pub(super) fn bring_up_to_date(record: &mut Value) {
    if let Some(request) = record.get_mut("request") {
        say_defaults_of_then(request);
    }
    let schema = record.get("schema").and_then(Value::as_u64);
    if let (Some(record), Some(..3)) = (record.as_object_mut(), schema) {
        list_steps(record);
    }
}

/// Records without a method for intervals of means are from a time when all were percentile intervals; records without SEED's
/// preprocessing, from a time when its images were prepared like all others.
fn say_defaults_of_then(request: &mut Value) {
    if let Some(options) = request.get_mut("bootstrap").and_then(Value::as_object_mut) {
        let interval = options.entry("interval");
        interval.or_insert_with(|| MeanInterval::Percentile.id().into());
    }
    if let Some(options) = request.get_mut("perception").and_then(Value::as_object_mut) {
        options.entry("seed").or_insert(Value::Null);
    }
}

/// Joins the steps of one model, which schema 2 lists for each side and matrix, and adds their outcomes.
fn list_steps(record: &mut Map<String, Value>) {
    let mut steps: Vec<Value> = Vec::new();
    let of_then = record
        .get_mut("plan")
        .and_then(|plan| plan.get_mut("steps"));
    let of_then = of_then.map(Value::take).unwrap_or_default();
    for mut step in of_then.as_array().cloned().unwrap_or_default() {
        let part = json!({
            "reads": [step["reads"].take()],
            "writes": step["writes"].take(),
            "features": step["features"].take(),
            "n_items": step["n_items"].take(),
            "n_cached": step["n_known"].take(),
        });
        let recipe = match part["features"] {
            Value::Null => step["recipe"].take(),
            _ => json!([step["recipe"].take()]),
        };
        let kind = |part: &Value| {
            let role = part["writes"].as_str().unwrap_or_default();
            role.rsplit('/').next().unwrap_or_default().to_owned()
        };
        match steps.last_mut() {
            Some(last) if last["recipe"] == recipe && kind(&last["parts"][0]) == kind(&part) => {
                if let Some(parts) = last["parts"].as_array_mut() {
                    parts.push(part);
                }
            }
            _ => steps
                .push(json!({"parts": [part], "model": step["model"].take(), "recipe": recipe})),
        }
    }
    let makes = |step: &Value, kind: &str| {
        let role = step["parts"][0]["writes"].as_str().unwrap_or_default();
        role.ends_with(&format!("/{kind}"))
    };
    let asked = record.remove("asked").unwrap_or_default();
    for asked in asked.as_array().into_iter().flatten() {
        let kind = asked["makes"].as_str().unwrap_or_default();
        // Failures of captions are in a separate field.
        if let Some(step) = steps.iter_mut().find(|step| makes(step, kind)) {
            let fields = ["failed", "answered_by", "n_cut_off"].into_iter();
            let known =
                fields.filter_map(|field| Some((field.to_owned(), asked.get(field)?.clone())));
            step["outcome"] = Value::Object(known.collect());
        }
    }
    for (kind, made, _) in OF_KINDS {
        let Some(recipe) = record.remove(made).filter(|recipe| !recipe.is_null()) else {
            continue;
        };
        // Schema 1 has no plan.
        if !steps.iter().any(|step| makes(step, kind)) {
            let parts = ["gt", "recon"].map(|side| json!({"reads": [], "writes": format!("{side}/{kind}"), "n_items": record["n_pairs"]}));
            steps.push(json!({"parts": parts, "model": recipe["model"], "recipe": recipe}));
        }
    }
    for (kind, _, failed) in OF_KINDS
        .into_iter()
        .chain([("features", "", "without_features")])
    {
        let failed = record
            .remove(failed)
            .filter(|failed| failed.as_array().is_some_and(|items| !items.is_empty()));
        if let (Some(failed), Some(step)) =
            (failed, steps.iter_mut().find(|step| makes(step, kind)))
        {
            step["outcome"]["failed"] = failed;
        }
    }
    if steps.is_empty() && !record.contains_key("plan") {
        return;
    }
    let plan = record
        .entry("plan")
        .or_insert_with(|| json!({"left_out": []}));
    if let Some(plan) = plan.as_object_mut() {
        plan.insert("steps".to_owned(), Value::Array(steps));
    }
}
