//! The differences of two runs, in words.

use serde_json::Value;
use std::collections::BTreeSet;

/// Lines that name the differences between two records of everything that affects numbers:
/// `path.to.field: 1 then, 2 now`.
pub fn differences(then: &Value, now: &Value) -> Vec<String> {
    let mut found = Vec::new();
    collect("", then, now, &mut found);
    found
}

fn collect(place: &str, then: &Value, now: &Value, found: &mut Vec<String>) {
    if then == now {
        return;
    }
    if let (Value::Object(then), Value::Object(now)) = (then, now) {
        for name in then.keys().chain(now.keys()).collect::<BTreeSet<&String>>() {
            let below = match place {
                "" => name.clone(),
                place => format!("{place}.{name}"),
            };
            let of = |side: &serde_json::Map<String, Value>| side.get(name).cloned();
            let (then, now) = (of(then).unwrap_or_default(), of(now).unwrap_or_default());
            collect(&below, &then, &now, found);
        }
        return;
    }
    found.push(format!("{place}: {} then, {} now", shown(then), shown(now)));
}

/// A value in the form used in sentences.
fn shown(value: &Value) -> String {
    const MOST: usize = 60;
    let text = match value {
        Value::Null => return "none".to_owned(),
        Value::String(text) => text.clone(),
        Value::Array(values) => values.iter().map(shown).collect::<Vec<_>>().join(", "),
        other => other.to_string(),
    };
    match text.char_indices().nth(MOST) {
        Some((end, _)) => format!("{}...", &text[..end]),
        None if text.is_empty() => "none".to_owned(),
        None => text,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn what_differs_is_named_with_both_values() {
        let then = json!({"options": {"size_px": 425, "ties": "lose"}, "metrics": ["ssim"]});
        let now = json!({"options": {"size_px": 48, "ties": "lose", "seed": 7}, "metrics": ["ssim", "seed"]});
        let expected = [
            "metrics: ssim then, ssim, seed now",
            "options.seed: none then, 7 now",
            "options.size_px: 425 then, 48 now",
        ];
        assert_eq!(differences(&then, &now), expected);
        assert!(differences(&then, &then).is_empty());
    }
}
