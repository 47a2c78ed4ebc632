//! Reads configurations from TOML files.

use crate::Error;
use neurogauge_formats::IoResult;
use neurogauge_formats::parser_words::{of_text, plain};
use neurogauge_models::registry::did_you_mean;
use serde::de::DeserializeOwned;
use serde_json::{Number, Value};
use std::borrow::Cow;
use std::fmt::{Display, Write};
use std::path::Path;
use toml::Spanned;
use toml::de::{DeTable, DeValue};

/// A top-level key of a TOML file and its value.
#[derive(Debug, Clone, PartialEq)]
pub struct TomlEntry {
    pub name: String,
    pub line: usize,
    pub value: Value,
}

/// Reads the keys at the top of a TOML file, in the order of the file.
///
/// ```
/// # let folder = tempfile::tempdir()?;
/// # let path = folder.path().join("score.toml");
/// std::fs::write(&path, "# options\nmetrics = ['ssim']\nlevel = 0.9\n")?;
/// let entries = neurogauge::toml_entries(&path)?;
/// assert_eq!((entries[1].name.as_str(), entries[1].line), ("level", 3));
/// assert_eq!(entries[0].value, serde_json::json!(["ssim"]));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// The file cannot be read; the parser's reason in plain words, with the line.
pub fn toml_entries(path: &Path) -> Result<Vec<TomlEntry>, Error> {
    let text = text(path)?;
    entries(path, &text, DeTable::parse(&text).map_err(|error| refused(path, &text, &error))?.get_ref())
}

/// Reads the keys of the table `set` of a TOML file likewise.
///
/// # Errors
/// The file cannot be read; the parser's reason in plain words, with the line.
pub fn toml_settings(path: &Path) -> Result<Vec<TomlEntry>, Error> {
    let text = text(path)?;
    let table = DeTable::parse(&text).map_err(|error| refused(path, &text, &error))?;
    let Some(set) = table.get_ref().get("set") else {
        return Ok(Vec::new());
    };
    match set.get_ref() {
        DeValue::Table(settings) => entries(path, &text, settings),
        _ => Err(at(path, line_at(&text, set.span().start), "`set` is no table; expected [set]")),
    }
}

/// The keys of a table in the order of the file.
fn entries(path: &Path, text: &str, table: &DeTable<'_>) -> Result<Vec<TomlEntry>, Error> {
    let entry = |(key, value): (&Spanned<Cow<'_, str>>, &Spanned<DeValue<'_>>)| {
        Ok(TomlEntry {
            line: line_at(text, key.span().start),
            name: key.get_ref().to_string(),
            value: AsJson::of(path, text, value)?.read(path, text)?,
        })
    };
    let mut entries = table.iter().map(entry).collect::<Result<Vec<TomlEntry>, Error>>()?;
    entries.sort_by_key(|entry| entry.line);
    Ok(entries)
}

/// Reads a configuration.
///
/// # Errors
/// The parser's reason in plain words, with the line.
pub fn read_toml<T: DeserializeOwned>(path: &Path) -> Result<T, Error> {
    toml_from_str(path, &text(path)?)
}

fn text(path: &Path) -> Result<String, Error> {
    let text = neurogauge_formats::regular_file::read_to_string(path);
    Ok(text.when_expecting("reading", path, "a configuration (a TOML file)")?)
}

/// Reads a configuration from a text that messages call `path`.
///
/// # Errors
/// The parser's reason in plain words, with the line.
pub fn toml_from_str<T: DeserializeOwned>(path: &Path, text: &str) -> Result<T, Error> {
    let table = DeTable::parse(text).map_err(|error| refused(path, text, &error))?;
    let (span, table) = (table.span(), table.into_inner());
    AsJson::of(path, text, &Spanned::new(span, DeValue::Table(table)))?.read(path, text)
}

/// A refusal of the parser of TOML.
fn refused(path: &Path, text: &str, error: &toml::de::Error) -> Error {
    at(path, line_at(text, error.span().map_or(0, |span| span.start)), &plain(error.message(), "a table"))
}

fn at(path: &Path, line: usize, reason: &str) -> Error {
    Error::Usage(format!("{}:{line}: {reason}", path.display()))
}

/// A TOML value as JSON, with the place in the TOML of each of its parts: one deserialiser reads both formats, so that
/// each form of settings is compiled once.
#[derive(Default)]
struct AsJson {
    json: String,
    /// Where a part begins in the JSON and in the TOML.
    places: Vec<(usize, usize)>,
}

impl AsJson {
    fn of(path: &Path, text: &str, value: &Spanned<DeValue<'_>>) -> Result<Self, Error> {
        let mut written = AsJson::default();
        let wrote = written.value(value);
        wrote.map_err(|(place, reason)| at(path, line_at(text, place), &reason)).map(|()| written)
    }

    fn read<T: DeserializeOwned>(&self, path: &Path, text: &str) -> Result<T, Error> {
        serde_json::from_slice(self.json.as_bytes()).map_err(|error| {
            let part = self.places.partition_point(|&(start, _)| start < error.column());
            let place = self.places.get(part.saturating_sub(1)).map_or(0, |&(_, place)| place);
            at(path, line_at(text, place), &with_suggestion(&of_text(&error, "a table")))
        })
    }

    fn part(&mut self, place: usize, part: impl Display) {
        self.places.push((self.json.len(), place));
        // Writing into a text cannot fail.
        let _ = write!(self.json, "{part}");
    }

    /// Writes a value, or returns a place and what cannot be written there.
    fn value(&mut self, value: &Spanned<DeValue<'_>>) -> Result<(), (usize, String)> {
        let place = value.span().start;
        match value.get_ref() {
            DeValue::Array(values) => {
                self.part(place, '[');
                for (number, value) in values.iter().enumerate() {
                    self.json.push_str(if number > 0 { "," } else { "" });
                    self.value(value)?;
                }
                // What is wrong with a whole value is said after it, where the bracket of its list may be.
                self.json.push(']');
            }
            DeValue::Table(table) => {
                self.part(place, '{');
                for (number, (key, value)) in table.iter().enumerate() {
                    self.json.push_str(if number > 0 { "," } else { "" });
                    self.part(key.span().start, Value::from(key.get_ref().as_ref()));
                    self.json.push(':');
                    self.value(value)?;
                }
                self.part(place, '}');
            }
            DeValue::Boolean(value) => self.part(place, value),
            DeValue::String(value) => self.part(place, Value::from(value.as_ref())),
            DeValue::Integer(value) => match i64::from_str_radix(value.as_str(), value.radix()) {
                Ok(value) => self.part(place, value),
                Err(_) => return Err((place, format!("{value} has more than 64 bits; expected a smaller number"))),
            },
            DeValue::Float(value) => match value.as_str().parse().ok().and_then(Number::from_f64) {
                Some(value) => self.part(place, value),
                None => return Err((place, format!("{value} is not finite; expected a finite number"))),
            },
            DeValue::Datetime(value) => self.part(place, Value::from(value.to_string())),
        }
        Ok(())
    }
}

/// The message, with the known key that an unknown one is most likely a misspelling of in place of all known keys.
fn with_suggestion(message: &str) -> String {
    let whole = || message.to_owned();
    let Some((unknown, known)) = message.split_once("; expected ") else {
        return whole();
    };
    let Some((_, name)) = unknown.rsplit_once("unknown key `") else {
        return whole();
    };
    let known: Vec<&str> = known.split('`').skip(1).step_by(2).collect();
    match did_you_mean(name.trim_end_matches('`'), &known) {
        meant if meant.is_empty() => whole(),
        meant => format!("{unknown}{meant}"),
    }
}

/// The number of the line that contains this byte, from 1.
fn line_at(text: &str, place: usize) -> usize {
    let before = &text.as_bytes()[..place.min(text.len())];
    before.iter().filter(|&&byte| byte == b'\n').count() + 1
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn parsed<T: DeserializeOwned>(text: &str) -> Result<T, String> {
        toml_from_str(Path::new("a.toml"), text).map_err(|error| error.to_string())
    }

    /// The values are those of TOML 1.0, sections "Integer" to "Array of tables".
    #[test]
    fn values_of_all_kinds_are_read() {
        let text = "a = [0xff, 0o17, 0b11, 1_000, -7]\nb = [1e3, -0.5]\n\"c d\" = {}\ne.f = true\ng = 1979-05-27\n[[h]]\ni = \"\"\"\n\\\"x\"\"\"";
        let expected = json!({
            "a": [255, 15, 3, 1000, -7], "b": [1000.0, -0.5], "c d": {}, "e": { "f": true }, "g": "1979-05-27", "h": [{ "i": "\"x" }],
        });
        assert_eq!(parsed::<Value>(text).unwrap(), expected);
    }

    #[test]
    fn a_fault_has_the_line_of_its_value() {
        #[derive(Debug, serde::Deserialize)]
        #[serde(deny_unknown_fields)]
        struct Part {
            #[serde(rename = "size")]
            _size: u8,
        }
        type Parts = std::collections::BTreeMap<String, Vec<Part>>;
        let cases = [
            ("[[a]]\nsize = 1\n\n[[a]]\nsize = 300\n", "a.toml:5: the number 300; expected "),
            ("[[a]]\nsize = 1\n\n[[a]]\nsizes = 3\n", "a.toml:5: unknown key `sizes` (did you mean \"size\"?)"),
            ("[[a]]\nsize = 1\n\n[[a]]\n", "a.toml:4: "),
            ("b = []\na = [{ size = 1 },\n{ size = 'x' }]\n", "a.toml:3: "),
            ("b = []\na = inf\n", "a.toml:2: inf is not finite; expected a finite number"),
            ("b = []\na = 99999999999999999999\n", "a.toml:2: 99999999999999999999 has more than 64 bits"),
            ("b = []\na = \n", "a.toml:2: "),
        ];
        for (text, expected) in cases {
            let said = parsed::<Parts>(text).unwrap_err();
            assert!(said.starts_with(expected), "{text}: {said}");
        }
    }
}
