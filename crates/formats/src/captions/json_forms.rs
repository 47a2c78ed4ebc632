//! Captions in JSON: by stem, as a list, as COCO's files, or in lines.

use super::record::Record;
use super::{EXPECTED, grouped};
use crate::{FormatError, Problem, json};
use neurogauge_core::Captions;
use serde::de::value::SeqAccessDeserializer;
use serde::de::{Deserialize, Deserializer, Error as _, IgnoredAny, MapAccess, SeqAccess, Visitor};
use std::collections::HashSet;
use std::fmt;
use std::path::Path;

type Read = (Vec<(String, Captions)>, String);

/// Keys of COCO's files, besides the annotations, that have no captions.
const OF_COCO: [&str; 5] = ["info", "licenses", "images", "categories", "type"];

/// A whole file.
enum CaptionJson {
    ByStem(Vec<(String, Captions)>),
    Coco(Vec<Record>),
    List(Vec<Record>),
}

pub(super) fn read(path: &Path, bytes: &[u8]) -> Result<Read, FormatError> {
    match json::parse::<CaptionJson>(path, bytes, EXPECTED)? {
        CaptionJson::ByStem(captions) => Ok((captions, String::new())),
        CaptionJson::Coco(records) => {
            of_records(path, records, "COCO's annotations", |place| format!("annotations[{place}]"))
        }
        CaptionJson::List(records) if records.iter().all(|record| record.image.is_none()) => {
            let texts = records.into_iter().map(|record| Captions(record.captions));
            let by_position = texts.enumerate().map(|(place, texts)| (place.to_string(), texts));
            Ok((by_position.collect(), "a JSON list, by position".to_owned()))
        }
        CaptionJson::List(records) => of_records(path, records, "a JSON list", |place| format!("[{place}]")),
    }
}

/// Is the first line an object of its own, with further text below it?
pub(super) fn are_lines(bytes: &[u8]) -> bool {
    let text = bytes.trim_ascii();
    let Some(end) = text.iter().position(|&byte| byte == b'\n') else {
        return false;
    };
    serde_json::from_slice::<IgnoredAny>(&text[..end]).is_ok()
}

pub(super) fn read_lines(path: &Path, bytes: &[u8]) -> Result<Read, FormatError> {
    let records = serde_json::Deserializer::from_slice(bytes).into_iter::<Record>();
    let records = records.map(|record| record.map_err(|error| json::fault(path, bytes, &error, EXPECTED)));
    of_records(path, records.collect::<Result<_, _>>()?, "JSON Lines", |place| format!("object {}", place + 1))
}

/// Groups records by image; `place` is the place of a record in words.
fn of_records(
    path: &Path,
    records: Vec<Record>,
    form: &str,
    place: impl Fn(usize) -> String,
) -> Result<Read, FormatError> {
    let mut keys = None;
    let mut entries = Vec::with_capacity(records.len());
    for (index, record) in records.into_iter().enumerate() {
        let Some((key, name)) = record.image else {
            let reason = "no key names the image; expected {\"image\": \"0001\", \"caption\": \"a dog on a beach\"}";
            return Err(Problem::invalid(place(index), reason).at(path));
        };
        keys.get_or_insert_with(|| format!(", keys {key}, {}", record.key));
        entries.push((name, record.captions));
    }
    Ok((grouped(path, entries)?, format!("{form}{}", keys.unwrap_or_default())))
}

impl<'de> Deserialize<'de> for CaptionJson {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct CaptionVisitor;
        impl<'de> Visitor<'de> for CaptionVisitor {
            type Value = CaptionJson;
            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str(EXPECTED)
            }
            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<CaptionJson, A::Error> {
                let mut seen = HashSet::new();
                let mut captions = Vec::new();
                let (mut of_coco, mut skipped) = (None, None);
                while let Some(key) = map.next_key::<String>()? {
                    if !seen.insert(key.clone()) {
                        return Err(A::Error::custom(format!("the key {key:?} occurs twice")));
                    }
                    if key == "annotations" {
                        of_coco = Some(map.next_value::<Vec<Record>>()?);
                    } else if OF_COCO.contains(&key.as_str()) {
                        map.next_value::<IgnoredAny>()?;
                        skipped = Some(key);
                    } else {
                        captions.push((key, Captions(map.next_value::<Record>()?.captions)));
                    }
                }
                match (of_coco, skipped) {
                    (None, None) => Ok(CaptionJson::ByStem(captions)),
                    (None, Some(key)) => Err(A::Error::custom(format!("COCO's key {key:?} without its annotations"))),
                    (Some(records), _) if captions.is_empty() => Ok(CaptionJson::Coco(records)),
                    (Some(_), _) => Err(A::Error::custom("COCO's annotations beside other captions")),
                }
            }
            fn visit_seq<A: SeqAccess<'de>>(self, seq: A) -> Result<CaptionJson, A::Error> {
                Vec::deserialize(SeqAccessDeserializer::new(seq)).map(CaptionJson::List)
            }
        }
        deserializer.deserialize_any(CaptionVisitor)
    }
}
