//! torch's format from before version 1.6, which many published checkpoints still use.
//!
//! Five pickles follow each other: a magic number, the version of the format, facts about the machine, the object, and
//! the keys of its storages. Then come the storages in the order of the keys, each after its number of elements (eight
//! bytes), and little-endian, regardless of the machine.

use super::storages::storage_id;
use super::{MAX_PICKLE_BYTES, Span, Storages};
use crate::element::{ByteOrder, ElementType};
use crate::pickle::{self, AllowedNames, Value};
use crate::positioned_file::PositionedFile;
use crate::{FormatError, Problem};
use std::collections::HashMap;
use std::sync::Arc;

/// The magic number in every protocol: `LONG1`, ten bytes, `STOP`.
const MAGIC: &[u8] = b"\x8a\x0a\x6c\xfc\x9c\x46\xf9\x20\x6a\xa8\x50\x19.";
/// The only version of the format.
const VERSION: i64 = 1001;
/// The initial number of bytes read for the pickles; more are read if needed.
const FIRST_READ_BYTES: u64 = 1 << 20;

/// The number of first bytes that [`begins`] needs.
pub(crate) const START_BYTES: u64 = 32;

/// Do these first bytes indicate this format?
pub(crate) fn begins(start: &[u8]) -> bool {
    magic_end(start).is_some()
}

/// The end of the magic number's pickle: after two bytes of protocol and, from protocol 4 on, nine bytes of a frame.
fn magic_end(start: &[u8]) -> Option<usize> {
    let is_magic = |begin: &usize| start.get(*begin..).is_some_and(|rest| start[0] == 0x80 && rest.starts_with(MAGIC));
    [2, 11].into_iter().find(is_magic).map(|begin| begin + MAGIC.len())
}

/// Reads the pickles and finds the storages.
pub(crate) fn open(file: Arc<PositionedFile>) -> Result<(Value, Storages), FormatError> {
    let pickles = pickles(&file)?;
    let mut storages = Storages {
        file,
        order: ByteOrder::Little,
        spans: HashMap::new(),
    };
    let mut elements = HashMap::new();
    collect_elements(&pickles.object, &mut elements).map_err(|why| storages.malformed(why))?;
    let mut position = pickles.end;
    for key in pickles.keys {
        let Some(element) = elements.get(&key) else {
            return Err(storages.malformed(format!("the storage {key} belongs to no tensor")));
        };
        let count = storages.file.read(position, 8, "the size of a storage")?;
        let count = count.iter().rev().fold(0, |sum: u64, &byte| sum << 8 | u64::from(byte));
        let offset = position + 8;
        let size = count.checked_mul(element.size() as u64);
        let end = size.and_then(|size| offset.checked_add(size));
        let (Some(size), Some(end)) = (size, end.filter(|&end| end <= storages.file.len())) else {
            let place = format!("the storage {key} of {count} numbers");
            let found = storages.file.len().saturating_sub(offset);
            return Err(Problem::truncated(place, size.unwrap_or(u64::MAX), found).at(storages.file.path()));
        };
        storages.spans.insert(key, Span { offset, size });
        position = end;
    }
    Ok((pickles.object, storages))
}

struct Pickles {
    object: Value,
    keys: Vec<String>,
    /// The position of the first storage.
    end: u64,
}

/// Reads increasing parts of the file until its pickles are complete, since the file does not state their length.
fn pickles(file: &PositionedFile) -> Result<Pickles, FormatError> {
    let limit = file.len().min(MAX_PICKLE_BYTES);
    let mut n = FIRST_READ_BYTES.min(limit);
    loop {
        match parse(&file.read(0, n, "the start")?, file) {
            Err(FormatError {
                problem: Problem::Pickle { .. },
                ..
            }) if n < limit => n = n.saturating_mul(8).min(limit),
            other => return other,
        }
    }
}

fn parse(bytes: &[u8], file: &PositionedFile) -> Result<Pickles, FormatError> {
    let malformed = |reason: String| Problem::new(reason).at(file.path());
    let mut position = magic_end(bytes).ok_or_else(|| malformed("not in torch's format from before 1.6".to_owned()))?;
    let mut next = || {
        let (value, n) = pickle::load_prefix(&bytes[position..], file.path(), AllowedNames::Data)?;
        position += n;
        Ok::<Value, FormatError>(value)
    };
    match next()? {
        Value::Int(VERSION) => {}
        Value::Int(other) => {
            return Err(malformed(format!("version {other} of torch's old format; expected {VERSION}")));
        }
        other => {
            return Err(malformed(format!(
                "{} for the version of torch's old format; expected {VERSION}",
                other.describe()
            )));
        }
    }
    next()?;
    let object = next()?;
    let keys = next()?;
    let Value::List(keys) = &keys else {
        return Err(malformed(format!("{} instead of the list of storages", keys.describe())));
    };
    let keys = keys
        .iter()
        .map(|key| match key {
            Value::Str(key) => Ok(key.clone()),
            other => Err(malformed(format!("{} as the key of a storage", other.describe()))),
        })
        .collect::<Result<_, FormatError>>()?;
    Ok(Pickles {
        object,
        keys,
        end: position as u64,
    })
}

/// Collects the element types of the storages that the object mentions; nothing else states the lengths of elements.
fn collect_elements(value: &Value, elements: &mut HashMap<String, ElementType>) -> Result<(), String> {
    let mut all = |values: &[Value]| values.iter().try_for_each(|value| collect_elements(value, elements));
    match value {
        Value::List(items) | Value::Tuple(items) => all(items),
        Value::Dict(entries) => entries.iter().try_for_each(|(_, value)| collect_elements(value, elements)),
        Value::Object { args, state, .. } => {
            all(args)?;
            state.iter().try_for_each(|state| collect_elements(state, elements))
        }
        Value::Persistent(id) => {
            let (element, key) = storage_id(id)?;
            match elements.insert(key.to_owned(), element) {
                Some(other) if other != element => {
                    Err(format!("the storage {key} holds {other} in one place and {element} in another"))
                }
                _ => Ok(()),
            }
        }
        _ => Ok(()),
    }
}
