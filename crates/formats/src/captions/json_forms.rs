//! Captions in JSON: by stem, as a list, as COCO's files, or in lines.

use super::record::{Entry, Record};
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
    List(Vec<Entry>),
}

pub(super) fn read(path: &Path, bytes: &[u8]) -> Result<Read, FormatError> {
    match json::parse::<CaptionJson>(path, bytes, EXPECTED)? {
        CaptionJson::ByStem(captions) => Ok((captions, String::new())),
        CaptionJson::Coco(records) => of_records(path, records, "COCO's annotations", |place| {
            Problem::invalid(format!("annotations[{place}]"), "no image_id; expected the id of its image").at(path)
        }),
        CaptionJson::List(entries) => {
            let is_record = |entry: &Entry| matches!(entry, Entry::Record(record) if record.image.is_some());
            if entries.is_empty() || !entries.iter().all(is_record) {
                if let Some(place) = entries.iter().position(is_record) {
                    let reason = "names its image, and other entries do not; expected the image of all or of none";
                    return Err(Problem::invalid(format!("[{place}]"), reason).at(path));
                }
                let texts = entries.into_iter().map(|entry| Captions(entry.captions()));
                let by_position = texts.enumerate().map(|(place, texts)| (place.to_string(), texts));
                return Ok((by_position.collect(), "a JSON list, by position".to_owned()));
            }
            let records = entries.into_iter().filter_map(|entry| match entry {
                Entry::Record(record) => Some(record),
                Entry::Caption(_) | Entry::Captions(_) => None,
            });
            of_records(path, records.collect(), "a JSON list", |place| Problem::invalid(place, "no image").at(path))
        }
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

/// Reads JSON Lines.
pub(super) fn read_lines(path: &Path, bytes: &[u8]) -> Result<Read, FormatError> {
    let mut lines = serde_json::Deserializer::from_slice(bytes).into_iter::<Record>();
    let (mut records, mut starts) = (Vec::new(), vec![0]);
    while let Some(record) = lines.next() {
        records.push(record.map_err(|error| json::fault(path, bytes, &error, EXPECTED))?);
        starts.push(lines.byte_offset());
    }
    of_records(path, records, "JSON Lines", |place| {
        let line = 1 + bytes[..starts[place + 1]].iter().filter(|&&byte| byte == b'\n').count();
        let reason = "no key names the image; expected {\"image\": \"0001\", \"caption\": \"a dog on a beach\"}";
        Problem::line(line, reason.to_owned()).at(path)
    })
}

/// Groups records by image; `missing` is the error of the record at a place that names no image.
fn of_records(
    path: &Path,
    records: Vec<Record>,
    form: &str,
    missing: impl Fn(usize) -> FormatError,
) -> Result<Read, FormatError> {
    let keys = records.first().map_or(String::new(), |record| {
        let image = record.image.as_ref().map_or("", |(key, _)| key);
        format!(", keys {image}, {}", record.key)
    });
    let mut entries = Vec::with_capacity(records.len());
    for (place, record) in records.into_iter().enumerate() {
        let (_, name) = record.image.ok_or_else(|| missing(place))?;
        entries.push((name, record.captions));
    }
    Ok((grouped(path, entries)?, format!("{form}{keys}")))
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
                        captions.push((key, Captions(map.next_value::<Entry>()?.captions())));
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
