//! safetensors: the length of a JSON header (eight bytes), the header, the numbers.

use super::StateTensor;
use crate::element::{ByteOrder, ElementType};
use crate::parser_words::of_json;
use crate::positioned_file::PositionedFile;
use crate::stored_array::{StoredArray, c_stride, element_count};
use crate::{FormatError, Problem};
use serde::Deserialize;
use std::sync::Arc;

/// The largest header that the format allows.
const MAX_HEADER_BYTES: u64 = 100_000_000;

/// Do these first bytes indicate this format?
pub(super) fn begins(start: &[u8]) -> bool {
    start.get(8) == Some(&b'{')
}

#[derive(Deserialize)]
struct Described {
    dtype: String,
    shape: Vec<u64>,
    data_offsets: (u64, u64),
}

pub(super) fn tensors(file: &Arc<PositionedFile>) -> Result<Vec<StateTensor>, FormatError> {
    let malformed = |reason: String| Problem::new(reason).at(file.path());
    let length = file.read(0, 8, "the length of the header")?;
    let length = length.iter().rev().fold(0, |sum: u64, &byte| sum << 8 | u64::from(byte));
    if length > MAX_HEADER_BYTES {
        return Err(malformed(format!("a header of {length} bytes; safetensors allows {MAX_HEADER_BYTES}")));
    }
    let header = file.read(8, length, "the header")?;
    let header: serde_json::Map<String, serde_json::Value> = serde_json::from_slice(&header)
        .map_err(|error| malformed(format!("the header of safetensors: {}", of_json(&error))))?;
    let begin = 8 + length;
    let mut tensors = Vec::with_capacity(header.len());
    let mut spans = Vec::with_capacity(header.len());
    for (name, described) in header {
        if name == "__metadata__" {
            continue;
        }
        let described: Described = serde_json::from_value(described)
            .map_err(|error| malformed(format!("tensor {name:?}: {}", of_json(&error))))?;
        let element = element(&described.dtype).ok_or_else(|| {
            malformed(format!("tensor {name:?} has elements of type {}, which is not supported", described.dtype))
        })?;
        let (first, end) = described.data_offsets;
        let size = element_count(&described.shape).and_then(|count| count.checked_mul(element.size() as u64));
        if size.is_none() || end.checked_sub(first) != size {
            return Err(malformed(format!(
                "tensor {name:?} of shape {:?} and type {element} is said to lie in the bytes \
                 {first} to {end}",
                described.shape
            )));
        }
        spans.push((first, end));
        let (Some(first), Some(end)) = (begin.checked_add(first), begin.checked_add(end)) else {
            return Err(malformed(format!("tensor {name:?} has no position in the file")));
        };
        let stride = c_stride(&described.shape);
        let kind = (element, ByteOrder::Little);
        let array = StoredArray::new(Arc::clone(file), kind, (first, end), described.shape, stride)?;
        tensors.push(StateTensor { name, array });
    }
    check_coverage(spans, file.len() - begin).map_err(malformed)?;
    Ok(tensors)
}

/// Checks that every byte belongs to exactly one tensor, without gaps or overlaps, as this format requires.
fn check_coverage(mut spans: Vec<(u64, u64)>, available: u64) -> Result<(), String> {
    spans.sort_unstable();
    let mut covered = 0;
    for (first, end) in spans {
        if first != covered {
            return Err(format!("the bytes from {covered} on belong to no tensor or to two"));
        }
        covered = end;
    }
    if covered != available {
        return Err(format!("{available} bytes of numbers, of which tensors cover {covered}; the file was changed"));
    }
    Ok(())
}

fn element(dtype: &str) -> Option<ElementType> {
    Some(match dtype {
        "BOOL" => ElementType::Bool,
        "U8" => ElementType::U8,
        "U16" => ElementType::U16,
        "U32" => ElementType::U32,
        "U64" => ElementType::U64,
        "I8" => ElementType::I8,
        "I16" => ElementType::I16,
        "I32" => ElementType::I32,
        "I64" => ElementType::I64,
        "F16" => ElementType::F16,
        "BF16" => ElementType::Bf16,
        "F32" => ElementType::F32,
        "F64" => ElementType::F64,
        _ => return None,
    })
}
