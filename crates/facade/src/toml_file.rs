//! Reads configurations from TOML files.

use crate::Error;
use neurogauge_formats::IoResult;
use neurogauge_formats::parser_words::plain;
use neurogauge_models::registry::did_you_mean;
use serde::Deserialize;
use serde::de::DeserializeOwned;
use std::collections::BTreeMap;
use std::path::Path;
use toml::Spanned;

/// A top-level key of a TOML file and its value.
#[derive(Debug, Clone, PartialEq)]
pub struct TomlEntry {
    pub name: String,
    pub line: usize,
    pub value: serde_json::Value,
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
    Ok(in_order(toml_from_str(path, &text)?, &text))
}

/// Reads the keys of the table `set` of a TOML file likewise.
///
/// # Errors
/// The file cannot be read; the parser's reason in plain words, with the line.
pub fn toml_settings(path: &Path) -> Result<Vec<TomlEntry>, Error> {
    #[derive(Deserialize)]
    struct Settings {
        #[serde(default)]
        set: BTreeMap<Spanned<String>, serde_json::Value>,
    }
    let text = text(path)?;
    let Settings { set } = toml_from_str(path, &text)?;
    Ok(in_order(set, &text))
}

fn in_order(table: BTreeMap<Spanned<String>, serde_json::Value>, text: &str) -> Vec<TomlEntry> {
    let entry = |(key, value): (Spanned<String>, serde_json::Value)| TomlEntry {
        line: line_at(text, key.span().start),
        name: key.into_inner(),
        value,
    };
    let mut entries: Vec<TomlEntry> = table.into_iter().map(entry).collect();
    entries.sort_by_key(|entry| entry.line);
    entries
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
    toml::from_str(text).map_err(|error| {
        let line = line_at(text, error.span().map_or(0, |span| span.start));
        let words = with_suggestion(&plain(error.message(), "a table"));
        Error::Usage(format!("{}:{line}: {words}", path.display()))
    })
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
