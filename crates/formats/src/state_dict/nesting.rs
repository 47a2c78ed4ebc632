//! Finds the weights in a nested checkpoint of torch.

use super::StateTensor;
use crate::pickle::Value;
use crate::torch_file::{Storages, is_tensor};
use crate::{FormatError, Problem};

/// The keys under which training scripts store weights; the first one found is used.
const WRAPPERS: [&str; 3] = ["state_dict", "model", "teacher"];

pub(super) fn tensors(content: &Value, storages: &Storages) -> Result<Vec<StateTensor>, FormatError> {
    let wrong = |found: String| {
        Problem::content(found, format!("a dict of tensors with text keys, or one under {}", WRAPPERS.join(", ")))
            .at(storages.file.path())
    };
    let Value::Dict(entries) = content else {
        return Err(wrong(content.describe()));
    };
    let entries = WRAPPERS.iter().find_map(|wrapper| wrapped(entries, wrapper)).unwrap_or(entries);
    let mut tensors = Vec::new();
    for (key, value) in entries {
        match (key, value) {
            (Value::Str(name), value) if is_tensor(value) => tensors.push(StateTensor {
                name: name.clone(),
                array: storages.tensor(value)?,
            }),
            (Value::Str(_), value) if is_single(value) => {}
            (Value::Str(name), other) => {
                return Err(wrong(format!("a dict with {} under {name:?}", other.describe())));
            }
            (key, _) => return Err(wrong(format!("a dict with {} as key", key.describe()))),
        }
    }
    if tensors.is_empty() {
        return Err(wrong(format!("a dict of {} without a tensor", entries.len())));
    }
    Ok(tensors)
}

/// The dict under a key, if it contains tensors.
fn wrapped<'a>(entries: &'a [(Value, Value)], wrapper: &str) -> Option<&'a [(Value, Value)]> {
    entries.iter().find_map(|(key, value)| match (key, value) {
        (Value::Str(key), Value::Dict(inner)) if key == wrapper && inner.iter().any(|(_, value)| is_tensor(value)) => {
            Some(inner.as_slice())
        }
        _ => None,
    })
}

/// Numbers, texts and the like, which training scripts store next to the weights.
fn is_single(value: &Value) -> bool {
    matches!(value, Value::None | Value::Bool(_) | Value::Int(_) | Value::Float(_) | Value::Str(_))
}
