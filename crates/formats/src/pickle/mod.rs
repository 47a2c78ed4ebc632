//! Python pickles, read without Python and without executing anything.
//!
//! A pickle is a program for a small stack machine, and Python lets that program call any function that can be
//! imported. Here, calls are only recorded, as [`Value::Object`], and names outside a short list are refused, so a
//! hostile file can only waste a little time.

mod allow_list;
mod arena;
mod cursor;
mod dump;
mod machine;

pub(crate) use allow_list::{AllowedNames, is_torchscript_class};
pub use dump::dump;

use crate::budget::Exceeded;
use crate::{FormatError, Problem};
use std::path::Path;

/// A pickle that is refused whatever is in it, and what to do, for messages.
pub(crate) const REFUSED: &str = "a Python pickle of other objects than arrays, which is not read; in Python, `np.save(\"x.npy\", x)` \
                                  saves an array, `x.to_csv(\"x.csv\")` a data frame of pandas";

/// A value described by a pickle.
#[derive(Debug, Clone, PartialEq)]
pub enum Value {
    None,
    /// `True` or `False`.
    Bool(bool),
    Int(i64),
    Float(f64),
    /// Text.
    Str(String),
    /// `bytes` or `bytearray`.
    Bytes(Vec<u8>),
    List(Vec<Value>),
    Tuple(Vec<Value>),
    /// A dict or an `OrderedDict`, in order of insertion; a repeated key is kept.
    Dict(Vec<(Value, Value)>),
    /// A class or function by name.
    Global {
        /// E.g. `torch._utils`.
        module: String,
        /// E.g. `_rebuild_tensor_v2`.
        name: String,
    },
    /// The call of a class or function, not executed.
    Object {
        module: String,
        name: String,
        /// The arguments of the call.
        args: Vec<Value>,
        /// The argument of the result's `__setstate__`.
        state: Option<Box<Value>>,
    },
    /// A persistent id: torch's reference to a storage next to the pickle.
    Persistent(Box<Value>),
}

impl Value {
    /// A description for messages.
    pub fn describe(&self) -> String {
        match self {
            Value::None => "None".to_owned(),
            Value::Bool(_) => "a bool".to_owned(),
            Value::Int(_) => "an integer".to_owned(),
            Value::Float(_) => "a float".to_owned(),
            Value::Str(_) => "a text".to_owned(),
            Value::Bytes(_) => "bytes".to_owned(),
            Value::List(items) => format!("a list of {}", items.len()),
            Value::Tuple(items) => format!("a tuple of {}", items.len()),
            Value::Dict(entries) => format!("a dict of {}", entries.len()),
            Value::Global { module, name } => format!("the name {module}.{name}"),
            Value::Object { module, name, .. } if module == "torch._utils" && name.starts_with("_rebuild_") => {
                "a tensor".to_owned()
            }
            Value::Object { module, .. } if module.starts_with("numpy") => "a NumPy array or scalar".to_owned(),
            Value::Object { module, name, .. } => format!("an object made by {module}.{name}"),
            Value::Persistent(_) => "a bare storage".to_owned(),
        }
    }
}

/// Reads a pickle of protocol 2 to 5; `path` is for messages. Bytes after its end are ignored.
///
/// Containers may be filled after they were put into others, which is how Python writes them. Shared values are
/// returned as copies, within a budget, so a short pickle cannot describe a huge value. `OrderedDict`s are returned as
/// [`Value::Dict`], and bytes written as `_codecs.encode(text, "latin1")` as [`Value::Bytes`].
///
/// # Errors
/// A name outside the list; more content than a file of this size may describe; damage, other protocols, integers
/// beyond 64 bits, values nested more than 64 deep or inside themselves, too much sharing.
pub fn load(bytes: &[u8], path: &Path) -> Result<Value, FormatError> {
    load_prefix(bytes, path, AllowedNames::Data).map(|(value, _)| value)
}

/// Like [`load`], with the given names allowed; also returns the pickle's number of bytes.
pub(crate) fn load_prefix(bytes: &[u8], path: &Path, names: AllowedNames) -> Result<(Value, usize), FormatError> {
    machine::run(bytes, names).map_err(|fault| match fault {
        Fault::ForbiddenGlobal(global) if global.starts_with("pandas.") => Problem::new(REFUSED).at(path),
        Fault::ForbiddenGlobal(global) => Problem::new(format_args!(
            "the pickle asks for {global:?}, which is not on the short list of harmless names; nothing was loaded"
        ))
        .at(path),
        Fault::TooLarge(exceeded) => exceeded.of(path, "what the pickle describes"),
        Fault::Broken { offset, reason } => Problem::Pickle { offset, reason }.at(path),
    })
}

impl From<Exceeded> for Fault {
    fn from(exceeded: Exceeded) -> Self {
        Fault::TooLarge(exceeded)
    }
}

/// The reason why a pickle was not read; [`load`] adds the file's name.
#[derive(Debug)]
enum Fault {
    ForbiddenGlobal(String),
    TooLarge(Exceeded),
    Broken { offset: usize, reason: String },
}
