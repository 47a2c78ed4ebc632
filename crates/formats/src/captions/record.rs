//! An object of JSON with an image and its captions, and the values in it.

use crate::json::Id;
use serde::de::value::SeqAccessDeserializer;
use serde::de::{Deserialize, Deserializer, Error as _, IgnoredAny, MapAccess, SeqAccess, Visitor};
use std::fmt;

/// Names of the image in files of others; where several occur, the first of them counts.
pub(super) const IMAGE: &str =
    "image_id image file_name filename file image_name image_path img_id img stem stimulus item key path name id";

/// Names of its captions. Two of them in one file could be a reference and what was decoded, so neither is taken.
pub(super) const CAPTION: &str = "caption captions text texts sentence sentences description prediction generated_caption \
                                  decoded_caption reference references";

/// The captions of an image, which a key of the object may name.
pub(super) struct Record {
    /// The key and the name of the image.
    pub(super) image: Option<(&'static str, String)>,
    /// The key of the captions; empty if they are no object.
    pub(super) key: &'static str,
    pub(super) captions: Vec<String>,
}

impl Record {
    fn without_image(captions: Vec<String>) -> Self {
        Record {
            image: None,
            key: "",
            captions,
        }
    }

    fn of_map<'de, A: MapAccess<'de>>(mut map: A) -> Result<Self, A::Error> {
        let known = |names: &'static str, key: &str| {
            names.split(' ').enumerate().find(|(_, name)| key.eq_ignore_ascii_case(name))
        };
        let mut image: Option<(usize, &'static str, String)> = None;
        let mut captions: Option<(&'static str, Vec<String>)> = None;
        while let Some(key) = map.next_key::<String>()? {
            if let Some((rank, own)) = known(IMAGE, &key) {
                let Id(name) = map.next_value()?;
                if image.as_ref().is_none_or(|(best, ..)| rank < *best) {
                    image = Some((rank, own, name));
                }
            } else if let Some((_, own)) = known(CAPTION, &key) {
                let texts = map.next_value::<Record>()?.captions;
                if let Some((other, _)) = captions.replace((own, texts)) {
                    let both = format!("`{other}` and `{key}` could both be its caption; expected one of them");
                    return Err(A::Error::custom(both));
                }
            } else {
                map.next_value::<IgnoredAny>()?;
            }
        }
        let Some((key, captions)) = captions else {
            return Err(A::Error::custom("an object without a caption; expected one under \"caption\" or \"text\""));
        };
        Ok(Record {
            image: image.map(|(_, own, name)| (own, name)),
            key,
            captions,
        })
    }
}

impl<'de> Deserialize<'de> for Record {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct RecordVisitor;
        impl<'de> Visitor<'de> for RecordVisitor {
            type Value = Record;
            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a caption (a text) or a list of captions")
            }
            fn visit_str<E: serde::de::Error>(self, text: &str) -> Result<Record, E> {
                Ok(Record::without_image(vec![text.to_owned()]))
            }
            fn visit_seq<A: SeqAccess<'de>>(self, seq: A) -> Result<Record, A::Error> {
                let parts = Vec::<Record>::deserialize(SeqAccessDeserializer::new(seq))?;
                match parts.is_empty() {
                    true => Err(A::Error::custom("an empty list of captions; leave the image out or give one")),
                    false => Ok(Record::without_image(parts.into_iter().flat_map(|part| part.captions).collect())),
                }
            }
            fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<Record, A::Error> {
                Record::of_map(map)
            }
        }
        deserializer.deserialize_any(RecordVisitor)
    }
}
