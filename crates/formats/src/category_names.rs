//! Names of the objects in images, and texts in images, as vision-language models list them.

use crate::json::{self, UniqueEntries};
use crate::{AtPath, FormatError};
use neurogauge_core::CategoryNames;
use serde::de::value::SeqAccessDeserializer;
use serde::de::{Deserialize, Deserializer, SeqAccess, Visitor};
use std::fmt;
use std::path::Path;

/// Reads the names of one side, by stem in natural order.
///
/// The file is `{"stem": "dog, frisbee, grass"}`, names separated by commas as in the SEED paper's prompt (Sec. B.2),
/// or `{"stem": ["dog", "frisbee"]}`. Names are unchanged, including spaces at their ends; the metric decides which
/// names are equal. An empty text, or an empty list, means that the image has no objects.
///
/// # Errors
/// JSON faults with line and column (also a key that occurs twice, a name that is not a string); no stems.
pub fn read(path: &Path) -> Result<Vec<(String, CategoryNames)>, FormatError> {
    let expected = "names of categories as JSON, {\"stem\": \"dog, frisbee\"}";
    entries(path, expected, |text| text.split(',').map(str::to_owned).collect())
}

/// The lists in a file; `split` turns a single text into a list.
fn entries(
    path: &Path,
    expected: &str,
    split: impl Fn(String) -> Vec<String>,
) -> Result<Vec<(String, CategoryNames)>, FormatError> {
    let file: UniqueEntries<TextOrList> = json::read_as(path, expected)?;
    let words = |entry: TextOrList| match entry {
        TextOrList::List(words) => words,
        TextOrList::Text(text) if text.trim().is_empty() => Vec::new(),
        TextOrList::Text(text) => split(text),
    };
    let names = file.0.into_iter().map(|(stem, entry)| (stem, CategoryNames(words(entry)))).collect();
    let (_, example) = expected.split_once(", ").unwrap_or(("", expected));
    json::by_stem(names, format_args!("no image in it; expected {example}")).at(path)
}

/// Reads the texts in the images of one side, by stem in natural order: `{"stem": ["EXIT", "Main Street"]}`, or a
/// single text `{"stem": "EXIT"}`, which keeps its commas. An empty list, or an empty text, means that the image has no
/// text.
pub fn read_texts(path: &Path) -> Result<Vec<(String, CategoryNames)>, FormatError> {
    let expected = "texts in images as JSON, {\"stem\": [\"EXIT\", \"Main Street\"]}";
    entries(path, expected, |text| vec![text])
}

enum TextOrList {
    Text(String),
    List(Vec<String>),
}

impl<'de> Deserialize<'de> for TextOrList {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct TextOrListVisitor;
        impl<'de> Visitor<'de> for TextOrListVisitor {
            type Value = TextOrList;
            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("names parted by commas, \"dog, frisbee\", or a list of names")
            }
            fn visit_str<E: serde::de::Error>(self, text: &str) -> Result<TextOrList, E> {
                Ok(TextOrList::Text(text.to_owned()))
            }
            fn visit_seq<A: SeqAccess<'de>>(self, seq: A) -> Result<TextOrList, A::Error> {
                Vec::deserialize(SeqAccessDeserializer::new(seq)).map(TextOrList::List)
            }
        }
        deserializer.deserialize_any(TextOrListVisitor)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn faults_are_told_with_their_place() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("names.json");
        let refused = |text: &str| {
            std::fs::write(&path, text).unwrap();
            read(&path).unwrap_err().to_string()
        };
        for (text, part) in [
            ("{\"1\": 7}", "names parted by commas"),
            ("{\"1\": [\"a\", 7]}", "expected a text"),
            ("{\"1\": \"a\", \"1\": \"b\"}", "occurs twice"),
            ("{}", "no image in it"),
            ("[\"a\"]", "an object"),
            ("{\"1\": \"a\"", ":1:9: the file ends within an object"),
        ] {
            let message = refused(text);
            assert!(message.contains(part), "{text}: {message}");
            assert!(message.contains("names.json"), "{message}");
        }
        std::fs::remove_file(&path).unwrap();
        assert!(read(&path).unwrap_err().to_string().contains("dog, frisbee"));
    }
}
