//! Tensors in `.pt` files as `torch.save` writes them: a zip archive with a pickle (`data.pkl`)
//! that describes the tensors, and one uncompressed entry (`data/<key>`) per storage.

use crate::pickle::Value;
use crate::stored_array::StoredArray;
use crate::torch_file::{archive, is_tensor};
use crate::{FormatError, Problem};
use std::path::Path;

/// A tensor of a `.pt` file; its numbers stay in the file until requested.
#[derive(Debug, Clone)]
pub struct PtTensor {
    /// Its key, if the file contains a dict.
    pub name: Option<String>,
    /// Shape, element type, and the numbers by position.
    pub array: StoredArray,
}

/// The tensors of a file: one without a name, or those of a dict (or `OrderedDict`, or state dict) in its order.
/// [`crate::state_dict::open`] reads checkpoints of models in this and other layouts.
///
/// Tensors may share a storage, start anywhere in it, and have any strides that do not overlap. Element types: bool,
/// uint8, int8 to int64, float16, bfloat16, float32, float64. Only the zip directory and the pickle are read; checksums
/// are not verified.
///
/// # Errors
/// Torch's old format; a compressed entry; a list, a text, a nested dict or other objects; errors of
/// [`crate::pickle::load`] for a forbidden name or a malformed pickle; a file that was cut short; a tensor that repeats
/// its numbers; a malformed file.
pub fn open(path: &Path) -> Result<Vec<PtTensor>, FormatError> {
    let archive = archive::open_path(path)?;
    match &archive.content {
        Value::Dict(entries) if !entries.is_empty() => entries
            .iter()
            .map(|(key, value)| match (key, value) {
                (Value::Str(key), value) if is_tensor(value) => Ok(PtTensor {
                    name: Some(key.clone()),
                    array: archive.storages.tensor(value)?,
                }),
                (Value::Str(key), other) => Err(Problem::content(
                    under(key, other),
                    format!("a dict of tensors only, or the name of one of its tensors, as {}#name", path.display()),
                )
                .at(path)),
                (key, _) => Err(wrong(path, format!("a dict with {} as key", key.describe()))),
            })
            .collect(),
        tensor if is_tensor(tensor) => Ok(vec![PtTensor {
            name: None,
            array: archive.storages.tensor(tensor)?,
        }]),
        other => Err(wrong(path, other.describe())),
    }
}

/// The tensor under a key of a dict, whose other values may be anything.
pub(crate) fn open_key(path: &Path, key: &str) -> Result<StoredArray, FormatError> {
    let archive = archive::open_path(path)?;
    let entries = match &archive.content {
        Value::Dict(entries) if !entries.is_empty() => entries.as_slice(),
        tensor if is_tensor(tensor) => &[],
        other => return Err(wrong(path, other.describe())),
    };
    match entries.iter().find(|entry: &&(Value, Value)| matches!(&entry.0, Value::Str(own) if own == key)) {
        Some((_, value)) if is_tensor(value) => archive.storages.tensor(value),
        Some((_, other)) => Err(wrong(path, under(key, other))),
        None => {
            let keys = entries.iter().filter_map(|(key, value)| match key {
                Value::Str(key) if is_tensor(value) => Some(key.clone()),
                _ => None,
            });
            Err(Problem::no_such("tensor", key, &keys.collect::<Vec<_>>()).at(path))
        }
    }
}

/// What a file holds that may be images or their names, with its key.
pub(crate) struct PtEntry {
    pub(crate) key: Option<String>,
    pub(crate) content: PtContent,
}

pub(crate) enum PtContent {
    Tensor(StoredArray),
    /// A list of tensors.
    Tensors(Vec<StoredArray>),
    /// A list of texts or whole numbers.
    Texts(Vec<String>),
}

/// The tensors of a file, its lists of tensors, and its lists of texts or whole numbers; other values of a dict are left
/// out.
pub(crate) fn entries(path: &Path) -> Result<Vec<PtEntry>, FormatError> {
    let archive = archive::open_path(path)?;
    let entries: Vec<(Option<String>, &Value)> = match &archive.content {
        Value::Dict(entries) => entries.iter().filter_map(|(key, value)| Some((Some(text(key)?), value))).collect(),
        other => vec![(None, other)],
    };
    let mut found = Vec::new();
    for (key, value) in entries {
        let content = match value {
            tensor if is_tensor(tensor) => PtContent::Tensor(archive.storages.tensor(tensor)?),
            Value::List(items) | Value::Tuple(items) if items.iter().all(is_tensor) && !items.is_empty() => {
                let tensors = items.iter().map(|item| archive.storages.tensor(item));
                PtContent::Tensors(tensors.collect::<Result<_, FormatError>>()?)
            }
            Value::List(items) | Value::Tuple(items) => match items.iter().map(text).collect() {
                Some(texts) => PtContent::Texts(texts),
                None => continue,
            },
            _ => continue,
        };
        found.push(PtEntry { key, content });
    }
    match found.iter().any(|entry| !matches!(entry.content, PtContent::Texts(_))) {
        true => Ok(found),
        false => Err(wrong(path, archive.content.describe())),
    }
}

/// The list of tensors under a key; `None` if something else is there, or nothing.
pub(crate) fn list(path: &Path, key: &str) -> Result<Option<Vec<StoredArray>>, FormatError> {
    Ok(entries(path)?.into_iter().find_map(|entry| match entry.content {
        PtContent::Tensors(tensors) if entry.key.as_deref() == Some(key) => Some(tensors),
        _ => None,
    }))
}

fn text(value: &Value) -> Option<String> {
    match value {
        Value::Str(text) => Some(text.clone()),
        Value::Int(number) => Some(number.to_string()),
        _ => None,
    }
}

fn under(key: &str, value: &Value) -> String {
    format!("a dict with {} under {key:?}", value.describe())
}

fn wrong(path: &Path, found: String) -> FormatError {
    Problem::content(found, "a tensor or a dict of tensors with text keys, saved with torch.save").at(path)
}
