//! Captions in the form of SEED's code: `np.save` of a dict, which is an object array without axes around a pickle of
//! the dict.

use super::header;
use super::write::write_header;
use crate::pickle::{self, Value};
use crate::positioned_file::PositionedFile;
use crate::{FormatError, Problem, atomic_file};
use std::path::Path;

/// The entries of a dict of texts written by `np.save`, in order.
///
/// NumPy 1 or 2 may have written it. Integer keys are returned as decimal text. No code in the file is executed.
///
/// # Errors
/// The file holds another array, or a dict with values other than texts; a key is repeated; errors of [`pickle::load`]
/// for a forbidden name or a malformed pickle, and of [`read_header`](super::read_header) for a malformed file.
pub fn read_pickled_dict(path: &Path) -> Result<Vec<(String, String)>, FormatError> {
    let file = PositionedFile::open(path)?;
    let header = header::read(&file)?;
    let wrong = |found: String| Problem::content(found, "a pickled dict of texts, as np.save writes one").at(path);
    if header.dtype != "|O" || !header.shape.is_empty() {
        return Err(wrong(format!("an array of shape {:?} and type {}", header.shape, header.dtype)));
    }
    let size = file.len().saturating_sub(header.data_offset);
    let pickled = file.read(header.data_offset, size, "the pickle")?;
    let value = pickle::load(&pickled, path)?;
    let Some(Value::Dict(entries)) = only_element(&value) else {
        return Err(wrong(only_element(&value).unwrap_or(&value).describe()));
    };
    let mut captions = Vec::with_capacity(entries.len());
    for (key, value) in entries {
        let key = match key {
            Value::Int(number) => number.to_string(),
            key => text(key).ok_or_else(|| wrong(format!("a dict with {} as key", key.describe())))?,
        };
        let caption = text(value).ok_or_else(|| wrong(format!("a dict with {} under {key:?}", value.describe())))?;
        captions.push((key, caption));
    }
    match first_repeated(&captions) {
        None => Ok(captions),
        Some(stem) => Err(Problem::duplicate_stem(&stem, &stem, &stem).at(path)),
    }
}

/// Writes the content of `np.save(path, dict(entries))`, atomically; NumPy 1 and 2 read it with
/// `np.load(path, allow_pickle=True).item()`.
pub fn write_pickled_dict(path: &Path, entries: &[(String, String)]) -> Result<(), FormatError> {
    if let Some(stem) = first_repeated(entries) {
        return Err(Problem::duplicate_stem(&stem, &stem, &stem).at(path));
    }
    let dict = entries
        .iter()
        .map(|(key, caption)| (Value::Str(key.clone()), Value::Str(caption.clone())))
        .collect();
    let pickled = pickle::dump(&array_without_axes(Value::Dict(dict)));
    atomic_file::write_with(path, |writer| {
        write_header(writer, &[], "|O")?;
        writer.write_all(&pickled)
    })
}

fn first_repeated(entries: &[(String, String)]) -> Option<String> {
    let mut seen = std::collections::HashSet::new();
    entries.iter().find(|(key, _)| !seen.insert(key)).map(|(key, _)| key.clone())
}

/// The dict within `_reconstruct(ndarray, (0,), b"b")` whose state is
/// `(version, shape, dtype, fortran order, [elements])`.
fn only_element(array: &Value) -> Option<&Value> {
    let Value::Object {
        name,
        state: Some(state),
        ..
    } = array
    else {
        return None;
    };
    let Value::Tuple(state) = state.as_ref() else {
        return None;
    };
    match state.as_slice() {
        [_, _, _, _, Value::List(elements)] if name == "_reconstruct" && elements.len() == 1 => elements.first(),
        _ => None,
    }
}

fn array_without_axes(element: Value) -> Value {
    let int = Value::Int;
    let global = |name: &str| Value::Global {
        module: "numpy".to_owned(),
        name: name.to_owned(),
    };
    let dtype = Value::Object {
        module: "numpy".to_owned(),
        name: "dtype".to_owned(),
        args: vec![Value::Str("O8".to_owned()), Value::Bool(false), Value::Bool(true)],
        state: Some(Box::new(Value::Tuple(vec![
            int(3),
            Value::Str("|".to_owned()),
            Value::None,
            Value::None,
            Value::None,
            int(-1),
            int(-1),
            int(63),
        ]))),
    };
    Value::Object {
        // NumPy 2 also accepts this name, the only one that NumPy 1 knows.
        module: "numpy.core.multiarray".to_owned(),
        name: "_reconstruct".to_owned(),
        args: vec![global("ndarray"), Value::Tuple(vec![int(0)]), Value::Bytes(b"b".to_vec())],
        state: Some(Box::new(Value::Tuple(vec![
            int(1),
            Value::Tuple(Vec::new()),
            dtype,
            Value::Bool(false),
            Value::List(vec![element]),
        ]))),
    }
}

/// A `str` or a `numpy.str_`, which is `scalar(dtype("<U5"), utf32_bytes)`.
fn text(value: &Value) -> Option<String> {
    let (name, args) = match value {
        Value::Str(text) => return Some(text.clone()),
        Value::Object { name, args, .. } => (name, args),
        _ => return None,
    };
    let [
        Value::Object {
            name: dtype,
            args: dtype_args,
            state: Some(dtype_state),
            ..
        },
        Value::Bytes(bytes),
    ] = args.as_slice()
    else {
        return None;
    };
    let Value::Tuple(state) = dtype_state.as_ref() else {
        return None;
    };
    let is_text = name == "scalar"
        && dtype == "dtype"
        && matches!(dtype_args.first(), Some(Value::Str(code)) if code.starts_with('U'));
    let (units, []) = bytes.as_chunks::<4>() else {
        return None;
    };
    let decode = match state.get(1) {
        Some(Value::Str(order)) if order == "<" => u32::from_le_bytes,
        Some(Value::Str(order)) if order == ">" => u32::from_be_bytes,
        _ => return None,
    };
    if !is_text {
        return None;
    }
    units.iter().map(|&unit| char::from_u32(decode(unit))).collect()
}
