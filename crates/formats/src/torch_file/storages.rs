//! Maps the description of a tensor to its position in the file.

use crate::element::{ByteOrder, ElementType};
use crate::pickle::Value;
use crate::positioned_file::PositionedFile;
use crate::stored_array::StoredArray;
use crate::{FormatError, Problem};
use std::collections::HashMap;
use std::sync::Arc;

/// The location of bytes in a file.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Span {
    pub(crate) offset: u64,
    pub(crate) size: u64,
}

/// The storages of a file, by key: contiguous numbers that contain tensors.
#[derive(Debug)]
pub(crate) struct Storages {
    pub(crate) file: Arc<PositionedFile>,
    pub(crate) order: ByteOrder,
    pub(crate) spans: HashMap<String, Span>,
}

/// Is it the call that makes a tensor or a parameter?
pub(crate) fn is_tensor(value: &Value) -> bool {
    matches!(value, Value::Object { module, name, .. }
        if module == "torch._utils" && name.starts_with("_rebuild_"))
}

impl Storages {
    /// Reads `_rebuild_tensor_v2(storage, offset, size, stride, requires_grad, hooks, metadata)`. `metadata` is
    /// optional. The first version, `_rebuild_tensor`, has the first four arguments. `_rebuild_parameter(tensor,
    /// requires_grad, hooks)` is read too.
    pub(crate) fn tensor(&self, value: &Value) -> Result<StoredArray, FormatError> {
        let damaged = || self.malformed("a tensor with unexpected arguments".to_owned());
        let Value::Object { name, args, .. } = value else {
            return Err(damaged());
        };
        let [Value::Persistent(storage), Value::Int(offset), Value::Tuple(shape), Value::Tuple(stride), rest @ ..] =
            args.as_slice()
        else {
            return match args.first() {
                // A value cannot contain itself, so this terminates.
                Some(data) if name == "_rebuild_parameter" && is_tensor(data) => self.tensor(data),
                _ => Err(damaged()),
            };
        };
        // This is the metadata of a view such as `x.conj().imag`: torch.load negates all its numbers.
        if let Some(Value::Dict(metadata)) = rest.get(2)
            && metadata.contains(&(Value::Str("neg".to_owned()), Value::Bool(true)))
        {
            let found = "a tensor with its negative bit set, whose numbers are stored with the opposite sign";
            return Err(Problem::content(found, "a tensor with its own numbers; save x.resolve_neg() instead of x")
                .at(self.file.path()));
        }
        let (element, key) = storage_id(storage).map_err(|reason| self.malformed(reason))?;
        let Some(span) = self.spans.get(key) else {
            return Err(self.malformed(format!("the storage data/{key} is missing")));
        };
        let shape = sizes(shape).ok_or_else(damaged)?;
        let stride = sizes(stride).filter(|s| s.len() == shape.len()).ok_or_else(damaged)?;
        let size = element.size() as u64;
        let first = u64::try_from(*offset).ok().and_then(|offset| offset.checked_mul(size));
        let first = first.and_then(|first| span.offset.checked_add(first)).ok_or_else(damaged)?;
        let end = span.offset.saturating_add(span.size);
        StoredArray::new(Arc::clone(&self.file), (element, self.order), (first, end), shape, stride)
    }

    pub(crate) fn malformed(&self, reason: String) -> FormatError {
        Problem::new(reason).at(self.file.path())
    }
}

/// `("storage", torch.FloatStorage, key, location, number of elements)`; in the old format, also a sixth part, for
/// storages that are views of others.
pub(super) fn storage_id(id: &Value) -> Result<(ElementType, &str), String> {
    let Value::Tuple(parts) = id else {
        return Err("a storage id that is not a tuple".to_owned());
    };
    let [Value::Str(tag), Value::Global { name, .. }, Value::Str(key), rest @ ..] = parts.as_slice() else {
        return Err("a storage id of unexpected parts".to_owned());
    };
    if !matches!(rest.get(2), None | Some(Value::None)) {
        return Err(format!("the storage {key} is a view of another one"));
    }
    let element = match name.as_str() {
        _ if tag != "storage" => None,
        "BoolStorage" => Some(ElementType::Bool),
        "ByteStorage" => Some(ElementType::U8),
        "CharStorage" => Some(ElementType::I8),
        "ShortStorage" => Some(ElementType::I16),
        "IntStorage" => Some(ElementType::I32),
        "LongStorage" => Some(ElementType::I64),
        "HalfStorage" => Some(ElementType::F16),
        "BFloat16Storage" => Some(ElementType::Bf16),
        "FloatStorage" => Some(ElementType::F32),
        "DoubleStorage" => Some(ElementType::F64),
        _ => None,
    };
    match element {
        Some(element) => Ok((element, key)),
        None => Err(format!("a storage id with {tag:?} and {name}")),
    }
}

fn sizes(values: &[Value]) -> Option<Vec<u64>> {
    values
        .iter()
        .map(|value| match value {
            Value::Int(n) => u64::try_from(*n).ok(),
            _ => None,
        })
        .collect()
}
