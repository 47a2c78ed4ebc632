//! Reads JSON with the line and column of every fault, and writes it atomically.

use crate::parser_words::of_json;
use crate::{FormatError, IoResult, Problem, atomic_file, budget};
use neurogauge_core::natural_cmp;
use serde::de::{DeserializeOwned, Deserializer, Error as _, MapAccess, Visitor};
use serde::{Deserialize, Serialize};
use serde_json::Map;
use std::collections::HashSet;
use std::fmt::{self, Display};
use std::io;
use std::marker::PhantomData;
use std::path::Path;

/// From this size on, a file is read only if the system has memory for its values; `ROOM` is the most bytes that these
/// take per byte of the file: a digit and a comma become a number of eight bytes in a list that doubles when it is
/// full.
const LARGE: usize = 1 << 26;
const ROOM: usize = 4;

/// The bytes of a file; `expected` describes the file for the error if it is missing.
pub(crate) fn read_bytes(path: &Path, expected: &str) -> Result<Vec<u8>, FormatError> {
    budget::read_file(path).when_expecting("reading", path, expected)?
}

/// Reads one of our own JSON files, such as `run.json`.
pub fn read<T: DeserializeOwned>(path: &Path) -> Result<T, FormatError> {
    parse(path, &read_bytes(path, "a JSON file")?, "a whole JSON file")
}

/// Reads a file that `expected` describes.
pub(crate) fn read_as<T: DeserializeOwned>(path: &Path, expected: &str) -> Result<T, FormatError> {
    parse(path, &read_bytes(path, expected)?, expected)
}

/// The entries of a file with one for each stem, in natural order; `empty` is the problem of a file without any.
pub(crate) fn by_stem<T>(mut entries: Vec<(String, T)>, empty: impl Display) -> Result<Vec<(String, T)>, Problem> {
    if entries.is_empty() {
        return Err(Problem::new(empty));
    }
    entries.sort_by(|a, b| natural_cmp(&a.0, &b.0));
    Ok(entries)
}

/// Writes an entry for each stem in the order given, in the form of the file.
///
/// # Errors
/// A stem that occurs twice.
pub fn write_by_stem<T, V: Serialize>(
    path: &Path,
    entries: &[(String, T)],
    form: impl Fn(&T) -> V,
) -> Result<(), FormatError> {
    let mut object = Map::new();
    for (index, (stem, entry)) in entries.iter().enumerate() {
        let value = serde_json::to_value(form(entry)).map_err(io::Error::from).when("encoding", path)?;
        if object.insert(stem.clone(), value).is_some() {
            let first = entries.iter().position(|(known, _)| known == stem).unwrap_or_default();
            let reason = format!("the stem occurs twice, at {first} and at {index}");
            return Err(Problem::invalid(format!("{stem:?}"), reason).at(path));
        }
    }
    write(path, &object)
}

/// Reads a record whose layout has a number, `schema`; `remedy` says how to get a record with this layout.
pub fn read_of_schema<T: DeserializeOwned>(path: &Path, schema: u32, remedy: &str) -> Result<T, FormatError> {
    #[derive(Deserialize)]
    struct SchemaNumber {
        schema: u64,
    }
    let form = "a record of neurogauge";
    let bytes = read_bytes(path, "a JSON file")?;
    let found: SchemaNumber = parse(path, &bytes, form)?;
    if found.schema != u64::from(schema) {
        let reason =
            format!("found {}, written by another version of neurogauge; expected {schema}; {remedy}", found.schema);
        return Err(Problem::invalid("schema", reason).at(path));
    }
    parse(path, &bytes, form)
}

/// Writes a value as indented JSON with a final newline, atomically.
pub fn write<T: Serialize>(path: &Path, value: &T) -> Result<(), FormatError> {
    atomic_file::write_with(path, |file| {
        serde_json::to_writer_pretty(&mut *file, value)?;
        file.write_all(b"\n")
    })
}

/// Indented JSON with a final newline; `path` is for the error message.
pub fn to_bytes<T: Serialize>(path: &Path, value: &T) -> Result<Vec<u8>, FormatError> {
    let mut bytes = serde_json::to_vec_pretty(value).map_err(|error| Problem::Io("encoding", error.into()).at(path))?;
    bytes.push(b'\n');
    Ok(bytes)
}

/// Parses the bytes of the file at `path`, which `expected` describes.
///
/// # Errors
/// The parser's reason in plain words, with line and column.
pub fn parse<'a, T: Deserialize<'a>>(path: &Path, bytes: &'a [u8], expected: &str) -> Result<T, FormatError> {
    if bytes.len() >= LARGE {
        // The parser ends the process if the system has no memory for a value.
        drop(budget::room::<u8>(bytes.len().saturating_mul(ROOM), path, "its values")?);
    }
    serde_json::from_slice(bytes).map_err(|error| fault(path, bytes, &error, expected))
}

/// The place and the reason of a parser's error, with what was expected there or, if that is unknown, in the file.
pub(crate) fn fault(path: &Path, bytes: &[u8], error: &serde_json::Error, expected: &str) -> FormatError {
    // At the very start of a file, the parser counts columns from 0.
    let (line, column) = (error.line().max(1), error.column().max(1));
    let mut reason = of_json(error);
    if let Some(encoding) = wrong_encoding(bytes) {
        reason = format!("{encoding}; save the file as UTF-8 without a byte-order mark");
    } else if let Some(token) = python_token(bytes, line, column) {
        reason = format!("{token} is not JSON (Python writes it so); expected a finite number");
    } else if bytes.trim_ascii().is_empty() {
        reason = format!("the file is empty; expected {expected}");
    } else if !reason.contains("expected ") {
        reason = format!("{reason}; expected {expected}");
    }
    Problem::json(line, column, reason).at(path)
}

/// Encodings that Windows programs write instead of UTF-8.
fn wrong_encoding(bytes: &[u8]) -> Option<&'static str> {
    match bytes {
        [0xef, 0xbb, 0xbf, ..] => Some("the file begins with a byte-order mark"),
        [0xff, 0xfe, ..] | [0xfe, 0xff, ..] => Some("the file is in UTF-16"),
        [0, b'{' | b'[' | b'"', ..] | [b'{' | b'[' | b'"', 0, ..] => Some("the file is in UTF-16"),
        _ => None,
    }
}

/// Python's `json` writes NaN and infinities in ways that are not JSON; "expected value" alone would leave readers
/// guessing.
fn python_token(bytes: &[u8], line: usize, column: usize) -> Option<&'static str> {
    let text = bytes.split(|&byte| byte == b'\n').nth(line.checked_sub(1)?)?;
    // The parser stops at the first byte of `NaN` and at the second of `-Infinity`.
    let near = &text[column.saturating_sub(2).min(text.len())..];
    ["NaN", "-Infinity", "Infinity"]
        .into_iter()
        .find(|token| (0..2).any(|skip| near.get(skip..).is_some_and(|rest| rest.starts_with(token.as_bytes()))))
}

/// A JSON object in the order of the file, refused if a key occurs twice (a map would silently keep the last value).
pub(crate) struct UniqueEntries<V>(pub(crate) Vec<(String, V)>);

impl<'de, V: Deserialize<'de>> UniqueEntries<V> {
    /// Collects the entries; `placed` adds the key to an error about its value.
    pub(crate) fn from_map<A: MapAccess<'de>>(
        mut map: A,
        placed: impl Fn(&str, A::Error) -> A::Error,
    ) -> Result<Self, A::Error> {
        let mut seen = HashSet::new();
        let mut entries = Vec::new();
        while let Some(key) = map.next_key::<String>()? {
            if !seen.insert(key.clone()) {
                return Err(A::Error::custom(format!("the key {key:?} occurs twice")));
            }
            let value = map.next_value().map_err(|error| placed(&key, error))?;
            entries.push((key, value));
        }
        Ok(UniqueEntries(entries))
    }
}

impl<'de, V: Deserialize<'de>> Deserialize<'de> for UniqueEntries<V> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Entries<V>(PhantomData<V>);
        impl<'de, V: Deserialize<'de>> Visitor<'de> for Entries<V> {
            type Value = UniqueEntries<V>;
            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("an object")
            }
            fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<Self::Value, A::Error> {
                UniqueEntries::from_map(map, |_, error| error)
            }
        }
        deserializer.deserialize_map(Entries(PhantomData))
    }
}

/// The id of an item in files of other programs: a text, or a whole number (which pandas may have made a float).
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(crate) struct Id(pub(crate) String);

impl<'de> Deserialize<'de> for Id {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct IdVisitor;
        impl Visitor<'_> for IdVisitor {
            type Value = Id;
            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("an id: a whole number or a text")
            }
            fn visit_str<E: serde::de::Error>(self, text: &str) -> Result<Id, E> {
                Ok(Id(text.trim().to_owned()))
            }
            fn visit_u64<E: serde::de::Error>(self, number: u64) -> Result<Id, E> {
                Ok(Id(number.to_string()))
            }
            fn visit_i64<E: serde::de::Error>(self, number: i64) -> Result<Id, E> {
                Ok(Id(number.to_string()))
            }
            fn visit_f64<E: serde::de::Error>(self, number: f64) -> Result<Id, E> {
                match number.fract() == 0.0 && number.abs() < 2_f64.powi(53) {
                    true => Ok(Id(format!("{number:.0}"))),
                    false => Err(E::invalid_value(serde::de::Unexpected::Float(number), &self)),
                }
            }
        }
        deserializer.deserialize_any(IdVisitor)
    }
}
