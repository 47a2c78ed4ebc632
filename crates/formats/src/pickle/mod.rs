//! Python pickles, read without Python and without running anything.

use crate::FormatError;
use std::path::Path;

/// What a pickle describes.
#[derive(Debug, Clone, PartialEq)]
pub enum Value {
    /// `None`.
    None,
    /// `True` or `False`.
    Bool(bool),
    /// An integer.
    Int(i64),
    /// A float.
    Float(f64),
    /// Text.
    Str(String),
    /// Bytes.
    Bytes(Vec<u8>),
    /// A list.
    List(Vec<Value>),
    /// A tuple.
    Tuple(Vec<Value>),
    /// A dict or an `OrderedDict`, in order of insertion.
    Dict(Vec<(Value, Value)>),
    /// A name of the allow-list.
    Global {
        /// E.g. `torch._utils`.
        module: String,
        /// E.g. `_rebuild_tensor_v2`.
        name: String,
    },
    /// `callable(*args)`, not called, then given `state`.
    Object {
        /// What Python would call.
        callable: Box<Value>,
        /// With these.
        args: Vec<Value>,
        /// And would then hand to `__setstate__`.
        state: Option<Box<Value>>,
    },
    /// A persistent id: torch's way to point at a storage.
    Persistent(Box<Value>),
}

/// Reads a pickle of protocol 2 to 5; `path` is for messages.
pub fn load(bytes: &[u8], path: &Path) -> Result<Value, FormatError> {
    let _ = (bytes, path);
    todo!()
}

/// Writes a value as a pickle of protocol 4.
pub fn dump(value: &Value) -> Vec<u8> {
    let _ = value;
    todo!()
}
