//! Captions: JSON by stem, or SEED's pickled `.npy`.

use crate::json::{self, UniqueEntries};
use crate::stem_listing::has_ending;
use crate::{AtPath, FormatError, Problem, npy};
use neurogauge_core::{Captions, natural_cmp};
use serde::de::value::SeqAccessDeserializer;
use serde::de::{Deserialize, Deserializer, Error as _, MapAccess, SeqAccess, Visitor};
use serde_json::Value;
use std::collections::HashMap;
use std::fmt;
use std::path::Path;

/// Reads the captions of one side, by stem in natural order.
///
/// JSON is `{"stem": "text"}`, `{"stem": ["text", "text"]}` (descriptions of one stimulus by several people) or a list,
/// whose stems are "0", "1", ... A file called `*.npy` is SEED's pickled dictionary, whose keys are the names of image
/// files: the stem is the name without the ending. The text is unchanged, including spaces at its ends.
///
/// # Errors
/// JSON faults with line and column (also a key that occurs twice, an empty list of captions, a caption that is not a
/// string); no captions; a forbidden or malformed pickle.
pub fn read(path: &Path) -> Result<Vec<(String, Captions)>, FormatError> {
    let captions = if has_ending(path, &["npy"]) {
        by_image_name(path, &npy::read_pickled_dict(path)?)?
    } else {
        json::read_as::<CaptionFile>(path, "captions as JSON or SEED's .npy")?.0
    };
    json::by_stem(captions, "no caption in it; expected {\"stem\": \"text\"}").at(path)
}

/// Writes captions as JSON in the order given, a single caption as a string, several as a list; [`read`] returns the
/// same in natural order.
///
/// # Errors
/// The captions would be refused by [`read`] (a stem that occurs twice, a stem without a caption). Nothing is written
/// then.
pub fn write_json(path: &Path, captions: &[(String, Captions)]) -> Result<(), FormatError> {
    if let Some((stem, _)) = captions.iter().find(|(_, texts)| texts.0.is_empty()) {
        return Err(Problem::unexpected(format!("{stem:?}: no caption"), "at least one").at(path));
    }
    json::write_by_stem(path, captions, |texts| match texts.0.as_slice() {
        [single] => Value::from(single.as_str()),
        several => Value::from(several),
    })
}

/// The stem of an image file's name: the name without the ending of an image format. Other endings stay, since a stem
/// may contain a full stop.
pub(crate) fn stem_of_image_name(name: &str) -> &str {
    const ENDINGS: [&str; 9] = ["png", "jpg", "jpeg", "webp", "bmp", "tif", "tiff", "gif", "ppm"];
    match name.rsplit_once('.') {
        Some((stem, ending)) if !stem.is_empty() && ENDINGS.contains(&ending.to_ascii_lowercase().as_str()) => stem,
        _ => name,
    }
}

/// Captions by the stems of their image files, in natural order.
pub(crate) fn by_image_name(path: &Path, entries: &[(String, String)]) -> Result<Vec<(String, Captions)>, FormatError> {
    let mut name_of_stem: HashMap<&str, &str> = HashMap::new();
    let mut captions = Vec::with_capacity(entries.len());
    for (name, text) in entries {
        let stem = stem_of_image_name(name);
        if let Some(first) = name_of_stem.insert(stem, name) {
            return Err(Problem::duplicate_stem(stem, first, name).at(path));
        }
        captions.push((stem.to_owned(), Captions(vec![text.clone()])));
    }
    captions.sort_by(|a, b| natural_cmp(&a.0, &b.0));
    Ok(captions)
}

struct CaptionFile(Vec<(String, Captions)>);

impl<'de> Deserialize<'de> for CaptionFile {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct CaptionVisitor;
        impl<'de> Visitor<'de> for CaptionVisitor {
            type Value = CaptionFile;
            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("captions by stem, {\"stem\": \"text\"}, or a list of captions")
            }
            fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<CaptionFile, A::Error> {
                let entries = UniqueEntries::<Texts>::from_map(map, |_, error| error)?.0;
                let by_stem = entries.into_iter().map(|(stem, texts)| (stem, texts.0));
                Ok(CaptionFile(by_stem.collect()))
            }
            fn visit_seq<A: SeqAccess<'de>>(self, seq: A) -> Result<CaptionFile, A::Error> {
                let captions = Vec::<Texts>::deserialize(SeqAccessDeserializer::new(seq))?.into_iter();
                Ok(CaptionFile(captions.enumerate().map(|(place, texts)| (place.to_string(), texts.0)).collect()))
            }
        }
        deserializer.deserialize_any(CaptionVisitor)
    }
}

struct Texts(Captions);

impl<'de> Deserialize<'de> for Texts {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct TextsVisitor;
        impl<'de> Visitor<'de> for TextsVisitor {
            type Value = Texts;
            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a caption (a string) or a list of captions")
            }
            fn visit_str<E: serde::de::Error>(self, text: &str) -> Result<Texts, E> {
                Ok(Texts(Captions(vec![text.to_owned()])))
            }
            fn visit_seq<A: SeqAccess<'de>>(self, seq: A) -> Result<Texts, A::Error> {
                let texts = Vec::<String>::deserialize(SeqAccessDeserializer::new(seq))?;
                if texts.is_empty() {
                    let reason = "an empty list of captions; leave the stem out or give one";
                    return Err(A::Error::custom(reason));
                }
                Ok(Texts(Captions(texts)))
            }
        }
        deserializer.deserialize_any(TextsVisitor)
    }
}
